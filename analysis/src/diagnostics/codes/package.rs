//! Codes of types, events, `provider`, `operation` and polls.

use super::{Code, codes};

codes! {}

//! Codes of `connection`, `subscriber` and `deployable`.

use super::{Code, codes};

codes! {}

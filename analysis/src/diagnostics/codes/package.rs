//! Codes of types, events, `provider`, `operation` and polls.

use super::{Code, codes};

codes! {
    PACKAGE_OPERATION_INVALID = "package.operation_invalid";
    PACKAGE_PROVIDER_INVALID = "package.provider_invalid";
    TYPE_CONSTRAINT_INVALID = "type.constraint_invalid";
}

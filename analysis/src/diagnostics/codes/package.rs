//! Codes of types, events, `provider`, `operation` and polls.

use super::{Code, codes};

codes! {
    PACKAGE_OPERATION_INVALID = "package.operation_invalid";
    PACKAGE_PROVIDER_INVALID = "package.provider_invalid";
    PACKAGE_SECRET_EXPOSED = "package.secret_exposed";
    PACKAGE_TYPE_PRIVATE = "package.type_private";
    POLL_CLOCK_LIKE_FIELD = "poll.clock_like_field";
    POLL_SLOWER_THAN_INTERVAL = "poll.slower_than_interval";
    SURFACE_BREAKING = "surface.breaking";
    SURFACE_STALE = "surface.stale";
    TYPE_CONSTRAINT_INVALID = "type.constraint_invalid";
    TYPE_MODIFIER_INVALID = "type.modifier_invalid";
    TYPE_RECURSIVE = "type.recursive";
    TYPE_UNKNOWN = "type.unknown";
    TYPE_VALUE_INVALID = "type.value_invalid";
    TYPE_WIRE_NAME_DUPLICATE = "type.wire_name_duplicate";
}

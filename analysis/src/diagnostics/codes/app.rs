//! Codes of `connection`, `subscriber` and `deployable`.

use super::{Code, codes};

codes! {
    CONNECTION_KEY_DUPLICATE = "connection.key_duplicate";
    CONNECTION_KEY_INVALID = "connection.key_invalid";
    CONNECTION_KEY_MISSING = "connection.key_missing";
    CONNECTION_VALUE_INVALID = "connection.value_invalid";
    DEPLOYABLE_KEY_DUPLICATE = "deployable.key_duplicate";
    DEPLOYABLE_KEY_INVALID = "deployable.key_invalid";
    DEPLOYABLE_KEY_MISSING = "deployable.key_missing";
    DEPLOYABLE_VALUE_INVALID = "deployable.value_invalid";
    SUBSCRIBER_KEY_DUPLICATE = "subscriber.key_duplicate";
    SUBSCRIBER_KEY_INVALID = "subscriber.key_invalid";
    SUBSCRIBER_KEY_MISSING = "subscriber.key_missing";
    SUBSCRIBER_VALUE_INVALID = "subscriber.value_invalid";
}

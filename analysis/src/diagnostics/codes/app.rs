//! Codes of `connection`, `subscriber` and `deployable`.

use super::{Code, codes};

codes! {
    CONNECTION_KEY_DUPLICATE = "connection.key_duplicate";
    CONNECTION_KEY_INVALID = "connection.key_invalid";
    CONNECTION_KEY_MISSING = "connection.key_missing";
    CONNECTION_OVERCOMMITTED = "connection.overcommitted";
    CONNECTION_PACKAGE_UNKNOWN = "connection.package_unknown";
    CONNECTION_VALUE_INVALID = "connection.value_invalid";
    DEPLOYABLE_BUDGET_SHORT = "deployable.budget_short";
    DEPLOYABLE_CAPACITY_UNSLEPT = "deployable.capacity_unslept";
    DEPLOYABLE_EVENT_UNHEARD = "deployable.event_unheard";
    DEPLOYABLE_KEY_DUPLICATE = "deployable.key_duplicate";
    DEPLOYABLE_KEY_INVALID = "deployable.key_invalid";
    DEPLOYABLE_KEY_MISSING = "deployable.key_missing";
    DEPLOYABLE_POLL_DOUBLED = "deployable.poll_doubled";
    DEPLOYABLE_VALUE_INVALID = "deployable.value_invalid";
    NAME_UNKNOWN = "name.unknown";
    EVENT_STORE_REQUIRED = "event.store_required";
    POLL_UNHEARD = "poll.unheard";
    SUBSCRIBER_KEY_DUPLICATE = "subscriber.key_duplicate";
    SUBSCRIBER_KEY_INVALID = "subscriber.key_invalid";
    SUBSCRIBER_KEY_MISSING = "subscriber.key_missing";
    SUBSCRIBER_RETRIES_UNREACHABLE = "subscriber.retries_unreachable";
    SUBSCRIBER_STORE_REQUIRED = "subscriber.store_required";
    SUBSCRIBER_VALUE_INVALID = "subscriber.value_invalid";
    USES_NOTHING_CALLABLE = "uses.nothing_callable";
}

//! Codes of `action`, `route`, `schedule`, `batch` and `backfill`.

use super::{Code, codes};

codes! {
    ACTION_KEY_DUPLICATE = "action.key_duplicate";
    ACTION_KEY_INVALID = "action.key_invalid";
    ACTION_STORE_REQUIRED = "action.store_required";
    ACTION_VALUE_INVALID = "action.value_invalid";
    BACKFILL_KEY_DUPLICATE = "backfill.key_duplicate";
    BACKFILL_KEY_INVALID = "backfill.key_invalid";
    BACKFILL_KEY_MISSING = "backfill.key_missing";
    BACKFILL_VALUE_INVALID = "backfill.value_invalid";
    BATCH_KEY_DUPLICATE = "batch.key_duplicate";
    BATCH_KEY_INVALID = "batch.key_invalid";
    BATCH_KEY_MISSING = "batch.key_missing";
    BATCH_VALUE_INVALID = "batch.value_invalid";
    ROUTE_KEY_DUPLICATE = "route.key_duplicate";
    ROUTE_KEY_INVALID = "route.key_invalid";
    ROUTE_KEY_MISSING = "route.key_missing";
    ROUTE_VALUE_INVALID = "route.value_invalid";
    SCHEDULE_KEY_DUPLICATE = "schedule.key_duplicate";
    SCHEDULE_KEY_INVALID = "schedule.key_invalid";
    SCHEDULE_KEY_MISSING = "schedule.key_missing";
    SCHEDULE_VALUE_INVALID = "schedule.value_invalid";
}

//! Waiting for something that another process does, with a limit.

use std::thread;
use std::time::{Duration, Instant};

/// How often is looked.
const LOOK: Duration = Duration::from_millis(20);

/// Looks until there is something to see.
///
/// # Panics
/// When there is nothing within the limit; says what was waited for.
#[track_caller]
pub fn until<T>(limit: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + limit;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < end, "within {limit:?} there was not: {what}");
        thread::park_timeout(LOOK);
    }
}

//! When a poll is due. The claim's statement says the same to the database; a test holds the two together.

use crate::store::PollRow;

/// Whether a tick at `tick_ms` takes a poll of the interval `every_ms`; one that has no row has never run.
///
/// A row further away than a whole new interval, claimed under another interval, was shortened and does not wait out the old
/// one. Under the same interval it was moved by an instance whose clock is ahead, and waits.
pub fn is_due(row: Option<&PollRow>, tick_ms: i64, every_ms: i64) -> bool {
    let Some(row) = row else { return true };
    let shortened = row.next_due_ms.saturating_sub(tick_ms) > every_ms && row.every_ms != Some(every_ms);
    row.next_due_ms <= tick_ms || shortened
}

//! How soon a committed event's handler is entered in the process that committed it: alone, and paced at half the rate at which
//! the process can both commit events and make their deliveries.

use std::path::Path;
use std::sync::Arc;

use super::app::{executor, served};
use super::paced::{FLOOD, Noted, Pace, Waits};
use super::{board, database};

/// Events a second that the process can both commit and deliver.
pub fn most(plan: &str, file: &Path) -> f64 {
    run(plan, file, FLOOD).rate()
}

/// The waits of events that come at a pace.
pub fn measure(plan: &str, file: &Path, pace: Pace) -> Waits {
    run(plan, file, pace).waits()
}

fn run(plan: &str, file: &Path, pace: Pace) -> Arc<Noted> {
    board::prepare(plan, file);
    let executor = executor();
    let noted = Arc::new(Noted::new(pace));
    let ready = board::ready(&executor, plan, file, "NORMAL", &noted);
    let engine = ready.engine.clone();
    executor.block_on(served(ready, noted.emitted(&engine, pace)));
    assert_eq!(database::counted(file).done, pace.events, "each is done");
    noted
}

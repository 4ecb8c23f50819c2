//! The app over an SQLite file: made ready, and left to work off what is due there.

use std::path::Path;
use std::sync::Arc;

use jadpo_runtime::native::NativeHost;
use jadpo_runtime::start::{Ready, Surroundings, start};
use jadpo_runtime::{App, Delivered};
use tokio::runtime::Runtime;

use super::app::{self, Code, Counts, Hands, executor};
use super::clocks::{Clocks, Spent};
use super::database;

/// Workers, and so the most that one claim takes.
const WORKERS: u32 = 256;

/// What is worked off.
#[derive(Clone, Copy)]
pub struct Work {
    /// Deliveries that are due before the clock starts.
    pub due: u32,
    /// The run ends once so many of them are done.
    pub enough: u32,
    /// `NORMAL` or `FULL`.
    pub synchronous: &'static str,
}

/// The app's plan.
pub fn plan() -> String {
    app::plan(&format!(
        r#"store main {{ engine: sqlite("board.db") }}
deployable server {{ target: native  runner: {{ workers: {WORKERS} }} }}
"#
    ))
}

/// The app over a file, ready to be served.
pub fn ready<H: Hands>(
    executor: &Runtime,
    plan: &str,
    file: &Path,
    synchronous: &str,
    hands: &Arc<H>,
) -> Ready {
    let app = App::new(plan, "server", Code(hands.clone())).store_file("main", file.display().to_string());
    let app = if synchronous == "FULL" { app.sync_each_commit("main") } else { app };
    let host = Arc::new(NativeHost::new(executor.handle().clone()).expect("the native host starts"));
    start(app, &Surroundings::new(host)).expect("the app starts")
}

/// Makes its tables in a file.
pub fn prepare(plan: &str, file: &Path) {
    struct Nothing;
    impl Hands for Nothing {
        fn hear(&self, _: &Delivered) {}
    }
    drop(ready(&executor(), plan, file, "NORMAL", &Arc::new(Nothing)));
}

/// What was done of the work that lies in a file.
pub struct Done {
    /// How many, as the file says.
    pub count: u32,
    /// How many a claim took.
    pub batch: u32,
    pub spent: Spent,
}

/// Works off what is due in a file, from the loop's start to its end.
pub fn burn_down(plan: &str, file: &Path, work: Work) -> Done {
    let before = database::counted(file);
    let executor = executor();
    let counts = Counts::new(work.enough);
    let ready = ready(&executor, plan, file, work.synchronous, &counts);
    let store = ready.engine.stores["main"].store.clone();
    let clocks = Clocks::start();
    executor.block_on(counts.served(ready));
    let spent = clocks.spent();
    let asked = u32::try_from(store.operations()).unwrap_or(u32::MAX).max(1);
    let after = database::counted(file);
    let count = after.done - before.done;
    assert_eq!(counts.heard(), count, "each that was heard is done");
    assert_eq!(after.pending, before.pending - count, "what was claimed is done or given back");
    assert!(count >= work.enough, "{count} done");
    Done { count, batch: count.div_ceil(asked), spent }
}

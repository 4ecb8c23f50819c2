//! An app, ready to run: its plan, the deployable that this program is, and the user's code.

use std::sync::Arc;

use crate::dispatch::Dispatch;

/// What a generated program runs.
pub struct App {
    pub(crate) plan_json: String,
    pub(crate) deployable: String,
    pub(crate) dispatch: Arc<dyn Dispatch>,
    /// By store, SQL that is run at every start.
    pub(crate) prepare: Vec<(String, String)>,
}

impl App {
    /// The program of one deployable of a plan.
    pub fn new(plan_json: &str, deployable: &str, dispatch: impl Dispatch) -> App {
        App {
            plan_json: plan_json.to_owned(),
            deployable: deployable.to_owned(),
            dispatch: Arc::new(dispatch),
            prepare: Vec::new(),
        }
    }

    /// Runs SQL in a store at every start, before anything else does: the app's own tables. It must be safe to run again,
    /// as `CREATE TABLE IF NOT EXISTS …` is.
    #[must_use]
    pub fn prepare(mut self, store: &str, sql: &str) -> App {
        self.prepare.push((store.to_owned(), sql.to_owned()));
        self
    }
}

/// The generated code of the app that `build.rs` built.
#[macro_export]
macro_rules! include_app {
    () => {
        include!(concat!(env!("OUT_DIR"), "/jadpo/app.rs"));
    };
}

//! The awkward app, as it is generated, under a virtual clock and with a provider that follows a script.

mod cases;
mod handlers;
mod hour;

use std::sync::Arc;

use jadpo_runtime::outside::Outside;
use jadpo_runtime::sim::{Network, Script};
use jadpo_runtime::{Rehearsal, RehearsalOptions};
use jadpo_test_app::app;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tempfile::TempDir;

use handlers::Driven;

/// 2027-03-03T10:00:00Z, a whole minute.
const START_MS: i64 = 1_804_068_000_000;

/// Where the packages' providers are.
const AWKWARD: &str = "http://127.0.0.1:4001";
const SHAPES: &str = "http://127.0.0.1:4002";
const CASES: &str = "http://127.0.0.1:4003";

/// A run that has ended, and what it kept.
struct Run {
    rehearsal: Rehearsal,
    folder: TempDir,
}

/// Runs the app for some minutes against a script.
fn run(minutes: u32, script: &Script) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let network: Arc<dyn Network> = Arc::new(script.clone());
    let options = RehearsalOptions {
        minutes,
        seed: 7,
        start_ms: START_MS,
        network: Box::new(move |_: &Outside| Ok(network)),
    };
    let rehearsal = app::main(Driven)
        .prepare("main", handlers::TABLES)
        .store_file("main", folder.path().join("awkward.db").display().to_string())
        .env("AWKWARD_PORT", "4001")
        .env("SHAPES_PORT", "4002")
        .env("CASES_PORT", "4003")
        .rehearse(options)
        .unwrap();
    Run { rehearsal, folder }
}

impl Run {
    /// The rows of a query, columns joined by ` | `.
    fn rows(&self, sql: &str) -> String {
        let connection = Connection::open(self.folder.path().join("awkward.db")).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let shown = (0..columns).map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                other => panic!("no column of these tests holds {other:?}"),
            });
            Ok(shown.collect::<Vec<_>>().join(" | "))
        });
        rows.unwrap().map(Result::unwrap).collect::<Vec<_>>().join("\n")
    }
}

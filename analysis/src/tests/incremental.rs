//! Which queries an edit re-runs. The test's name is the promise.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::Workspace;
use crate::db::Database;
use crate::system::fixture;
use crate::tests::packages;

/// A workspace whose queries are counted by name.
pub struct Logged {
    workspace: Workspace,
    log: Arc<Mutex<Vec<String>>>,
}

impl Logged {
    /// Opened and checked once.
    pub fn open(text: &str) -> Self {
        let log = Arc::<Mutex<Vec<String>>>::default();
        let sink = log.clone();
        let db = Database::listening(move |query| sink.lock().unwrap().push(format!("{query:?}")));
        let workspace = Workspace::with_database(db, Arc::new(fixture::parse(text)), Path::new("/"));
        workspace.check();
        Self { workspace, log }
    }

    /// What a check runs again after `from` has become `to` in a file, as `query` or `query x2`, sorted.
    #[track_caller]
    pub fn edit(&mut self, path: &str, from: &str, to: &str) -> String {
        let text = self.workspace.text(path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "`{from}` must stand once in {path}");
        // Opening a file lowers its durability, which checks it once and is no part of the promise.
        self.workspace.set_text(Path::new("/").join(path).as_path(), &*text);
        self.workspace.check();
        self.log.lock().unwrap().clear();
        self.workspace.set_text(Path::new("/").join(path).as_path(), text.replace(from, to));
        self.workspace.check();
        let mut counts = BTreeMap::<String, usize>::new();
        for query in self.log.lock().unwrap().drain(..) {
            *counts.entry(query.split('(').next().unwrap_or_default().to_owned()).or_default() += 1;
        }
        let shown = counts.into_iter().map(|(query, n)| if n == 1 { query } else { format!("{query} x{n}") });
        shown.collect::<Vec<_>>().join(", ")
    }
}

const PROJECT: &str = r#"
//- /app.jadpo
app trading { }

// The first.
store main { engine: sqlite("data/trading.db") }

store quotes { engine: sqlite("data/quotes.db")  keep: 7d }
//- /more.jadpo
store other { engine: sqlite("data/other.db") }
"#;

#[test]
fn a_comment_between_declarations_rechecks_none() {
    let mut logged = Logged::open(PROJECT);
    insta::assert_snapshot!(logged.edit("app.jadpo", "The first.", "The first of two."), @"file_items");
}

#[test]
fn an_edit_inside_one_declaration_rechecks_it_alone() {
    let mut logged = Logged::open(PROJECT);
    insta::assert_snapshot!(
        logged.edit("app.jadpo", "7d", "8d"),
        @"check, file_items, is_broken, parse, store_signature"
    );
}

#[test]
fn a_new_name_rechecks_no_other_declaration() {
    let mut logged = Logged::open(PROJECT);
    insta::assert_snapshot!(
        logged.edit("app.jadpo", "store quotes", "store prices"),
        @"check, clashes, databases, file_decls, file_diagnostics, file_items, first_in x3, is_broken, on_workers, owner, parse, store_signature"
    );
}

#[test]
fn lines_above_a_mistake_move_it_and_recheck_nothing() {
    let mut logged = Logged::open(PROJECT);
    logged.edit("app.jadpo", "7d", "7s");
    insta::assert_snapshot!(logged.edit("app.jadpo", "// The first.", "\n\n// The first."), @"file_diagnostics, file_items, line_index");
    assert_eq!(logged.workspace.check_file("app.jadpo")[0].range.start.line, 8);
}

/// Three connections, two subscribers and a deployable.
pub const APP: &str = r#"
//- /app.jadpo
app trading { }

store main { engine: sqlite("data/trading.db") }

connection feed {
    package: coinfeed
    settings: { depth: 5 }
    polls: { prices: 10m }
}

connection twin { package: coinfeed }

connection sky { package: weather }

subscriber update {
    on: coinfeed.PricesChanged
    uses: [feed]
    within: 30m
}

subscriber warn { on: weather.RainStarted }

deployable server {
    target: native
    polls: [feed.prices, sky.now]
}
"#;

/// The app with its packages.
pub fn app() -> String {
    format!("{APP}{}", packages::with_entries("settings: { depth: Int { default: 10 } }"))
}

#[test]
fn the_app_of_these_tests_is_right() {
    assert_eq!(crate::tests::brief(&app()), "clean");
}

#[test]
fn an_interval_of_a_package_rechecks_it_and_the_connections_to_it() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("packages/coinfeed/provider.jadpo", "every: 5m", "every: 6m"), @"cases, check x3, facts, file_items, is_broken, live_polls x2, parse, poll_names, provider_signature, what_runs");
}

#[test]
fn an_interval_of_a_connection_rechecks_that_connection() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "10m", "20m"), @"check, connection_signature, events_store, file_items, live_polls, package_name, parse, parts, what_runs");
}

#[test]
fn a_setting_of_a_connection_rechecks_that_connection() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "depth: 5", "depth: 6"), @"check, connection_signature, file_items, package_name, parse");
}

#[test]
fn how_long_a_subscriber_tries_rechecks_that_subscriber() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "30m", "40m"), @"check, file_items, parse, subscriber_signature, subscriber_uses");
}

#[test]
fn another_connection_to_call_rechecks_that_subscriber() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "uses: [feed]", "uses: [feed, twin]"), @"check x2, file_items, lookup, parse, parts, short_calls, subscriber_signature, subscriber_uses, unheard_events, unrun_batches");
}

#[test]
fn another_event_plans_the_polls_anew_and_rechecks_what_they_change() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "warn { on: weather.RainStarted }", "warn { on: [weather.RainStarted, coinfeed.PricesChanged] }"), @"check x4, file_items, heard_connections, listeners, live_polls x3, parse, parts, subscriber_signature, subscriber_uses, unheard_events, written_store");
}

#[test]
fn how_a_loop_sleeps_rechecks_that_deployable() {
    let mut logged = Logged::open(&app());
    insta::assert_snapshot!(logged.edit("app.jadpo", "target: native", "target: native  runner: { workers: 4 }"), @"check, deployable_signature, file_items, parse");
}

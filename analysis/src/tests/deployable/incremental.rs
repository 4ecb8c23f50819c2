//! Which queries an edit of what deployables run re-runs. The test's name is the promise.

use super::super::incremental::Logged;
use super::super::packages::with_entries;

const APP: &str = r#"
//- /app.jadpo
app trading { }

// The first.
store main { engine: { native: sqlite("x.db")  workers: d1("MAIN") } }

connection feed { package: coinfeed  max_concurrent: 4 }

subscriber update { on: coinfeed.PricesChanged  uses: [feed] }

deployable server { target: native  polls: [] }

deployable edge { target: workers }
"#;

fn logged() -> Logged {
    let app = format!("{APP}{}", with_entries("timeout: 9s"));
    assert_eq!(crate::tests::brief(&app), "clean");
    Logged::open(&app)
}

#[test]
fn the_lists_of_a_deployable_recheck_the_deployables() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "native  polls: []", "native  polls: []  routes: []"), @"check, deployable_signature, doubled_polls, file_items, parse, parts, unheard_events, unrun_batches, what_runs");
}

#[test]
fn a_comment_of_a_store_rechecks_nothing() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "The first.", "The only one."), @"file_items");
}

#[test]
fn another_database_rechecks_its_store_and_the_deployables_that_reach_it() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "d1(\"MAIN\")", "d1(\"OTHER\")"), @"check x3, databases, file_items, first_in x2, is_broken, parse, store_signature, unheard_events, unrun_batches");
}

#[test]
fn how_a_deployable_listens_rechecks_it_alone() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "native  polls: []", "native  polls: []  host: { drain: 1s }"), @"check, deployable_signature, doubled_polls, file_items, on_workers, parse, parts, short_calls, unheard_events, unrun_batches, what_runs");
}

#[test]
fn a_cap_rechecks_its_connection_and_the_report() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "max_concurrent: 4", "max_concurrent: 5"), @"check, connection_signature, events_store, file_items, live_polls, on_workers, package_name, parse");
}

#[test]
fn a_timeout_is_counted_again_and_rechecks_no_deployable() {
    insta::assert_snapshot!(logged().edit("packages/coinfeed/provider.jadpo", "timeout: 9s", "timeout: 8s"), @"calls, cases, check x2, facts, file_items, is_broken, live_polls, parse, provider_signature, short_calls");
}

#[test]
fn what_a_subscriber_calls_rechecks_it_and_the_deployables() {
    insta::assert_snapshot!(logged().edit("app.jadpo", "uses: [feed]", "uses: [origin]"), @"check, file_items, parse, parts x2, subscriber_signature, subscriber_uses");
}

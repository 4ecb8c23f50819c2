//! A rehearsal counts what an app did, and shows what is left.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use super::{RehearsalError, RehearsalOptions};
use crate::app::App;
use crate::sim::{Network, Reply, Script};
use crate::trial::{Bodies, START_MS, base_plan, fine};

fn rehearse(minutes: u32) -> super::Rehearsal {
    let directory = tempfile::tempdir().unwrap();
    let script = Script::new().make("/v1/prices", |_, call| match call {
        3 => Reply::status(503),
        _ => Reply::json(&format!(r#"{{"btc":{},"eth":2}}"#, call / 2)).after_ms(3_000),
    });
    let json = serde_json::to_string(&base_plan()).unwrap();
    let app = App::new(&json, "server", Bodies(fine))
        .store_file("main", directory.path().join("rehearsal.db").to_str().unwrap());
    let network = move |_: &crate::outside::Outside| Ok(Arc::new(script) as Arc<dyn Network>);
    app.rehearse(RehearsalOptions { minutes, seed: 1, start_ms: START_MS, network: Box::new(network) })
        .unwrap()
}

#[test]
fn an_hour_of_ten_minutes_polls() {
    let told = rehearse(60);
    assert_eq!((told.ticks, told.polls_made, told.polls_failed), (60, 7, 1));
    assert_eq!((told.events_kept, told.polls_same), (4, 2));
    assert_eq!((told.deliveries_done, told.deliveries_failed, told.deliveries_left), (4, 0, 0));
    let store = &told.status.stores[0];
    assert!(told.status.ready);
    assert_eq!(store.deliveries.done, 4);
    assert_eq!(store.polls[0].name, "poll feed.prices");
    assert_eq!(store.polls[0].next_due_ms - START_MS, 61 * 60_000, "moved by the minute after the failure");
    assert_eq!(told.status.connections.len(), 2);
}

#[test]
fn a_plan_that_cannot_be_read_is_no_rehearsal() {
    let network = |_: &crate::outside::Outside| Ok(Arc::new(Script::new()) as Arc<dyn Network>);
    let options = RehearsalOptions { minutes: 1, seed: 1, start_ms: 0, network: Box::new(network) };
    let error = App::new("{\"version\":7}", "server", Bodies(fine)).rehearse(options).unwrap_err();
    assert!(matches!(error, RehearsalError::Start(_)));
    insta::assert_snapshot!(error, @"the plan has version 7; this runtime runs version 1");
}

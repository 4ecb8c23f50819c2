//! A new version beside the old one: a newer schema under a program that runs already, and what both of them do.

use super::{backlog, states, steady, writes};
use crate::start::StartError;
use crate::store::StoreErrorKind;
use crate::store::sqlite::VERSION;
use crate::trial::{Trial, fine};

/// What a migration may do: it adds columns, tables and indexes.
const NEWER: &str = "
ALTER TABLE jadpo_polls ADD COLUMN later TEXT;
ALTER TABLE jadpo_events ADD COLUMN later INTEGER NOT NULL DEFAULT 7;
ALTER TABLE jadpo_deliveries ADD COLUMN later TEXT;
ALTER TABLE jadpo_schedules ADD COLUMN later TEXT;
ALTER TABLE jadpo_batch_runs ADD COLUMN later TEXT;
ALTER TABLE jadpo_instances ADD COLUMN later TEXT;
CREATE INDEX jadpo_deliveries_later ON jadpo_deliveries (later, state);
CREATE TABLE jadpo_later (id INTEGER PRIMARY KEY) STRICT;";

fn set_version(trial: &Trial, version: i64) {
    trial.execute(&format!("UPDATE jadpo_meta SET value = {version} WHERE key = 'schema'"));
}

#[test]
fn an_older_program_works_on_over_a_newer_schema_beside_the_newer_program() {
    let trial = Trial::new(|plan| {
        let feed = plan.connections.get_mut("feed").unwrap();
        feed.polls.get_mut("prices").unwrap().every_ms = 60_000;
    });
    steady(&trial);
    let older = trial.serve(1, |name, cx, event| {
        Box::pin(async move {
            crate::host::Host::sleep(&*cx.host, 10_000).await;
            writes(name, cx, event).await
        })
    });
    backlog(&trial, 8);
    trial.pass(5_000);
    assert_eq!(states(&trial), "claimed 8, pending 1", "the migration comes while it works");
    trial.execute(NEWER);
    // The newer program knows that version, which this one would refuse.
    let newer = trial.start(2, writes);
    set_version(&trial, VERSION + 1);
    newer.go();
    trial.pass(30_000);
    assert_eq!(states(&trial), "done 9", "claims from before the migration are completed");
    backlog(&trial, 30);
    trial.pass(180_000);
    assert_eq!(states(&trial), "done 39");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["39"]);
    let done = [&older, &newer].map(|one| one.engine.tally.get(crate::status::Count::DeliveriesDone));
    assert!(done.iter().all(|done| *done > 8), "both of them work: {done:?}");
    assert_eq!(trial.calls_s().len(), 4, "one of them polls at a time: {:?}", trial.calls_s());
    older.crash();
    let Err(StartError::Stores(errors)) = trial.try_start(3, fine) else { panic!("it started") };
    assert_eq!(errors[0].kind, StoreErrorKind::SchemaNewer { found: VERSION + 1, known: VERSION });
    trial.pass(120_000);
    assert_eq!(states(&trial), "done 39");
}

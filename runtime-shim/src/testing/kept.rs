//! What an app has kept: events, deliveries and batch runs of all its stores.

use jiff::Timestamp;
use serde_json::Value;

use super::world::TestApp;
use crate::clock;
use crate::sql::{FromSql, Row};

/// An event that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptEvent {
    /// The store that it is kept in.
    pub store: String,
    /// Its id there.
    pub id: i64,
    /// `coinfeed.PricesChanged`.
    pub name: String,
    /// The connection that it came through; the app's own came through none.
    pub source: Option<String>,
    /// In canonical form.
    pub payload: Value,
    /// When it was kept.
    pub at: Timestamp,
}

/// An event for one subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptDelivery {
    /// The store that it is kept in.
    pub store: String,
    /// Its id there.
    pub id: i64,
    /// Who hears it.
    pub subscriber: String,
    /// The event's id and name.
    pub event: (i64, String),
    /// `pending`, `claimed`, `done`, `failed` or `discarded`.
    pub state: String,
    /// Attempts so far.
    pub attempts: i64,
    /// When it is, or was, due.
    pub due: Timestamp,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

/// A run of a batch or a backfill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRun {
    /// The store that it is kept in.
    pub store: String,
    /// Its id there.
    pub id: i64,
    /// The batch or backfill.
    pub batch: String,
    /// `pending`, `claimed`, `done`, `failed` or `discarded`.
    pub state: String,
    /// Steps committed.
    pub steps: i64,
    /// Values that were refused and skipped.
    pub skipped: i64,
    /// Where the last committed step ended.
    pub cursor: Option<String>,
    /// Why the last attempt failed.
    pub error: Option<String>,
}

const EVENTS: &str = "SELECT id, name, source, payload, created_at_ms FROM jadpo_events ORDER BY id";

const DELIVERIES: &str =
    "SELECT d.id, d.subscriber, d.event_id, e.name, d.state, d.attempts, d.due_ms, d.last_error
    FROM jadpo_deliveries d JOIN jadpo_events e ON e.id = d.event_id ORDER BY d.id";

const RUNS: &str =
    "SELECT id, batch, state, steps, skipped, cursor, last_error FROM jadpo_batch_runs ORDER BY id";

impl TestApp {
    /// The events of this name, oldest first.
    #[track_caller]
    pub fn events(&mut self, name: &str) -> Vec<KeptEvent> {
        self.all_events().into_iter().filter(|event| event.name == name).collect()
    }

    /// The deliveries to a subscriber, oldest first.
    #[track_caller]
    pub fn deliveries(&mut self, subscriber: &str) -> Vec<KeptDelivery> {
        self.all_deliveries().into_iter().filter(|delivery| delivery.subscriber == subscriber).collect()
    }

    /// The runs of a batch or a backfill, oldest first.
    #[track_caller]
    pub fn runs(&mut self, batch: &str) -> Vec<KeptRun> {
        self.all_runs().into_iter().filter(|run| run.batch == batch).collect()
    }

    #[track_caller]
    pub(super) fn all_events(&mut self) -> Vec<KeptEvent> {
        self.of_all_stores(EVENTS, |store, row| {
            let payload: String = column(row, 3);
            KeptEvent {
                store: store.to_owned(),
                id: column(row, 0),
                name: column(row, 1),
                source: column(row, 2),
                payload: serde_json::from_str(&payload).expect("payloads are canonical JSON"),
                at: clock::timestamp(column(row, 4)),
            }
        })
    }

    #[track_caller]
    pub(super) fn all_deliveries(&mut self) -> Vec<KeptDelivery> {
        self.of_all_stores(DELIVERIES, |store, row| KeptDelivery {
            store: store.to_owned(),
            id: column(row, 0),
            subscriber: column(row, 1),
            event: (column(row, 2), column(row, 3)),
            state: column(row, 4),
            attempts: column(row, 5),
            due: clock::timestamp(column(row, 6)),
            error: column(row, 7),
        })
    }

    #[track_caller]
    pub(super) fn all_runs(&mut self) -> Vec<KeptRun> {
        self.of_all_stores(RUNS, |store, row| KeptRun {
            store: store.to_owned(),
            id: column(row, 0),
            batch: column(row, 1),
            state: column(row, 2),
            steps: column(row, 3),
            skipped: column(row, 4),
            cursor: column(row, 5),
            error: column(row, 6),
        })
    }

    #[track_caller]
    fn of_all_stores<T>(&mut self, sql: &str, read: impl Fn(&str, &Row) -> T) -> Vec<T> {
        let names: Vec<String> = self.stores().into_keys().collect();
        let mut all = Vec::new();
        for name in names {
            all.extend(self.query(&name, sql, ()).iter().map(|row| read(&name, row)));
        }
        all
    }
}

fn column<T: FromSql>(row: &Row, at: usize) -> T {
    row.get(at).expect("the runtime's own columns have their types")
}

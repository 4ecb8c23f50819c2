//! What every engine must do alike: each case runs in memory, over SQLite and over PostgreSQL.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod boundaries;
mod claims;
mod deferred;
mod expiry;
mod fences;
mod operators;
mod outlook;
mod polls;
mod purge;
mod received;
mod sessions;
pub mod subject;
mod take_over;
mod values;

use subject::Subject;

use super::{
    Boundary, BoundaryEnd, ClaimDeliveries, ClaimedDelivery, Fence, Held, NewDelivery, NewEvent, SetOff,
    Wanted, Write,
};

/// A moment that every case begins at.
const NOW: i64 = 1_804_068_000_000;

/// The instance that asks, unless a case says otherwise.
const ME: i64 = 7;

/// Runs a case on every engine.
#[expect(clippy::needless_pass_by_value, reason = "a case is written where it is run")]
fn on_each(case: impl AsyncFn(&Subject)) {
    for subject in subject::each() {
        run(&subject, &case);
    }
}

/// Runs a case that needs the app's own SQL on every engine that has any.
#[expect(clippy::needless_pass_by_value, reason = "a case is written where it is run")]
fn on_databases(case: impl AsyncFn(&Subject)) {
    for subject in subject::each().into_iter().filter(Subject::has_sql) {
        run(&subject, &case);
    }
}

fn run(subject: &Subject, case: &impl AsyncFn(&Subject)) {
    let executor = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    // A failed assertion says where; this says on what.
    eprintln!("on {}", subject.name());
    executor.block_on(case(subject));
}

/// An event with a delivery for each of these subscribers, which may be tried for an hour.
fn event(at_ms: i64, subscribers: &[&str]) -> NewEvent {
    let deliveries = subscribers.iter().map(|subscriber| NewDelivery {
        subscriber: (*subscriber).to_owned(),
        give_up_ms: at_ms + 3_600_000,
    });
    NewEvent {
        name: "rates.Changed".to_owned(),
        source: Some("feed".to_owned()),
        external_id: None,
        occurred_at_ms: at_ms - 5,
        payload: r#"{"btc":"60"}"#.to_owned(),
        trace: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
        created_at_ms: at_ms,
        deliveries: deliveries.collect(),
    }
}

impl Subject {
    /// Keeps an event; its deliveries' ids.
    async fn keep(&self, at_ms: i64, subscribers: &[&str]) -> Vec<i64> {
        let events = vec![event(at_ms, subscribers)];
        let end = self.commit(Boundary { events, ..Boundary::empty(Fence::Free, at_ms) }).await;
        let BoundaryEnd::Done(set_off) = end else { panic!("{end:?}") };
        set_off.iter().map(delivery_id).collect()
    }

    async fn commit(&self, boundary: Boundary) -> BoundaryEnd {
        self.store.commit(boundary).await.unwrap()
    }

    /// Claims up to `at_most` of each subscriber under this token, for a minute.
    async fn claim(&self, now_ms: i64, token: i64, wanted: &[(&str, u32)]) -> Vec<ClaimedDelivery> {
        let wanted = wanted.iter().map(|(subscriber, at_most)| Wanted {
            subscriber: (*subscriber).to_owned(),
            at_most: *at_most,
            running: 0,
        });
        let claim = ClaimDeliveries {
            now_ms,
            token,
            instance: ME,
            until_ms: now_ms + 60_000,
            wanted: wanted.collect(),
            at_most: 100,
            hear: true,
            done: Vec::new(),
        };
        self.store.claim_deliveries(claim).await.unwrap().deliveries
    }

    /// Keeps one delivery and claims it.
    async fn held(&self, token: i64) -> Held {
        self.keep(NOW, &["keep_rates"]).await;
        self.claim(NOW, token, &[("keep_rates", 1)]).await[0].held()
    }

    /// How many deliveries are pending, claimed, done, failed and discarded.
    async fn counts(&self) -> [u64; 5] {
        let counts = self.store.delivery_counts().await.unwrap();
        [counts.pending, counts.claimed, counts.done, counts.failed, counts.discarded]
    }

    /// A write of the app's, in this engine's words.
    fn write(&self, sql: &str, params: Vec<crate::SqlValue>, rows: Option<u64>) -> Write {
        Write { sql: self.sql(sql), params, rows }
    }
}

fn delivery_id(set_off: &SetOff) -> i64 {
    match set_off {
        SetOff::Delivery { id, .. } | SetOff::Run { id, .. } => *id,
    }
}

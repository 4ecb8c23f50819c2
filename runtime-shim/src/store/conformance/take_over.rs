//! What a process that died held is taken from it: at its lease's end, or sooner when nobody hears of it any more.

use super::{ME, NOW, on_each};
use crate::store::{EndedDelivery, TakeOver};

fn over(now_ms: i64, instance: i64) -> TakeOver {
    TakeOver {
        now_ms,
        instance,
        silent_ms: 30_000,
        running: Vec::new(),
        attempts: vec![("keep_rates".to_owned(), 2)],
    }
}

fn ended(id: i64, failed: bool) -> EndedDelivery {
    EndedDelivery { id, subscriber: "keep_rates".to_owned(), failed, error: "its process ended".to_owned() }
}

#[test]
fn a_silent_instance_loses_its_claims_and_a_heard_one_keeps_them() {
    on_each(async |subject| {
        let store = &subject.store;
        let held = subject.held(4).await;
        assert_eq!(store.take_over(over(NOW + 29_999, 8)).await.unwrap(), []);
        assert_eq!(store.take_over(over(NOW + 59_999, ME)).await.unwrap(), [], "its own are not silent");
        store.hear(ME, NOW + 10_000).await.unwrap();
        assert_eq!(store.take_over(over(NOW + 39_999, 8)).await.unwrap(), []);
        assert_eq!(store.take_over(over(NOW + 40_000, 8)).await.unwrap(), [ended(held.id, false)]);
        assert_eq!(subject.counts().await, [1, 0, 0, 0, 0]);
        store.leave(ME).await.unwrap();
    });
}

#[test]
fn a_lease_that_is_over_is_lost_unless_it_still_runs_here() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let running = TakeOver { running: vec![held.id], ..over(NOW + 60_000, ME) };
        assert_eq!(subject.store.take_over(running).await.unwrap(), []);
        let taken = subject.store.take_over(over(NOW + 60_000, ME)).await.unwrap();
        assert_eq!(taken, [ended(held.id, false)]);
    });
}

#[test]
fn one_that_kills_its_process_each_time_gives_up() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        subject.store.take_over(over(NOW + 60_000, 8)).await.unwrap();
        subject.claim(NOW + 60_000, 5, &[("keep_rates", 1)]).await;
        let taken = subject.store.take_over(over(NOW + 120_000, 8)).await.unwrap();
        assert_eq!(taken, [ended(held.id, true)]);
        assert_eq!(subject.counts().await, [0, 0, 0, 1, 0]);
    });
}

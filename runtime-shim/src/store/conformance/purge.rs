//! What was kept long enough goes, in bounded steps; what is unfinished or failed stays.

use super::{ME, NOW, on_each};
use crate::store::{Boundary, ClaimPoll, ClaimSchedule, Fence, NewRun, PurgeStep, Purged};

const DAY: i64 = 86_400_000;

fn step(now_ms: i64, after_event: i64, at_most: u32) -> PurgeStep {
    PurgeStep {
        now_ms,
        keep_ms: 30 * DAY,
        keep_of: vec![("feed".to_owned(), 2 * DAY)],
        polls: vec!["poll feed.quotes".to_owned()],
        schedules: Vec::new(),
        after_event,
        at_most,
    }
}

#[test]
fn an_event_goes_after_its_last_delivery_was_kept_long_enough() {
    on_each(async |subject| {
        let store = &subject.store;
        for _ in 0..3 {
            subject.keep(NOW, &["a", "b"]).await;
        }
        let claimed = subject.claim(NOW, 1, &[("a", 3), ("b", 1)]).await;
        for one in &claimed {
            subject.commit(Boundary::empty(Fence::Delivery(one.held()), NOW + 1)).await;
        }
        assert_eq!(store.purge(step(NOW + 2 * DAY, 0, 100)).await.unwrap().events, 0, "a moment too early");
        let purged = store.purge(step(NOW + 1 + 2 * DAY, 0, 100)).await.unwrap();
        assert_eq!((purged.events, purged.next), (1, None), "two others wait for b");
        assert_eq!(subject.counts().await, [2, 0, 2, 0, 0]);
    });
}

#[test]
fn a_purge_goes_in_steps_and_stops_at_what_is_too_new() {
    on_each(async |subject| {
        let store = &subject.store;
        for _ in 0..5 {
            subject.keep(NOW, &[]).await;
        }
        subject.keep(NOW + 3 * DAY, &[]).await;
        let (mut after, mut gone, mut steps) = (Some(0), 0, 0);
        while let Some(at) = after {
            let purged = store.purge(step(NOW + 3 * DAY, at, 2)).await.unwrap();
            (after, gone, steps) = (purged.next, gone + purged.events, steps + 1);
        }
        assert_eq!((gone, steps), (5, 3));
    });
}

#[test]
fn rows_that_left_the_plan_go_too() {
    on_each(async |subject| {
        let store = &subject.store;
        for name in ["poll feed.quotes", "poll feed.gone"] {
            let claim = ClaimPoll { name: name.to_owned(), tick_ms: NOW, every_ms: 1, keep_ms: DAY };
            store.claim_poll(claim).await.unwrap();
        }
        let schedule = ClaimSchedule {
            name: "gone".to_owned(),
            tick_ms: NOW,
            now_ms: NOW,
            next_due_ms: NOW,
            spec: "every 1".to_owned(),
            token: 1,
            instance: ME,
            until_ms: NOW + 1,
            silent_ms: 30_000,
        };
        store.claim_schedule(schedule).await.unwrap();
        let new = NewRun { batch: "recount".to_owned(), input: None, trace: None, created_at_ms: NOW };
        let id = store.start_run(new).await.unwrap();
        store.discard_run(id, NOW).await.unwrap();
        let fence = Fence::Received { store: "other".to_owned(), delivery: 1 };
        subject.commit(Boundary::empty(fence, NOW)).await;
        store.hear(ME, NOW).await.unwrap();
        assert_eq!(store.purge(step(NOW + 29 * DAY, 0, 100)).await.unwrap(), Purged::default());
        let purged = store.purge(step(NOW + 31 * DAY, 0, 100)).await.unwrap();
        let expected = Purged { polls: 1, schedules: 1, runs: 1, received: 1, ..Purged::default() };
        assert_eq!(purged, expected);
        assert_eq!(store.poll_rows().await.unwrap()[0].name, "poll feed.quotes");
    });
}

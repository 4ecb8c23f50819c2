//! Polls: one claim for each due time, an event for each change, and nothing of a rival's.

use futures_util::future::join_all;

use super::{NOW, event, on_each};
use crate::store::{ClaimPoll, KeepPoll, PollFailure, PollRow};

const EVERY: i64 = 300_000;

fn claim(tick_ms: i64) -> ClaimPoll {
    every(tick_ms, EVERY)
}

fn every(tick_ms: i64, every_ms: i64) -> ClaimPoll {
    ClaimPoll { name: "poll feed.quotes".to_owned(), tick_ms, every_ms, keep_ms: 86_400_000 }
}

fn keep(claim_no: i64, was: Option<&str>, digest: &str) -> KeepPoll {
    KeepPoll {
        name: "poll feed.quotes".to_owned(),
        claim_no,
        digest_was: was.map(str::to_owned),
        digest: digest.to_owned(),
        changed_at_ms: NOW,
        event: event(NOW, &["keep_rates", "tell"]),
    }
}

#[test]
fn a_poll_is_claimed_once_for_each_due_time() {
    on_each(async |subject| {
        let store = &subject.store;
        assert_eq!(store.poll_rows().await.unwrap(), []);
        let first = store.claim_poll(claim(NOW)).await.unwrap().unwrap();
        assert_eq!((first.claim_no, first.digest), (1, None));
        assert_eq!(store.claim_poll(claim(NOW)).await.unwrap(), None, "the same tick");
        assert_eq!(store.claim_poll(claim(NOW - 60_000)).await.unwrap(), None, "a clock that is behind");
        assert_eq!(store.claim_poll(claim(NOW + EVERY - 1)).await.unwrap(), None);
        let late = NOW + 3 * EVERY;
        assert_eq!(store.claim_poll(claim(late)).await.unwrap().unwrap().claim_no, 2);
        let row =
            PollRow { name: "poll feed.quotes".to_owned(), next_due_ms: late + EVERY, every_ms: Some(EVERY) };
        assert_eq!(store.poll_rows().await.unwrap(), [row], "missed intervals are one call");
    });
}

#[test]
fn of_many_who_claim_a_poll_at_once_one_has_it() {
    on_each(async |subject| {
        for due in 0..10 {
            let claims = (0..16).map(|_| subject.store.claim_poll(claim(NOW + due * EVERY)));
            let claimed = join_all(claims).await.into_iter().filter_map(Result::unwrap);
            let numbers: Vec<i64> = claimed.map(|claimed| claimed.claim_no).collect();
            assert_eq!(numbers, [due + 1], "at one due time");
        }
    });
}

#[test]
fn a_shortened_interval_holds_at_once_and_a_lengthened_one_later() {
    on_each(async |subject| {
        let store = &subject.store;
        store.claim_poll(every(NOW, 7_200_000)).await.unwrap().unwrap();
        assert!(store.claim_poll(every(NOW + 60_000, 60_000)).await.unwrap().is_some());
        assert_eq!(store.claim_poll(every(NOW + 60_000, 60_000)).await.unwrap(), None);
        assert_eq!(store.claim_poll(every(NOW + 60_001, 7_200_000)).await.unwrap(), None);
        assert!(store.claim_poll(every(NOW + 120_000, 7_200_000)).await.unwrap().is_some());
    });
}

#[test]
fn a_change_is_kept_once_and_only_by_the_claim_that_saw_it() {
    on_each(async |subject| {
        let store = &subject.store;
        let first = store.claim_poll(claim(NOW)).await.unwrap().unwrap();
        assert!(!store.keep_poll(keep(first.claim_no + 1, None, "aa")).await.unwrap());
        assert!(!store.keep_poll(keep(first.claim_no, Some("zz"), "aa")).await.unwrap());
        assert_eq!(subject.counts().await, [0; 5], "a rival leaves nothing");
        assert!(store.keep_poll(keep(first.claim_no, None, "aa")).await.unwrap());
        assert!(!store.keep_poll(keep(first.claim_no, None, "aa")).await.unwrap(), "once");
        assert_eq!(subject.counts().await, [2, 0, 0, 0, 0]);
        let next = store.claim_poll(claim(NOW + EVERY)).await.unwrap().unwrap();
        assert_eq!(next.digest.as_deref(), Some("aa"));
        let long_after = store.claim_poll(claim(NOW + 2 * EVERY + 86_400_001)).await.unwrap().unwrap();
        assert_eq!(long_after.digest, None, "after longer than keep, a first answer counts as one");
    });
}

#[test]
fn a_failure_is_written_and_cleared_under_its_claim() {
    on_each(async |subject| {
        let store = &subject.store;
        let name = "poll feed.quotes".to_owned();
        let first = store.claim_poll(claim(NOW)).await.unwrap().unwrap().claim_no;
        let failure = |claim_no| PollFailure {
            name: "poll feed.quotes".to_owned(),
            claim_no,
            due_ms: NOW + 60_000,
            error: r#"{"kind":"timeout"}"#.to_owned(),
            failed_at_ms: NOW + 1,
        };
        assert!(!store.fail_poll(failure(first + 1)).await.unwrap());
        assert!(store.fail_poll(failure(first)).await.unwrap());
        let state = store.poll_states().await.unwrap().remove(0);
        assert_eq!(
            (state.next_due_ms, state.failed_at_ms, state.changed_at_ms),
            (NOW + 60_000, Some(NOW + 1), None)
        );
        let second = store.claim_poll(claim(NOW + 60_000)).await.unwrap().unwrap();
        assert_eq!(second.last_error.as_deref(), Some(r#"{"kind":"timeout"}"#));
        assert!(!store.clear_poll_error(name.clone(), first).await.unwrap());
        assert!(store.clear_poll_error(name.clone(), second.claim_no).await.unwrap());
        assert!(store.give_back_poll(name.clone(), second.claim_no, NOW + 70_000).await.unwrap());
        let state = store.poll_states().await.unwrap().remove(0);
        assert_eq!((state.next_due_ms, state.last_error, state.failed_at_ms), (NOW + 70_000, None, None));
        assert!(store.poll_now(name, NOW).await.unwrap());
        assert!(!store.poll_now("poll feed.other".to_owned(), NOW).await.unwrap());
        assert_eq!(store.poll_rows().await.unwrap()[0].next_due_ms, NOW);
    });
}

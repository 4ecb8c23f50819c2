//! Taking due deliveries: whose turn it is, what they bring, and how a claim ends without a commit.

use super::{ME, NOW, delivery_id, event, on_each};
use crate::store::{
    Boundary, BoundaryEnd, ClaimDeliveries, ClaimedDelivery, Fence, GiveBack, GivenBack, Held, Wanted,
};

#[test]
fn a_claim_brings_the_event_and_counts_the_attempt() {
    on_each(async |subject| {
        let ids = subject.keep(NOW, &["keep_rates"]).await;
        assert_eq!(subject.claim(NOW - 1, 1, &[("keep_rates", 9)]).await, [], "not due yet");
        let claimed = subject.claim(NOW, 2, &[("keep_rates", 9)]).await;
        let [one] = &claimed[..] else { panic!("{claimed:?}") };
        assert_eq!((one.id, one.token, one.attempts, one.due_ms), (ids[0], 2, 1, NOW));
        assert_eq!((&*one.event, one.source.as_deref()), ("rates.Changed", Some("feed")));
        assert_eq!((one.occurred_at_ms, one.created_at_ms), (NOW - 5, NOW));
        assert_eq!((&*one.payload, one.give_up_ms), (r#"{"btc":"60"}"#, NOW + 3_600_000));
        assert!(one.trace.is_some());
        assert_eq!(subject.claim(NOW, 3, &[("keep_rates", 9)]).await, [], "nobody gets it twice");
        assert_eq!(subject.counts().await, [0, 1, 0, 0, 0]);
    });
}

#[test]
fn subscribers_take_turns_and_those_that_run_fewest_come_first() {
    on_each(async |subject| {
        for minute in 0..6 {
            subject.keep(NOW - 60_000 * (7 - minute), &["old"]).await;
        }
        subject.keep(NOW, &["young"]).await;
        let wanted = |subscriber: &str, at_most, running| Wanted {
            subscriber: subscriber.to_owned(),
            at_most,
            running,
        };
        let claim = |token, at_most, wanted| ClaimDeliveries {
            now_ms: NOW,
            token,
            instance: ME,
            until_ms: NOW + 1,
            wanted,
            at_most,
            hear: false,
            done: Vec::new(),
        };
        let both = vec![wanted("old", 2, 0), wanted("young", 2, 0)];
        let claimed = subject.store.claim_deliveries(claim(1, 2, both)).await.unwrap().deliveries;
        let names: Vec<&str> = claimed.iter().map(|one| &*one.subscriber).collect();
        assert_eq!(names, ["old", "young"], "the longest due first");
        subject.keep(NOW, &["young"]).await;
        let busy = vec![wanted("old", 2, 5), wanted("young", 2, 0)];
        let claimed = subject.store.claim_deliveries(claim(2, 1, busy)).await.unwrap().deliveries;
        assert_eq!(claimed[0].subscriber, "young");
        let most = vec![wanted("old", 3, 0)];
        assert_eq!(subject.store.claim_deliveries(claim(3, 100, most)).await.unwrap().deliveries.len(), 3);
    });
}

#[test]
fn a_claim_ends_as_it_was_told_and_only_while_it_stands() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let stale = crate::store::Held { token: 5, ..held };
        assert!(!subject.store.retry_delivery(stale, NOW, "x".to_owned()).await.unwrap());
        assert!(subject.store.retry_delivery(held, NOW + 10, "it failed".to_owned()).await.unwrap());
        assert!(!subject.store.fail_delivery(held, NOW, "x".to_owned()).await.unwrap());
        assert_eq!(subject.claim(NOW + 9, 6, &[("keep_rates", 1)]).await, []);
        let again = subject.claim(NOW + 10, 6, &[("keep_rates", 1)]).await;
        assert_eq!(again[0].attempts, 2);
        let back = GiveBack { held: again[0].held(), due_ms: NOW + 20 };
        let both = vec![back, GiveBack { held: stale, due_ms: NOW }];
        assert_eq!(subject.store.give_back(both).await.unwrap(), 1);
        let again = subject.claim(NOW + 20, 7, &[("keep_rates", 1)]).await;
        assert_eq!(again[0].attempts, 2, "a give-back counts no attempt");
        assert!(subject.store.fail_delivery(again[0].held(), NOW + 21, "for good".to_owned()).await.unwrap());
        let failed = subject.store.failed_deliveries(9).await.unwrap();
        let [one] = &failed[..] else { panic!("{failed:?}") };
        assert_eq!((one.attempts, &*one.error, one.finished_at_ms), (2, "for good", NOW + 21));
        assert_eq!((&*one.event, &*one.subscriber), ("rates.Changed", "keep_rates"));
        assert_eq!(subject.counts().await, [0, 0, 0, 1, 0]);
    });
}

#[test]
fn what_a_commit_sets_off_may_be_claimed_in_it() {
    on_each(async |subject| {
        let claim = crate::store::ClaimOwn {
            token: 11,
            instance: ME,
            until_ms: NOW + 9,
            subscribers: vec!["mine".to_owned()],
            batches: vec!["recount".to_owned()],
        };
        let run = |batch: &str| crate::store::NewRun {
            batch: batch.to_owned(),
            input: Some("{}".to_owned()),
            trace: None,
            created_at_ms: NOW,
        };
        let boundary = Boundary {
            events: vec![event(NOW, &["mine", "theirs"])],
            runs: vec![run("recount"), run("other")],
            claim: Some(claim),
            ..Boundary::empty(Fence::Free, NOW)
        };
        let BoundaryEnd::Done(set_off) = subject.commit(boundary).await else { panic!("it is free") };
        let claimed: Vec<bool> = set_off
            .iter()
            .map(|one| match one {
                crate::store::SetOff::Delivery { claimed, .. } => claimed.is_some(),
                crate::store::SetOff::Run { claimed, .. } => claimed.is_some(),
            })
            .collect();
        assert_eq!(claimed, [true, false, true, false]);
        let crate::store::SetOff::Delivery { claimed: Some(mine), .. } = &set_off[0] else { panic!() };
        assert_eq!((mine.id, mine.token, mine.attempts), (delivery_id(&set_off[0]), 11, 1));
        assert_eq!(mine.payload, r#"{"btc":"60"}"#);
        let end = subject.commit(Boundary::empty(Fence::Delivery(mine.held()), NOW)).await;
        assert_eq!(end, BoundaryEnd::Done(Vec::new()), "the claim stands");
        assert_eq!(subject.counts().await, [1, 0, 1, 0, 0]);
        let runs = subject.store.run_counts().await.unwrap();
        assert_eq!((runs.pending, runs.claimed), (1, 1));
    });
}

#[test]
fn what_a_claim_without_an_answer_took_goes_back_as_it_was() {
    on_each(async |subject| {
        let store = &subject.store;
        let (mine, theirs) = (subject.held(4).await, subject.held(5).await);
        let run = |token| crate::store::ClaimRun {
            now_ms: NOW,
            token,
            instance: ME,
            until_ms: NOW + 60_000,
            silent_ms: 30_000,
            batches: vec!["recount".to_owned()],
            running: Vec::new(),
        };
        let new = crate::store::NewRun {
            batch: "recount".to_owned(),
            input: None,
            trace: None,
            created_at_ms: NOW,
        };
        store.start_run(new).await.unwrap();
        store.claim_run(run(4)).await.unwrap().unwrap();
        let given = store.give_back_unstarted(vec![4, 9], NOW + 7).await.unwrap();
        assert_eq!(given, GivenBack { deliveries: 1, schedules: 0, runs: 1 });
        assert_eq!(store.give_back_unstarted(vec![4, 9], NOW + 7).await.unwrap(), GivenBack::default());
        assert_eq!(subject.counts().await, [1, 1, 0, 0, 0]);
        let again = subject.claim(NOW, 6, &[("keep_rates", 9)]).await;
        assert_eq!((again[0].id, again[0].attempts, again[0].due_ms), (mine.id, 1, NOW));
        assert_eq!(store.claim_run(run(6)).await.unwrap().unwrap().attempts, 1);
        let late = subject.commit(Boundary::empty(Fence::Delivery(mine), NOW)).await;
        assert_eq!(late, BoundaryEnd::Fenced, "whoever had it started after all keeps nothing");
        let held = subject.commit(Boundary::empty(Fence::Delivery(theirs), NOW)).await;
        assert_eq!(held, BoundaryEnd::Done(Vec::new()), "another token's stands");
    });
}

#[test]
fn a_claim_settles_what_is_done_before_it_takes_more() {
    on_each(async |subject| {
        let done = subject.held(4).await;
        let stale = Held { token: 5, ..subject.held(4).await };
        subject.keep(NOW, &["keep_rates"]).await;
        let claim = ClaimDeliveries {
            now_ms: NOW + 1,
            token: 6,
            instance: ME,
            until_ms: NOW + 2,
            wanted: vec![Wanted { subscriber: "keep_rates".to_owned(), at_most: 9, running: 0 }],
            at_most: 9,
            hear: true,
            done: vec![done, stale],
        };
        let claimed = subject.store.claim_deliveries(claim).await.unwrap();
        assert_eq!(claimed.fenced, [stale]);
        assert_eq!(claimed.deliveries.len(), 1);
        assert_eq!(subject.counts().await, [0, 2, 1, 0, 0]);
    });
}

#[test]
fn of_what_one_claim_took_each_is_done_that_still_stands() {
    on_each(async |subject| {
        for _ in 0..3 {
            subject.keep(NOW, &["keep_rates"]).await;
        }
        let held: Vec<Held> =
            subject.claim(NOW, 4, &[("keep_rates", 3)]).await.iter().map(ClaimedDelivery::held).collect();
        assert!(subject.store.retry_delivery(held[1], NOW + 9, "it failed".to_owned()).await.unwrap());
        let settle = |done: &[Held]| ClaimDeliveries {
            now_ms: NOW + 1,
            token: 5,
            instance: ME,
            until_ms: NOW + 2,
            wanted: Vec::new(),
            at_most: 0,
            hear: false,
            done: done.to_vec(),
        };
        let settled = subject.store.claim_deliveries(settle(&held)).await.unwrap();
        assert_eq!((settled.fenced, settled.deliveries), (vec![held[1]], Vec::new()));
        assert_eq!(subject.counts().await, [1, 0, 2, 0, 0]);
        let again = subject.store.claim_deliveries(settle(&[held[0], held[2]])).await.unwrap();
        assert_eq!(again.fenced, [held[0], held[2]], "what is done is no claim any more");
    });
}

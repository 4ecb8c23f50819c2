//! What an operator asks for: deliveries and runs made again or discarded.

use super::{ME, NOW, on_each};
use crate::store::{ClaimRun, NewRun, ReplayDelivery, SetOff};

#[test]
fn a_failed_delivery_is_made_again_from_its_first_attempt() {
    on_each(async |subject| {
        let store = &subject.store;
        let held = subject.held(4).await;
        let replay = |within_ms| ReplayDelivery { id: held.id, now_ms: NOW + 9, within_ms };
        let known = || vec![("keep_rates".to_owned(), 60_000)];
        assert_eq!(store.replay_delivery(replay(known())).await.unwrap(), None, "it runs");
        store.fail_delivery(held, NOW + 1, "for good".to_owned()).await.unwrap();
        assert_eq!(store.replay_delivery(replay(Vec::new())).await.unwrap(), None, "nobody hears it");
        let set_off = SetOff::Delivery {
            id: held.id,
            subscriber: "keep_rates".to_owned(),
            due_ms: NOW + 9,
            give_up_ms: NOW + 9 + 60_000,
            claimed: None,
        };
        assert_eq!(store.replay_delivery(replay(known())).await.unwrap(), Some(set_off));
        let again = subject.claim(NOW + 9, 5, &[("keep_rates", 1)]).await;
        assert_eq!((again[0].attempts, again[0].give_up_ms), (1, NOW + 9 + 60_000));
    });
}

#[test]
fn what_waits_or_failed_can_be_discarded_and_what_runs_cannot() {
    on_each(async |subject| {
        let store = &subject.store;
        let held = subject.held(4).await;
        assert!(!store.discard_delivery(held.id, NOW).await.unwrap());
        store.retry_delivery(held, NOW, "x".to_owned()).await.unwrap();
        assert!(store.discard_delivery(held.id, NOW).await.unwrap());
        assert!(!store.discard_delivery(held.id, NOW).await.unwrap());
        assert!(!store.discard_delivery(held.id + 100, NOW).await.unwrap());
        assert_eq!(subject.counts().await, [0, 0, 0, 0, 1]);
    });
}

#[test]
fn a_failed_run_goes_on_where_it_was() {
    on_each(async |subject| {
        let store = &subject.store;
        let new = NewRun { batch: "recount".to_owned(), input: None, trace: None, created_at_ms: NOW };
        let id = store.start_run(new).await.unwrap();
        assert_eq!(store.replay_run(id, NOW).await.unwrap(), None, "it waits");
        assert!(store.discard_run(id, NOW).await.unwrap());
        let set_off = SetOff::Run { id, batch: "recount".to_owned(), claimed: None };
        assert_eq!(store.replay_run(id, NOW + 5).await.unwrap(), Some(set_off));
        let claim = ClaimRun {
            now_ms: NOW + 5,
            token: 1,
            instance: ME,
            until_ms: NOW + 60_000,
            silent_ms: 30_000,
            batches: vec!["recount".to_owned()],
            running: Vec::new(),
        };
        assert_eq!(store.claim_run(claim).await.unwrap().unwrap().attempts, 1);
        assert!(!store.discard_run(id, NOW).await.unwrap());
    });
}

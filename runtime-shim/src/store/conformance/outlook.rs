//! When there is next something to do.

use super::{ME, NOW, on_each};
use crate::store::{NewRun, Outlook, OutlookAsked};

fn asked(now_ms: i64, instance: i64) -> OutlookAsked {
    OutlookAsked {
        now_ms,
        subscribers: vec!["a".to_owned(), "b".to_owned(), "none".to_owned()],
        instance,
        silent_ms: 30_000,
        running: Vec::new(),
        batches: vec!["recount".to_owned()],
        running_runs: Vec::new(),
    }
}

#[test]
fn it_tells_the_earliest_of_everything() {
    on_each(async |subject| {
        let store = &subject.store;
        assert_eq!(store.outlook(asked(NOW, ME)).await.unwrap(), Outlook::default());
        subject.keep(NOW + 5, &["a", "b"]).await;
        subject.keep(NOW + 2, &["a", "unasked"]).await;
        let run = NewRun { batch: "recount".to_owned(), input: None, trace: None, created_at_ms: NOW + 7 };
        store.start_run(run).await.unwrap();
        let outlook = store.outlook(asked(NOW, ME)).await.unwrap();
        let due: Vec<(&str, i64)> = outlook.due_ms.iter().map(|(name, due_ms)| (&**name, *due_ms)).collect();
        assert_eq!(due, [("a", NOW + 2), ("b", NOW + 5)]);
        assert_eq!(outlook.give_up_ms, Some(NOW + 2 + 3_600_000));
        assert_eq!((outlook.lost_ms, outlook.run_due_ms), (None, Some(NOW + 7)));
    });
}

#[test]
fn a_claim_counts_as_lost_at_its_leases_end_or_when_its_instance_is_silent() {
    on_each(async |subject| {
        subject.keep(NOW, &["a"]).await;
        let id = subject.claim(NOW, 3, &[("a", 1)]).await[0].id;
        let lost_ms = async |asked| subject.store.outlook(asked).await.unwrap().lost_ms;
        assert_eq!(lost_ms(asked(NOW, ME)).await, Some(NOW + 60_000));
        assert_eq!(lost_ms(asked(NOW, 8)).await, Some(NOW + 30_000));
        let running = OutlookAsked { running: vec![id], ..asked(NOW, ME) };
        assert_eq!(lost_ms(running).await, None);
    });
}

#[test]
fn lag_is_the_age_of_the_oldest_that_is_ready() {
    on_each(async |subject| {
        let store = &subject.store;
        assert_eq!(store.lag(NOW).await.unwrap().deliveries_ms, None);
        subject.keep(NOW, &["a"]).await;
        subject.keep(NOW - 400, &["b"]).await;
        let run = NewRun { batch: "recount".to_owned(), input: None, trace: None, created_at_ms: NOW - 50 };
        store.start_run(run).await.unwrap();
        let lag = store.lag(NOW + 100).await.unwrap();
        assert_eq!((lag.deliveries_ms, lag.runs_ms), (Some(500), Some(150)));
        assert_eq!(store.lag(NOW - 1_000).await.unwrap().deliveries_ms, None, "nothing is due yet");
    });
}

#[test]
fn a_backlog_has_what_is_not_over_by_event_connection_and_subscriber() {
    on_each(async |subject| {
        let store = &subject.store;
        assert_eq!(store.backlog(NOW).await.unwrap(), []);
        subject.keep(NOW - 300, &["a", "b"]).await;
        subject.keep(NOW - 400, &["a"]).await;
        let mut backlog = store.backlog(NOW).await.unwrap();
        backlog.sort();
        let shown = backlog.iter().map(|one| (one.subscriber.as_str(), one.pending, one.claimed, one.lag_ms));
        assert_eq!(shown.collect::<Vec<_>>(), [("a", 2, 0, Some(400)), ("b", 1, 0, Some(300))]);
        assert_eq!(
            store.backlog(NOW - 350).await.unwrap().iter().filter_map(|one| one.lag_ms).max(),
            Some(50)
        );
    });
}

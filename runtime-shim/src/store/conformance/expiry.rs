//! Deliveries whose time is over, and those that nobody hears any more.

use super::{NOW, on_each};

#[test]
fn what_is_over_fails_and_says_why() {
    on_each(async |subject| {
        let store = &subject.store;
        let ids = subject.keep(NOW, &["known", "gone", "tried"]).await;
        let held = subject.claim(NOW, 3, &[("tried", 1)]).await[0].held();
        store.retry_delivery(held, NOW + 1, "it failed".to_owned()).await.unwrap();
        let subscribers = || vec!["known".to_owned(), "tried".to_owned()];
        let over = NOW + 3_600_000;
        assert_eq!(store.expire(over - 1, subscribers(), 9).await.unwrap(), []);
        let first = store.expire(over, subscribers(), 1).await.unwrap();
        let mut ended = store.expire(over, subscribers(), 9).await.unwrap();
        assert_eq!((first.len(), ended.len()), (1, 2), "in bounded steps");
        ended.extend(first);
        ended.sort_by_key(|one| one.id);
        let said: Vec<(i64, &str, bool)> =
            ended.iter().map(|one| (one.id, &*one.error, one.failed)).collect();
        let expected = [
            (ids[0], "its time was over before it could be delivered", true),
            (ids[1], "subscriber_gone", true),
            (ids[2], "it failed", true),
        ];
        assert_eq!(said, expected);
        assert_eq!(subject.counts().await, [0, 0, 0, 3, 0]);
    });
}

#[test]
fn what_is_over_is_not_claimed() {
    on_each(async |subject| {
        subject.keep(NOW, &["known"]).await;
        assert_eq!(subject.claim(NOW + 3_600_000, 3, &[("known", 1)]).await, []);
    });
}

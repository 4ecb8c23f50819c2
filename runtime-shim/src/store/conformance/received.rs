//! A delivery that another store keeps is received once.

use super::{NOW, event, on_each};
use crate::store::{Boundary, BoundaryEnd, Fence};

#[test]
fn a_second_run_finds_it_and_keeps_nothing() {
    on_each(async |subject| {
        let fence = |delivery| Fence::Received { store: "other".to_owned(), delivery };
        let boundary = |delivery| Boundary {
            events: vec![event(NOW, &["next"])],
            ..Boundary::empty(fence(delivery), NOW)
        };
        assert!(matches!(subject.commit(boundary(1)).await, BoundaryEnd::Done(_)));
        assert_eq!(subject.commit(boundary(1)).await, BoundaryEnd::Received);
        assert_eq!(subject.commit(Boundary::empty(fence(1), NOW)).await, BoundaryEnd::Received);
        assert!(matches!(subject.commit(boundary(2)).await, BoundaryEnd::Done(_)));
        assert_eq!(subject.counts().await, [2, 0, 0, 0, 0]);
    });
}

#[test]
fn the_store_that_keeps_it_marks_it_as_done() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let stale = crate::store::Held { token: 3, ..held };
        assert!(!subject.store.finish_delivery(stale, NOW).await.unwrap());
        assert!(subject.store.finish_delivery(held, NOW).await.unwrap());
        assert!(!subject.store.finish_delivery(held, NOW).await.unwrap());
        assert_eq!(subject.counts().await, [0, 0, 1, 0, 0]);
    });
}

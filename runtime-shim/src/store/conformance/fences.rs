//! A boundary commits only while what it stands on stands.

use super::{NOW, event, on_each};
use crate::store::{Boundary, BoundaryEnd, Fence, Held};

#[test]
fn a_delivery_is_done_once_and_under_its_claim() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let commit = |held| Boundary::empty(Fence::Delivery(held), NOW + 1);
        assert_eq!(subject.commit(commit(Held { token: 5, ..held })).await, BoundaryEnd::Fenced);
        assert_eq!(subject.commit(commit(held)).await, BoundaryEnd::Done(Vec::new()));
        assert_eq!(subject.commit(commit(held)).await, BoundaryEnd::Fenced);
        assert_eq!(subject.counts().await, [0, 0, 1, 0, 0]);
    });
}

#[test]
fn what_a_fenced_boundary_emits_is_not_kept() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let boundary = |held| Boundary {
            events: vec![event(NOW, &["next"])],
            ..Boundary::empty(Fence::Delivery(held), NOW + 1)
        };
        assert_eq!(subject.commit(boundary(Held { token: 5, ..held })).await, BoundaryEnd::Fenced);
        assert_eq!(subject.counts().await, [0, 1, 0, 0, 0]);
        let BoundaryEnd::Done(set_off) = subject.commit(boundary(held)).await else { panic!("it stands") };
        assert_eq!(set_off.len(), 1);
        assert_eq!(subject.counts().await, [1, 0, 1, 0, 0]);
    });
}

#[test]
fn a_claim_that_was_taken_over_commits_nothing() {
    on_each(async |subject| {
        let held = subject.held(4).await;
        let over = crate::store::TakeOver {
            now_ms: NOW + 60_000,
            instance: 8,
            silent_ms: 30_000,
            running: Vec::new(),
            attempts: Vec::new(),
        };
        assert_eq!(subject.store.take_over(over).await.unwrap().len(), 1);
        let again = subject.claim(NOW + 60_000, 9, &[("keep_rates", 1)]).await[0].held();
        assert_eq!(again.id, held.id);
        let end = subject.commit(Boundary::empty(Fence::Delivery(held), NOW + 60_001)).await;
        assert_eq!(end, BoundaryEnd::Fenced, "it was only slow");
        let end = subject.commit(Boundary::empty(Fence::Delivery(again), NOW + 60_001)).await;
        assert_eq!(end, BoundaryEnd::Done(Vec::new()));
    });
}

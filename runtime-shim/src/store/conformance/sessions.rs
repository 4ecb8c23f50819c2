//! A transaction that a body has open reads what it wrote, and keeps it with the boundary or not at all.

use super::{NOW, event, on_databases, on_each};
use crate::SqlValue;
use crate::store::{Boundary, BoundaryEnd, Fence, Held};

const INSERT: &str = "INSERT INTO notes (n, text) VALUES (?1, 'a')";

fn n(n: i64) -> Vec<SqlValue> {
    vec![SqlValue::Integer(n)]
}

#[test]
fn it_reads_its_own_writes_and_commits_them_with_the_rest() {
    on_databases(async |subject| {
        let held = subject.held(4).await;
        let mut transaction = subject.store.begin(Fence::Delivery(held)).await.unwrap().unwrap();
        assert_eq!(transaction.execute(subject.write(INSERT, n(1), Some(1))).await.unwrap(), Ok(1));
        let count = || "SELECT count(*) FROM notes".to_owned();
        let rows = transaction.query(count(), Vec::new()).await.unwrap().unwrap();
        assert_eq!(rows[0].get::<i64>(0).unwrap(), 1);
        assert_eq!(subject.notes().await, 0, "nobody else sees it");
        let rest = Boundary {
            writes: vec![subject.write(INSERT, n(2), Some(1))],
            events: vec![event(NOW, &["next"])],
            ..Boundary::empty(Fence::Delivery(held), NOW)
        };
        let BoundaryEnd::Done(set_off) = transaction.commit(rest).await.unwrap() else { panic!("it stands") };
        assert_eq!(set_off.len(), 1);
        assert_eq!(subject.notes().await, 2);
        assert_eq!(subject.counts().await, [1, 0, 1, 0, 0]);
    });
}

#[test]
fn dropped_or_broken_it_keeps_nothing() {
    on_databases(async |subject| {
        let mut dropped = subject.store.begin(Fence::Free).await.unwrap().unwrap();
        dropped.execute(subject.write(INSERT, n(1), None)).await.unwrap().unwrap();
        drop(dropped);
        let mut broken = subject.store.begin(Fence::Free).await.unwrap().unwrap();
        broken.execute(subject.write(INSERT, n(2), None)).await.unwrap().unwrap();
        let end = broken.execute(subject.write(INSERT, n(2), None)).await.unwrap();
        let Err(BoundaryEnd::Refused(text)) = &end else { panic!("{end:?}") };
        let later = broken.query("SELECT count(*) FROM notes".to_owned(), Vec::new()).await.unwrap();
        assert_eq!(later.unwrap_err(), *text, "what comes after it tells the first refusal");
        let later = broken.execute(subject.write(INSERT, n(5), None)).await.unwrap();
        assert_eq!(later, end);
        let end = broken.commit(Boundary::empty(Fence::Free, NOW)).await.unwrap();
        assert!(matches!(end, BoundaryEnd::Refused(_)), "{end:?}");
        let mut conflict = subject.store.begin(Fence::Free).await.unwrap().unwrap();
        let end = conflict.execute(subject.write(INSERT, n(3), Some(2))).await.unwrap();
        assert!(matches!(end, Err(BoundaryEnd::Conflict { wanted: 2, got: 1, .. })), "{end:?}");
        let end = conflict.commit(Boundary::empty(Fence::Free, NOW)).await.unwrap();
        assert!(matches!(end, BoundaryEnd::Conflict { .. }), "{end:?}");
        assert_eq!(subject.notes().await, 0);
    });
}

#[test]
fn it_opens_only_while_its_fence_stands() {
    on_databases(async |subject| {
        let held = subject.held(4).await;
        let stale = Fence::Delivery(Held { token: 5, ..held });
        assert_eq!(subject.store.begin(stale).await.unwrap().err(), Some(BoundaryEnd::Fenced));
        let received = || Fence::Received { store: "other".to_owned(), delivery: 1 };
        let transaction = subject.store.begin(received()).await.unwrap().unwrap();
        let end = transaction.commit(Boundary::empty(received(), NOW)).await.unwrap();
        assert_eq!(end, BoundaryEnd::Done(Vec::new()));
        assert_eq!(subject.store.begin(received()).await.unwrap().err(), Some(BoundaryEnd::Received));
    });
}

#[test]
fn what_has_no_sql_says_so() {
    on_each(async |subject| {
        if !subject.has_sql() {
            let error = subject.store.begin(Fence::Free).await.err().unwrap();
            assert!(error.to_string().contains("no SQL"), "{error}");
            let refused = subject.store.query("SELECT 1".to_owned(), Vec::new()).await.unwrap();
            assert!(refused.unwrap_err().contains("no SQL"));
        }
    });
}

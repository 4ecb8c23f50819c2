//! Commits that share a transaction do not share their fate.

use futures_util::future::join_all;

use crate::sql::SqlValue;
use crate::store::sqlite::OpenOptions;
use crate::store::{Boundary, BoundaryEnd, Fence, Held, Store, Write};

#[test]
fn each_commit_of_a_group_is_whole_or_nothing() {
    let executor = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let prepare = vec!["CREATE TABLE n (n INTEGER PRIMARY KEY) STRICT".to_owned()];
    let options = OpenOptions { prepare, ..OpenOptions::new("main", &path) };
    let store = options.open().unwrap();
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO jadpo_events (id, name, occurred_at_ms, payload, created_at_ms) VALUES (1, 'e', 0, '{}', 0);
             WITH RECURSIVE i (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 300)
             INSERT INTO jadpo_deliveries
                (id, event_id, subscriber, state, attempts, due_ms, give_up_ms, claim_token, instance, claimed_until_ms)
             SELECT i, 1, 's', 'claimed', 1, 0, 1, 7, 7, 1 FROM i;",
        )
        .unwrap();
    let commit = |id: i64| {
        let write =
            |sql: &str| Write { sql: sql.to_owned(), params: vec![SqlValue::Integer(id)], rows: Some(1) };
        let mut writes = vec![write("INSERT INTO n (n) VALUES (?1)")];
        match id % 3 {
            0 => writes.push(write("INSERT INTO n (n) VALUES (?1)")), // Breaks the key.
            1 => {}
            _ => writes.push(write("DELETE FROM n WHERE n = -?1")), // Touches no row.
        }
        let token = if id % 10 == 0 { 8 } else { 7 };
        store.commit(Boundary { writes, ..Boundary::empty(Fence::Delivery(Held { id, token }), 5) })
    };
    let ends = executor.block_on(join_all((1..=300).map(commit)));
    for (id, end) in (1_i64..).zip(ends) {
        let end = end.unwrap();
        match (id % 10, id % 3) {
            (0, _) => assert_eq!(end, BoundaryEnd::Fenced),
            (_, 0) => assert!(matches!(end, BoundaryEnd::Refused(_)), "{end:?}"),
            (_, 1) => assert_eq!(end, BoundaryEnd::Done(Vec::new())),
            _ => assert!(matches!(end, BoundaryEnd::Conflict { wanted: 1, got: 0, .. }), "{end:?}"),
        }
    }
    let kept =
        executor.block_on(store.query("SELECT count(*), sum(n % 3 = 1) FROM n".to_owned(), Vec::new()));
    let row = kept.unwrap().unwrap().remove(0);
    assert_eq!((row.get::<i64>(0).unwrap(), row.get::<i64>(1).unwrap()), (90, 90));
    assert_eq!(executor.block_on(store.delivery_counts()).unwrap().done, 90);
}

//! The app's writes in a boundary: all of them or none, and as many rows as they state.

use futures_util::future::join_all;

use super::{NOW, event, on_databases, on_each};
use crate::SqlValue;
use crate::store::{Boundary, BoundaryEnd, ClaimedDelivery, Fence, Held};

const INSERT: &str = "INSERT INTO notes (n, text) VALUES (?1, ?2)";

fn params(n: i64) -> Vec<SqlValue> {
    vec![SqlValue::Integer(n), SqlValue::Text("città 🪙".to_owned())]
}

#[test]
fn writes_are_kept_with_the_mark_or_not_at_all() {
    on_databases(async |subject| {
        let held = subject.held(4).await;
        let boundary = |held, writes| Boundary {
            writes,
            events: vec![event(NOW, &["next"])],
            ..Boundary::empty(Fence::Delivery(held), NOW)
        };
        let one = || vec![subject.write(INSERT, params(1), Some(1))];
        let stale = Held { token: 5, ..held };
        assert_eq!(subject.commit(boundary(stale, one())).await, BoundaryEnd::Fenced);
        let none = subject.write("DELETE FROM notes WHERE n = ?1", vec![SqlValue::Integer(9)], Some(1));
        let sql = none.sql.clone();
        let conflict =
            subject.commit(boundary(held, vec![subject.write(INSERT, params(1), None), none])).await;
        assert_eq!(conflict, BoundaryEnd::Conflict { sql, wanted: 1, got: 0 });
        let broken = vec![subject.write(INSERT, params(1), None), subject.write(INSERT, params(1), None)];
        assert!(matches!(subject.commit(boundary(held, broken)).await, BoundaryEnd::Refused(_)));
        assert_eq!(subject.notes().await, 0);
        assert!(matches!(subject.commit(boundary(held, one())).await, BoundaryEnd::Done(_)));
        assert_eq!(subject.notes().await, 1);
        assert_eq!(subject.counts().await, [1, 0, 1, 0, 0]);
    });
}

#[test]
fn what_would_end_the_boundary_is_refused() {
    on_each(async |subject| {
        for sql in ["COMMIT", "-- a\n ; RollBack", "/* b */ begin", "SAVEPOINT x", "END"] {
            let boundary = Boundary {
                writes: vec![subject.write(sql, Vec::new(), None)],
                ..Boundary::empty(Fence::Free, NOW)
            };
            let end = subject.commit(boundary).await;
            assert!(
                matches!(&end, BoundaryEnd::Refused(text) if text.contains("boundary")),
                "{sql}: {end:?}"
            );
        }
    });
}

#[test]
fn a_statement_that_is_wrong_is_the_apps_fault() {
    on_databases(async |subject| {
        for (sql, params) in [
            ("INSERT INTO nowhere VALUES (1)", Vec::new()),
            ("INSERT INTO notes", Vec::new()),
            (INSERT, vec![SqlValue::Integer(1)]),
        ] {
            let boundary = Boundary {
                writes: vec![subject.write(sql, params, None)],
                ..Boundary::empty(Fence::Free, NOW)
            };
            let end = subject.commit(boundary).await;
            // SQLite takes a parameter that was not given as NULL.
            assert!(matches!(end, BoundaryEnd::Refused(_)) || sql == INSERT, "{sql}: {end:?}");
        }
        subject.store.query(subject.sql("SELECT count(*) FROM notes"), Vec::new()).await.unwrap().unwrap();
    });
}

#[test]
fn commits_that_are_made_together_do_not_share_their_fate() {
    on_databases(async |subject| {
        subject.keep(NOW, &["keep_rates"; 100]).await;
        let claimed = subject.claim(NOW, 4, &[("keep_rates", 100)]).await;
        let held: Vec<Held> = claimed.iter().map(ClaimedDelivery::held).collect();
        let commit = |(at, held): (usize, &Held)| {
            let n = i64::try_from(at).unwrap();
            let mut writes = vec![subject.write(INSERT, params(n), Some(1))];
            match at % 4 {
                0 => writes.push(subject.write(INSERT, params(n), Some(1))), // Breaks the key.
                1 => writes.push(subject.write(
                    "DELETE FROM notes WHERE n = ?1",
                    params(-1)[..1].to_vec(),
                    Some(1),
                )),
                2 => writes.clear(),
                _ => {}
            }
            let token = if at % 10 == 0 { 5 } else { 4 };
            let fence = Fence::Delivery(Held { token, ..*held });
            subject.store.commit(Boundary { writes, ..Boundary::empty(fence, NOW) })
        };
        let ends = join_all(held.iter().enumerate().map(commit)).await;
        for (at, end) in ends.into_iter().enumerate() {
            let end = end.unwrap();
            let expected = match (at % 10, at % 4) {
                // Which of two reasons it says is the engine's choice: a group compares the fence with the first write.
                (0, 0) => matches!(end, BoundaryEnd::Fenced | BoundaryEnd::Refused(_)),
                (0, _) => end == BoundaryEnd::Fenced,
                (_, 0) => matches!(end, BoundaryEnd::Refused(_)),
                (_, 1) => matches!(end, BoundaryEnd::Conflict { wanted: 1, got: 0, .. }),
                _ => end == BoundaryEnd::Done(Vec::new()),
            };
            assert!(expected, "{at}: {end:?}");
        }
        let stands = |at: &usize| !at.is_multiple_of(10);
        let written = (0..held.len()).filter(stands).filter(|at| at % 4 == 3).count();
        let done = (0..held.len()).filter(stands).filter(|at| at % 4 >= 2).count();
        assert_eq!(subject.notes().await, i64::try_from(written).unwrap());
        assert_eq!(subject.counts().await[2], done as u64);
    });
}

impl super::Subject {
    /// How many rows the app's table has.
    pub(super) async fn notes(&self) -> i64 {
        let rows =
            self.store.query("SELECT count(*) FROM notes".to_owned(), Vec::new()).await.unwrap().unwrap();
        rows[0].get(0).unwrap()
    }
}

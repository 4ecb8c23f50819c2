//! A database in trouble: it is said what kind, nothing is half kept, and afterwards all goes on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use super::{
    BoundaryEnd, Fence, OpenOptions, PostgresStore, Store, block_on, committed, connect, database, note,
    open, options,
};
use crate::store::conformance::subject::new_database;
use crate::store::{Boundary, StoreErrorKind, Write};
use crate::trial::cluster::{Cluster, is_there};

/// How long trouble that passes may last.
const TROUBLE_MAX: Duration = Duration::from_mins(1);

/// How many notes there are.
async fn notes(store: &PostgresStore) -> i64 {
    let rows = store.query("SELECT count(*) FROM notes".to_owned(), Vec::new()).await.unwrap().unwrap();
    rows[0].get(0).unwrap()
}

#[test]
fn a_server_that_restarts_under_load_loses_nothing() {
    if !is_there() {
        return;
    }
    let cluster = Cluster::start();
    let store = open(&new_database(&cluster));
    let written = AtomicU64::new(0);
    let kinds = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let begun = Instant::now();
    let write = async |from: i64, goes_on: &dyn Fn() -> bool| {
        for n in (from..).take_while(|_| goes_on()) {
            loop {
                match store.commit(note(n)).await {
                    // Where it was not known whether a commit was kept, it was.
                    Ok(BoundaryEnd::Done(_) | BoundaryEnd::Refused(_)) => break,
                    Ok(end) => panic!("{end:?}"),
                    Err(error) => {
                        assert!(begun.elapsed() < TROUBLE_MAX, "{error}");
                        let text = format!("{:?}", error.kind);
                        kinds.lock().unwrap().insert(text.split('(').next().unwrap().to_owned());
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            }
            written.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let restart = scope.spawn(|| {
            while written.load(Ordering::Relaxed) < 200 {
                std::thread::yield_now();
            }
            cluster.stop();
            cluster.start_again();
        });
        // However fast they write, the outage comes while they do.
        let goes_on = || !restart.is_finished();
        block_on(join_all((0..8).map(|writer| write(writer * 1_000_000, &goes_on))));
    });
    let kinds = kinds.into_inner().unwrap();
    let known = ["Unreachable", "Uncertain"];
    assert!(kinds.contains("Unreachable") && kinds.iter().all(|kind| known.contains(&&**kind)), "{kinds:?}");
    let kept = loop {
        // A connection that the restart has cut may be found so only now.
        match block_on(store.query("SELECT count(*) FROM notes".to_owned(), Vec::new())) {
            Err(error)
                if matches!(error.kind, StoreErrorKind::Unreachable(_)) && begun.elapsed() < TROUBLE_MAX => {}
            rows => break rows.unwrap().unwrap()[0].get::<i64>(0).unwrap(),
        }
    };
    assert_eq!(u64::try_from(kept).unwrap(), written.into_inner());
}

#[test]
fn a_pool_that_is_used_up_says_so_and_the_runtime_works_on() {
    let Some(url) = database() else { return };
    let few = OpenOptions { connections: 3, wait_ms: 100, ..options(&url) };
    let store = few.open().unwrap();
    block_on(async {
        let first = store.begin(Fence::Free).await.unwrap().unwrap();
        let second = store.begin(Fence::Free).await.unwrap().unwrap();
        let error = store.begin(Fence::Free).await.err().unwrap();
        assert_eq!(error.kind, StoreErrorKind::Exhausted);
        committed(&store, note(1)).await;
        drop((first, second));
        // What was dropped is free once it has been rolled back, which is not waited for here.
        let begun = Instant::now();
        let third = loop {
            match store.begin(Fence::Free).await {
                Err(error) if error.kind == StoreErrorKind::Exhausted && begun.elapsed() < TROUBLE_MAX => {}
                other => break other.unwrap(),
            }
        };
        assert!(third.is_ok());
        assert_eq!(notes(&store).await, 1);
    });
}

#[test]
fn a_server_that_lets_nobody_more_in_is_waited_for() {
    let Some(url) = database() else { return };
    block_on(async {
        let admin = connect(&url).await;
        let role = "DROP ROLE IF EXISTS few; CREATE ROLE few LOGIN CONNECTION LIMIT 2; GRANT ALL ON SCHEMA public TO few";
        admin.batch_execute(role).await.unwrap();
    });
    let store = options(&url.replace("jadpo@", "few@")).open().unwrap();
    block_on(async {
        // One connection listens, one works.
        let ends = join_all((0..8).map(|_| store.poll_rows())).await;
        let refused: Vec<_> = ends.into_iter().filter_map(Result::err).collect();
        assert!(!refused.is_empty());
        assert!(refused.iter().all(|error| error.kind == StoreErrorKind::Exhausted), "{refused:?}");
        store.poll_rows().await.unwrap();
    });
}

#[test]
fn a_database_that_takes_no_writes_is_read_only_until_it_does() {
    let Some(url) = database() else { return };
    let store = open(&url);
    let name = url.rsplit('/').next().unwrap().to_owned();
    block_on(async {
        committed(&store, note(1)).await;
        let admin = connect(&url).await;
        let set = |to: &str| {
            format!(
                "ALTER DATABASE {name} SET default_transaction_read_only = {to};
                 SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = '{name}' AND pid <> pg_backend_pid()"
            )
        };
        admin.batch_execute(&set("on")).await.unwrap();
        let kind = loop {
            match store.commit(note(2)).await {
                Err(error) if matches!(error.kind, StoreErrorKind::Unreachable(_)) => {}
                Err(error) => break error.kind,
                Ok(end) => panic!("{end:?}"),
            }
        };
        assert_eq!(kind, StoreErrorKind::ReadOnly);
        assert_eq!(notes(&store).await, 1, "it can still be read");
        // No connection is cut now: those that were refused are made anew by themselves.
        let back = format!("SET default_transaction_read_only = off; ALTER DATABASE {name} RESET ALL");
        admin.batch_execute(&back).await.unwrap();
        let error = store.commit(note(2)).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::ReadOnly, "on the connection that the reading has made");
        committed(&store, note(2)).await;
    });
}

#[test]
fn trouble_is_told_from_a_statement_that_is_wrong() {
    let Some(url) = database() else { return };
    let store = open(&url);
    let raise = |code: &str| {
        let sql = format!("DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '{code}'; END $$");
        let write = Write { sql, params: Vec::new(), rows: None };
        store.commit(Boundary { writes: vec![write], ..Boundary::empty(Fence::Free, 0) })
    };
    block_on(async {
        assert_eq!(raise("53100").await.unwrap_err().kind, StoreErrorKind::Full);
        assert_eq!(raise("55P03").await.unwrap_err().kind, StoreErrorKind::Locked);
        assert_eq!(raise("40P01").await.unwrap_err().kind, StoreErrorKind::Locked, "twice in a row");
        assert!(matches!(raise("58030").await.unwrap_err().kind, StoreErrorKind::Unreadable(_)));
        assert_eq!(raise("23505").await.unwrap(), BoundaryEnd::Refused("made up".to_owned()));
        committed(&store, note(1)).await;
    });
}

#[test]
fn a_transaction_that_trouble_broke_is_never_told_to_be_kept() {
    let Some(url) = database() else { return };
    let store = open(&url);
    let raise = "DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '55P03'; END $$".to_owned();
    block_on(async {
        for by_query in [false, true] {
            let mut transaction = store.begin(Fence::Free).await.unwrap().unwrap();
            transaction.execute(note(1).writes.remove(0)).await.unwrap().unwrap();
            let error = if by_query {
                transaction.query(raise.clone(), Vec::new()).await.unwrap_err()
            } else {
                let write = Write { sql: raise.clone(), params: Vec::new(), rows: None };
                transaction.execute(write).await.unwrap_err()
            };
            assert_eq!(error.kind, StoreErrorKind::Locked);
            let later = transaction.query("SELECT 1".to_owned(), Vec::new()).await.unwrap_err();
            assert_eq!(later.kind, StoreErrorKind::Locked, "the first trouble, and not its consequence");
            let later = transaction.execute(note(2).writes.remove(0)).await.unwrap_err();
            assert_eq!(later.kind, StoreErrorKind::Locked);
            let error = transaction.commit(Boundary::empty(Fence::Free, 0)).await.unwrap_err();
            assert_eq!(error.kind, StoreErrorKind::Locked);
        }
        assert_eq!(notes(&store).await, 0);
    });
}

#[test]
fn a_table_that_changes_under_a_prepared_statement_changes_nothing() {
    let Some(url) = database() else { return };
    let store = open(&url);
    let returning = |n: i64| {
        let mut boundary = note(n);
        boundary.writes[0].sql = "INSERT INTO notes (n) VALUES ($1) RETURNING *".to_owned();
        boundary
    };
    let read = || store.query("SELECT * FROM notes".to_owned(), Vec::new());
    block_on(async {
        committed(&store, returning(1)).await;
        read().await.unwrap().unwrap();
        connect(&url).await.batch_execute("ALTER TABLE notes ADD COLUMN more text").await.unwrap();
        committed(&store, returning(2)).await;
        assert_eq!(read().await.unwrap().unwrap()[0].names(), ["n", "more"]);
    });
}

#[test]
fn a_body_that_holds_its_transaction_too_long_loses_it() {
    let Some(url) = database() else { return };
    let store = open(&url);
    block_on(async {
        let mut transaction = store.begin(Fence::Free).await.unwrap().unwrap();
        transaction.execute(note(1).writes.remove(0)).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(crate::limits::TRANSACTION_MS_MAX + 200)).await;
        let error = transaction.commit(Boundary::empty(Fence::Free, 0)).await.unwrap_err();
        assert!(matches!(error.kind, StoreErrorKind::TransactionTooLong(_)), "{error:?}");
        assert_eq!(notes(&store).await, 0);
    });
}

//! A body's transaction: it reads its own writes, others wait for it, and only its commit keeps anything.

use futures_util::future::{join, poll_immediate};

use crate::sql::SqlValue;
use crate::store::sqlite::{OpenOptions, SqliteStore};
use crate::store::{Boundary, BoundaryEnd, Fence, Held, Store, StoreErrorKind, StoreTransaction, Write};

struct Opened {
    executor: tokio::runtime::Runtime,
    store: SqliteStore,
    _directory: tempfile::TempDir,
}

fn opened() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let prepare = vec!["CREATE TABLE n (n INTEGER PRIMARY KEY) STRICT".to_owned()];
    let store = OpenOptions { prepare, ..OpenOptions::new("main", &path) }.open().unwrap();
    let executor = tokio::runtime::Builder::new_current_thread().build().unwrap();
    Opened { executor, store, _directory: directory }
}

fn insert(n: i64) -> Write {
    let sql = "INSERT INTO n (n) VALUES (?1)".to_owned();
    Write { sql, params: vec![SqlValue::Integer(n)], rows: Some(1) }
}

fn free() -> Boundary {
    Boundary::empty(Fence::Free, 5)
}

async fn begun(store: &SqliteStore) -> Box<dyn StoreTransaction> {
    store.begin(Fence::Free).await.unwrap().unwrap()
}

async fn seen(transaction: &mut dyn StoreTransaction) -> i64 {
    let rows = transaction.query("SELECT count(*) FROM n".to_owned(), Vec::new()).await;
    rows.unwrap().unwrap()[0].get(0).unwrap()
}

async fn kept(store: &SqliteStore) -> i64 {
    let rows = store.query("SELECT count(*) FROM n".to_owned(), Vec::new()).await;
    rows.unwrap().unwrap()[0].get(0).unwrap()
}

#[test]
fn it_reads_its_own_writes_and_nobody_else_does_before_its_commit() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let mut transaction = begun(&store).await;
        assert_eq!(transaction.execute(insert(1)).await.unwrap(), Ok(1));
        assert_eq!((seen(&mut *transaction).await, kept(&store).await), (1, 0));
        let rest = Boundary { writes: vec![insert(2)], ..free() };
        assert_eq!(transaction.commit(rest).await.unwrap(), BoundaryEnd::Done(Vec::new()));
        assert_eq!(kept(&store).await, 2);
    });
}

#[test]
fn dropped_it_keeps_nothing_and_others_go_on() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let mut transaction = begun(&store).await;
        transaction.execute(insert(1)).await.unwrap().unwrap();
        let others = join(
            store.commit(Boundary { writes: vec![insert(2)], ..free() }),
            store.commit(Boundary { writes: vec![insert(3)], ..free() }),
        );
        let mut others = std::pin::pin!(others);
        assert!(poll_immediate(&mut others).await.is_none());
        let waiting = store.begin(Fence::Free);
        drop(transaction);
        assert_eq!(others.await.1.unwrap(), BoundaryEnd::Done(Vec::new()));
        assert_eq!(seen(&mut *waiting.await.unwrap().unwrap()).await, 2);
        assert_eq!(kept(&store).await, 2);
    });
}

#[test]
fn one_that_no_longer_waits_for_its_turn_is_forgotten() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let transaction = begun(&store).await;
        let mut waiting = store.begin(Fence::Free);
        assert!(poll_immediate(&mut waiting).await.is_none());
        drop(waiting);
        drop(transaction);
        assert_eq!(
            store.commit(Boundary { writes: vec![insert(1)], ..free() }).await.unwrap(),
            BoundaryEnd::Done(Vec::new())
        );
    });
}

#[test]
fn what_is_refused_in_it_spoils_it() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let mut transaction = begun(&store).await;
        transaction.execute(insert(1)).await.unwrap().unwrap();
        let refused = transaction.execute(insert(1)).await.unwrap().unwrap_err();
        assert!(matches!(refused, BoundaryEnd::Refused(_)), "{refused:?}");
        assert_eq!(transaction.commit(free()).await.unwrap(), refused);
        for sql in ["COMMIT", "SELEC 1"] {
            let mut transaction = begun(&store).await;
            let text = transaction.query(sql.to_owned(), Vec::new()).await.unwrap().unwrap_err();
            assert_eq!(transaction.commit(free()).await.unwrap(), BoundaryEnd::Refused(text));
        }
        let mut transaction = begun(&store).await;
        let write = Write { sql: "DELETE FROM n".to_owned(), params: Vec::new(), rows: Some(1) };
        let conflict = transaction.execute(write).await.unwrap().unwrap_err();
        assert!(matches!(conflict, BoundaryEnd::Conflict { wanted: 1, got: 0, .. }), "{conflict:?}");
        assert_eq!(transaction.commit(free()).await.unwrap(), conflict);
        assert_eq!(kept(&store).await, 0);
    });
}

#[test]
fn after_trouble_every_statement_and_the_commit_tell_that_trouble() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    // The file can't grow any more, as on a full disk.
    let prepare = [
        "CREATE TABLE n (n INTEGER PRIMARY KEY) STRICT",
        "CREATE TABLE big (b)",
        "PRAGMA max_page_count = 1",
    ];
    let options =
        OpenOptions { prepare: prepare.map(str::to_owned).to_vec(), ..OpenOptions::new("main", &path) };
    let store = options.open().unwrap();
    let executor = tokio::runtime::Builder::new_current_thread().build().unwrap();
    executor.block_on(async {
        let mut transaction = begun(&store).await;
        let sql = "INSERT INTO big VALUES (zeroblob(1000000))".to_owned();
        let first = transaction.execute(Write { sql, params: Vec::new(), rows: None }).await.unwrap_err();
        assert_eq!(first.kind, StoreErrorKind::Full);
        assert_eq!(transaction.execute(insert(1)).await.unwrap_err(), first);
        assert_eq!(transaction.query("SELECT 1".to_owned(), Vec::new()).await.unwrap_err(), first);
        assert_eq!(transaction.commit(free()).await.unwrap_err(), first);
        assert_eq!(kept(&store).await, 0);
    });
}

#[test]
fn a_statement_that_rolls_back_by_itself_is_refused() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let mut transaction = begun(&store).await;
        transaction.execute(insert(1)).await.unwrap().unwrap();
        let sql = "INSERT OR ROLLBACK INTO n (n) VALUES (1)".to_owned();
        let refused =
            transaction.execute(Write { sql, params: Vec::new(), rows: None }).await.unwrap().unwrap_err();
        let BoundaryEnd::Refused(text) = &refused else { panic!("{refused:?}") };
        let later = transaction.query("SELECT 1".to_owned(), Vec::new()).await.unwrap();
        assert_eq!(later.unwrap_err(), *text, "the first, and not its consequence");
        assert_eq!(transaction.execute(insert(2)).await.unwrap().unwrap_err(), refused);
        assert_eq!(transaction.commit(free()).await.unwrap(), refused);
        assert_eq!(kept(&store).await, 0);
    });
}

#[test]
fn a_claim_that_stands_no_more_opens_none() {
    let Opened { executor, store, _directory } = opened();
    executor.block_on(async {
        let lost = Fence::Delivery(Held { id: 1, token: 1 });
        assert_eq!(store.begin(lost).await.unwrap().err(), Some(BoundaryEnd::Fenced));
        let received = Fence::Received { store: "other".to_owned(), delivery: 7 };
        let transaction = store.begin(received.clone()).await.unwrap().unwrap();
        let rest = Boundary { fence: received.clone(), ..free() };
        assert_eq!(transaction.commit(rest).await.unwrap(), BoundaryEnd::Done(Vec::new()));
        assert_eq!(store.begin(received).await.unwrap().err(), Some(BoundaryEnd::Received));
    });
}

#[test]
fn one_that_is_held_too_long_is_rolled_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let prepare = vec!["CREATE TABLE n (n INTEGER PRIMARY KEY) STRICT".to_owned()];
    let options = OpenOptions { prepare, transaction_ms: 1, ..OpenOptions::new("main", &path) };
    let store = options.open().unwrap();
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
        let mut transaction = begun(&store).await;
        // Waits for its turn, which comes when the time of the first is over.
        let second = begun(&store).await;
        let error = transaction.execute(insert(1)).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::TransactionTooLong(1));
        drop(second);
        assert_eq!(kept(&store).await, 0);
    });
}

#[test]
fn a_body_that_panics_keeps_nothing() {
    let Opened { executor, store, _directory } = opened();
    let body = std::panic::AssertUnwindSafe(|| {
        executor.block_on(async {
            let mut transaction = begun(&store).await;
            transaction.execute(insert(1)).await.unwrap().unwrap();
            panic!("no");
        });
    });
    std::panic::catch_unwind(body).unwrap_err();
    let ended = executor.block_on(store.commit(Boundary { writes: vec![insert(1)], ..free() }));
    assert_eq!(ended.unwrap(), BoundaryEnd::Done(Vec::new()));
}

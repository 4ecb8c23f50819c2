//! Instances tell each other of new work: once a window, not for each row, and again after the line was lost.

use std::time::{Duration, Instant};

use event_listener::EventListener;
use futures_util::future::join_all;

use super::{
    Boundary, Fence, PostgresStore, Store, block_on, committed, connect, database, event, listener, open,
};
use crate::limits::WAKE_WINDOW_MS;

/// Whether it is heard soon.
async fn heard(listener: EventListener) -> bool {
    tokio::time::timeout(Duration::from_secs(10), listener).await.is_ok()
}

/// Waits until all stores of a database listen, and have said to themselves that they begin to.
async fn all_listen(url: &str, stores: &[&PostgresStore]) {
    let client = connect(url).await;
    let sql = "SELECT count(*) FROM pg_stat_activity
               WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'";
    let begun = Instant::now();
    while client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0) < i64::try_from(stores.len()).unwrap() {
        assert!(begun.elapsed() < Duration::from_mins(1), "not all stores listen");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    // A store has one thread: before it reads what it asks for now, it has read that it listens.
    for store in stores {
        store.poll_rows().await.unwrap();
    }
}

#[test]
fn a_store_that_begins_to_listen_looks_once() {
    let Some(url) = database() else { return };
    // It may listen before anything here can wait for it; then another is tried.
    let looks = |_| {
        let store = open(&url);
        let listener = store.wakes().unwrap();
        block_on(async { tokio::time::timeout(Duration::from_secs(1), listener).await.is_ok() })
    };
    assert!((0..20).any(looks), "something may have been said before");
}

#[test]
fn an_instance_hears_another_and_not_itself() {
    let Some(url) = database() else { return };
    let (one, other) = (open(&url), open(&url));
    block_on(async {
        all_listen(&url, &[&one, &other]).await;
        let listener = other.wakes().unwrap();
        committed(&one, event()).await;
        assert!(heard(listener).await);
        let own = one.wakes().unwrap();
        let quiet = other.wakes().unwrap();
        committed(&one, Boundary::empty(Fence::Free, 0)).await;
        assert!(tokio::time::timeout(Duration::from_millis(50), quiet).await.is_err(), "nothing is due");
        drop(own);
        let listener = other.wakes().unwrap();
        one.leave(7).await.unwrap();
        assert!(heard(listener).await, "what it gave back is another's to do");
    });
}

#[test]
fn many_commits_are_told_of_a_few_times() {
    let Some(url) = database() else { return };
    let store = open(&url);
    block_on(async {
        let (_listener, mut saying) = listener(&url).await;
        let begun = Instant::now();
        join_all((0..500).map(|_| committed(&store, event()))).await;
        saying.recv().await.unwrap();
        let (mut count, mut until) = (1, begun.elapsed());
        while let Ok(Some(())) = tokio::time::timeout(Duration::from_millis(100), saying.recv()).await {
            (count, until) = (count + 1, begun.elapsed());
        }
        // One at the beginning, and one at the end of each window since.
        let at_most = 1 + until.as_millis() / u128::from(WAKE_WINDOW_MS);
        assert!(count <= at_most, "{count} for 500 commits in {until:?}");
    });
}

#[test]
fn a_lost_line_is_made_again_and_then_looked_once() {
    let Some(url) = database() else { return };
    let (one, other) = (open(&url), open(&url));
    block_on(async {
        all_listen(&url, &[&one, &other]).await;
        let lost = other.wakes().unwrap();
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND query LIKE 'LISTEN%'";
        connect(&url).await.batch_execute(cut).await.unwrap();
        assert!(heard(lost).await, "something may have been missed");
        // It may have looked when the line was lost and not yet again when it was made anew.
        let mut told = false;
        for _ in 0..20 {
            let listener = other.wakes().unwrap();
            committed(&one, event()).await;
            told = heard(listener).await;
            if told {
                break;
            }
        }
        assert!(told);
    });
}

//! Instances tell each other of new work: once a window, not for each row, and again after the line was lost.

use std::time::Duration;

use event_listener::EventListener;
use futures_util::future::join_all;

use super::{Boundary, Fence, Store, block_on, committed, connect, database, event, open};

/// Whether it is heard soon.
async fn heard(listener: EventListener) -> bool {
    tokio::time::timeout(Duration::from_secs(10), listener).await.is_ok()
}

#[test]
fn an_instance_hears_another_and_not_itself() {
    let Some(url) = database() else { return };
    let (one, other) = (open(&url), open(&url));
    block_on(async {
        // Each says once that it begins to listen, since something may have been said before.
        assert!(heard(other.wakes().unwrap()).await);
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
        let (client, mut connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        let (said, mut saying) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(Ok(message)) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
                if matches!(message, tokio_postgres::AsyncMessage::Notification(_)) {
                    let _ = said.send(());
                }
            }
        });
        client.batch_execute("LISTEN jadpo").await.unwrap();
        join_all((0..500).map(|_| committed(&store, event()))).await;
        saying.recv().await.unwrap();
        let mut count = 1;
        while let Ok(Some(())) = tokio::time::timeout(Duration::from_millis(100), saying.recv()).await {
            count += 1;
        }
        assert!(count < 100, "{count} for 500 commits");
    });
}

#[test]
fn a_lost_line_is_made_again_and_then_looked_once() {
    let Some(url) = database() else { return };
    let (one, other) = (open(&url), open(&url));
    block_on(async {
        assert!(heard(other.wakes().unwrap()).await);
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

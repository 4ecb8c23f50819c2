//! What is done waits for the disk, or for whoever holds its row, beside the loop: no claim waits with it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc};

use super::instances::app_of;
use super::{block_on, committed, connect, database, open};
use crate::native::NativeHost;
use crate::serve::serve;
use crate::start::{Surroundings, start};
use crate::store::{Boundary, Fence, NewDelivery, NewEvent};

/// An event for the subscriber of the app.
fn event(now_ms: i64) -> Boundary {
    let deliveries = vec![NewDelivery { subscriber: "update_quotes".to_owned(), give_up_ms: i64::MAX }];
    let event = NewEvent {
        name: "coinfeed.PricesChanged".to_owned(),
        source: Some("feed".to_owned()),
        external_id: None,
        occurred_at_ms: now_ms,
        payload: r#"{"btc":1,"eth":2}"#.to_owned(),
        trace: None,
        created_at_ms: now_ms,
        deliveries,
    };
    Boundary { events: vec![event], ..Boundary::empty(Fence::Free, now_ms) }
}

/// What comes within half a minute, or never.
async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), work).await.expect("it comes within half a minute")
}

/// Waits until a query counts so many.
async fn until(watcher: &tokio_postgres::Client, sql: &str, count: i64) {
    soon(async {
        while watcher.query_one(sql, &[]).await.unwrap().get::<_, i64>(0) < count {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}

#[test]
fn a_delivery_that_cannot_be_written_as_done_holds_up_no_other() {
    let Some(url) = database() else { return };
    let (entered, mut entries) = mpsc::unbounded_channel::<()>();
    let goes_on = Arc::new(Notify::new());
    let waits = goes_on.clone();
    let app = app_of(&url, move |_, _, _| {
        entered.send(()).unwrap();
        let waits = waits.clone();
        Box::pin(async move {
            waits.notified().await;
            Ok(())
        })
    });
    let executor =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let host = Arc::new(NativeHost::new(executor.handle().clone()).unwrap());
    let ready = start(app, &Surroundings::new(host)).unwrap();
    let engine = ready.engine.clone();
    let serving = executor.spawn(serve(ready));
    let other = open(&url);
    block_on(async {
        let now_ms = engine.now_ms();
        let (mut holder, watcher) = (connect(&url).await, connect(&url).await);
        committed(&other, event(now_ms)).await;
        soon(entries.recv()).await.unwrap();
        let held = holder.transaction().await.unwrap();
        held.execute("SELECT FROM jadpo_deliveries FOR UPDATE", &[]).await.unwrap();
        goes_on.notify_one();
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        until(&watcher, waiting, 1).await;
        committed(&other, event(now_ms)).await;
        soon(entries.recv()).await.unwrap();
        held.rollback().await.unwrap();
        goes_on.notify_one();
        until(&watcher, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done'", 2).await;
    });
    engine.stop.ask();
    assert_eq!(executor.block_on(serving).unwrap().dropped, 0);
}

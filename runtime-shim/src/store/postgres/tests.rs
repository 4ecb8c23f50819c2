//! The PostgreSQL store on a database of its own: its schema, its plans, its trouble, and what instances tell each other.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod addresses;
mod apart;
mod encrypted;
mod forgotten;
mod instances;
mod plans;
mod schema;
mod trouble;
mod wakes;

use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{OpenOptions, PostgresStore};
use crate::store::conformance::subject::{cluster, new_database};
use crate::store::{Boundary, BoundaryEnd, Fence, NewDelivery, NewEvent, Store, Write};

/// The app's own table.
const NOTES: &str = "CREATE TABLE IF NOT EXISTS notes (n bigint PRIMARY KEY)";

/// The URL of a new database on the server that tests share; `None` where there can't be one.
fn database() -> Option<String> {
    cluster().map(new_database)
}

fn options(url: &str) -> OpenOptions {
    OpenOptions { prepare: vec![NOTES.to_owned()], ..OpenOptions::new("main", url.parse().unwrap()) }
}

fn open(url: &str) -> Arc<PostgresStore> {
    Arc::new(options(url).open().unwrap())
}

/// Runs a test's own part.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// A connection of the test's own.
async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// A connection that hears what stores tell each other, as long as its client is kept.
async fn listener(url: &str) -> (tokio_postgres::Client, UnboundedReceiver<()>) {
    let (client, mut connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let (said, saying) = unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
            if matches!(message, tokio_postgres::AsyncMessage::Notification(_)) {
                let _ = said.send(());
            }
        }
    });
    client.batch_execute("LISTEN jadpo").await.unwrap();
    (client, saying)
}

/// A boundary that writes one note.
fn note(n: i64) -> Boundary {
    let write = Write {
        sql: "INSERT INTO notes (n) VALUES ($1)".to_owned(),
        params: vec![crate::SqlValue::Integer(n)],
        rows: Some(1),
    };
    Boundary { writes: vec![write], ..Boundary::empty(Fence::Free, 0) }
}

/// A boundary that emits an event with one delivery.
fn event() -> Boundary {
    let event = NewEvent {
        name: "e".to_owned(),
        source: None,
        external_id: None,
        occurred_at_ms: 0,
        payload: "{}".to_owned(),
        trace: None,
        created_at_ms: 0,
        deliveries: vec![NewDelivery { subscriber: "s".to_owned(), give_up_ms: i64::MAX }],
    };
    Boundary { events: vec![event], ..Boundary::empty(Fence::Free, 0) }
}

async fn committed(store: &PostgresStore, boundary: Boundary) {
    let end = store.commit(boundary).await.unwrap();
    assert!(matches!(end, BoundaryEnd::Done(_)), "{end:?}");
}

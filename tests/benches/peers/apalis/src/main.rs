//! Runs jobs of apalis over SQLite until so many are done, and prints the seconds that this took.
//!
//! `jadpo-peer-apalis FILE DUE ENOUGH SYNCHRONOUS`

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use apalis::prelude::*;
use apalis_sqlite::{Config, SqliteConnectOptions, SqlitePoolOptions, SqliteStorage};
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};

/// Jobs of one look.
const BATCH: usize = 100;

/// Jobs at once.
const AT_ONCE: usize = 64;

static DONE: AtomicU64 = AtomicU64::new(0);
static ENOUGH: AtomicU64 = AtomicU64::new(0);

/// What a job carries.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Heard {
    text: String,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, due, enough, synchronous] = arguments.as_slice() else {
        panic!("FILE DUE ENOUGH SYNCHRONOUS");
    };
    let (due, enough): (usize, u64) = (due.parse().expect("a number"), enough.parse().expect("a number"));
    ENOUGH.store(enough, Ordering::Relaxed);
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::from_str(synchronous).expect("it is known"));
    let pool = SqlitePoolOptions::new().connect_with(options.clone()).await.expect("the database opens");
    SqliteStorage::setup(&pool).await.expect("the tables are made");
    // Its setup turns `synchronous` off on the connection that it had.
    pool.close().await;
    let pool = SqlitePoolOptions::new().connect_with(options).await.expect("the database opens");
    let config = Config::default().queue("heard").batch_size(BATCH);
    let mut storage = SqliteStorage::new(&pool).with_config(config);
    let job = || TaskBuilder::new(Heard { text: "x".repeat(89) }).build();
    let mut jobs = futures::stream::iter((0..due).map(|_| job()));
    storage.push_all(&mut jobs).await.expect("the database works");
    let begun = Instant::now();
    let worker = WorkerBuilder::new("one").backend(storage).concurrency(AT_ONCE).build(hear);
    let ended = tokio::time::timeout(Duration::from_secs(300), worker.run()).await;
    ended.expect("it ends").expect("the worker ends");
    println!("{}", begun.elapsed().as_secs_f64());
}

async fn hear(_: Heard, worker: WorkerContext) -> Result<(), BoxDynError> {
    if DONE.fetch_add(1, Ordering::Relaxed) + 1 == ENOUGH.load(Ordering::Relaxed) {
        worker.stop()?;
    }
    Ok(())
}

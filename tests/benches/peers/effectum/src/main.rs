//! Runs jobs of effectum until so many are done, and prints the seconds that this took.
//!
//! `jadpo-peer-effectum FILE DUE ENOUGH SYNCHRONOUS`; it knows no other `SYNCHRONOUS` than `NORMAL`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effectum::{Job, JobRunner, Queue, RunningJob, Worker};
use serde_json::json;

/// Jobs at once, which it fills up again once half of them have ended.
const AT_ONCE: u16 = 256;

/// Jobs that are added in one transaction.
const ADDED: u32 = 1_000;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, due, enough, synchronous] = arguments.as_slice() else {
        panic!("FILE DUE ENOUGH SYNCHRONOUS");
    };
    let (due, enough): (u32, u64) = (due.parse().expect("a number"), enough.parse().expect("a number"));
    assert_eq!(synchronous, "NORMAL", "the peer sets it on a connection that nobody else reaches");
    // The journal's mode stays with the file.
    let connection = rusqlite::Connection::open(file).expect("the database opens");
    let journal: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .expect("the pragma is known");
    assert_eq!(journal, "wal");
    let queue = Queue::new(Path::new(file)).await.expect("the queue opens");
    fill(&queue, due).await;
    let begun = Instant::now();
    work(&queue, enough).await;
    println!("{}", begun.elapsed().as_secs_f64());
    drop(connection);
}

async fn fill(queue: &Queue, due: u32) {
    let payload = json!({ "text": "x".repeat(89) });
    let job = || Job::builder("hear").json_payload(&payload).expect("it is JSON").build();
    let mut added = 0;
    while added < due {
        let some = ADDED.min(due - added);
        queue.add_jobs((0..some).map(|_| job()).collect()).await.expect("the database works");
        added += some;
    }
}

async fn work(queue: &Queue, enough: u64) {
    let hear = JobRunner::builder("hear", hear).build();
    let worker = Worker::builder(queue, Arc::new(()))
        .max_concurrency(AT_ONCE)
        .min_concurrency(AT_ONCE / 2)
        .jobs([hear])
        .build()
        .await
        .expect("the worker starts");
    while worker.counts().finished < enough {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    worker.unregister(None).await.expect("the worker ends");
    queue.close(Duration::from_secs(10)).await.expect("the queue ends");
}

async fn hear(_: RunningJob, _: Arc<()>) -> Result<(), String> {
    Ok(())
}

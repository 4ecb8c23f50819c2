//! Claims and acknowledges jobs of honker until so many are done, and prints the seconds that this took.
//!
//! `jadpo-peer-honker FILE DUE ENOUGH SYNCHRONOUS`

use std::time::Instant;

use honker::{Database, EnqueueOpts, Queue, QueueOpts};
use serde_json::json;

/// As many as a claim takes in its own bench's best setting.
const BATCH: i64 = 128;

const WORKER: &str = "one";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, due, enough, synchronous] = arguments.as_slice() else {
        panic!("FILE DUE ENOUGH SYNCHRONOUS");
    };
    let (due, enough): (u32, i64) = (due.parse().expect("a number"), enough.parse().expect("a number"));
    let database = Database::open(file).expect("the database opens");
    database.with_conn(|connection| {
        connection.pragma_update(None, "synchronous", synchronous).expect("the pragma is known");
        let journal: String =
            connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).expect("the pragma is known");
        assert_eq!(journal, "wal");
    });
    let queue = database.queue("heard", QueueOpts::default());
    fill(&database, &queue, due);
    let begun = Instant::now();
    work(&queue, enough);
    println!("{}", begun.elapsed().as_secs_f64());
}

fn fill(database: &Database, queue: &Queue, due: u32) {
    let payload = json!({ "text": "x".repeat(89) });
    let transaction = database.transaction().expect("the database works");
    for _ in 0..due {
        queue.enqueue_tx(&transaction, &payload, EnqueueOpts::default()).expect("the database works");
    }
    transaction.commit().expect("the database works");
}

fn work(queue: &Queue, enough: i64) {
    let mut done = 0;
    while done < enough {
        let jobs = queue.claim_batch(WORKER, BATCH).expect("the database works");
        let ids: Vec<i64> = jobs.iter().map(|job| job.id).collect();
        assert!(!ids.is_empty(), "nothing is due after {done}");
        done += queue.ack_batch(&ids, WORKER).expect("the database works");
    }
}

//! The database alone, without a queue: what any queue over it could reach at most.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior, params};

const TABLE: &str = "
CREATE TABLE d (
    id INTEGER PRIMARY KEY, state INT NOT NULL, due INT NOT NULL, lease INT, owner INT,
    attempt INT NOT NULL DEFAULT 0, body TEXT NOT NULL);
CREATE INDEX d_due ON d (due, id) WHERE state = 0;
CREATE INDEX d_lease ON d (lease) WHERE state = 1;";

const CLAIM: &str = "
UPDATE d SET state = 1, lease = ?2, owner = 7, attempt = attempt + 1
WHERE id IN (SELECT id FROM d WHERE state = 0 AND due <= ?3 ORDER BY due, id LIMIT ?1) RETURNING id, body";

const DONE: &str = "UPDATE d SET state = 2, lease = NULL WHERE id = ?1 AND owner = 7 AND state = 1";

/// Claims and completes so many rows, each a transaction, `batch` at a time, until `count` are done.
pub fn run(file: &Path, synchronous: &str, batch: u32, count: u32) -> rusqlite::Result<Duration> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.execute_batch(TABLE)?;
    fill(&mut connection, count)?;
    let begun = Instant::now();
    let mut done: usize = 0;
    while done < count as usize {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let ids: Vec<i64> = transaction
            .prepare_cached(CLAIM)?
            .query_map(params![batch, i64::MAX, i64::MAX], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        transaction.commit()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in ids {
            done += transaction.prepare_cached(DONE)?.execute([id])?;
        }
        transaction.commit()?;
    }
    let passed = begun.elapsed();
    let left: i64 = connection.query_row("SELECT count(*) FROM d WHERE state <> 2", [], |row| row.get(0))?;
    assert_eq!(left, 0);
    Ok(passed)
}

fn fill(connection: &mut Connection, count: u32) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let body = "x".repeat(100);
    for due in 0..count {
        transaction
            .prepare_cached("INSERT INTO d (state, due, body) VALUES (0, ?1, ?2)")?
            .execute(params![due, body])?;
    }
    transaction.commit()?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

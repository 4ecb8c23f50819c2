//! The database alone, without a queue: what any queue over it could reach at most.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior, params};

use super::board::Work;
use super::clocks::{Clocks, Spent};
use super::database::put_to_rest;

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

/// Claims and completes rows, each a transaction, `batch` at a time, until all are done.
pub fn burn_down(file: &Path, work: Work, batch: u32) -> rusqlite::Result<Spent> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", work.synchronous)?;
    connection.execute_batch(TABLE)?;
    fill(&mut connection, work.due)?;
    let clocks = Clocks::start();
    let mut done: usize = 0;
    while done < work.due as usize {
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
    let spent = clocks.spent();
    let left: i64 = connection.query_row("SELECT count(*) FROM d WHERE state <> 2", [], |row| row.get(0))?;
    assert_eq!(left, 0);
    Ok(spent)
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
    put_to_rest(connection)
}

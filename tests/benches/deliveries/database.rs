//! The files that the app works over: filled, put to rest, and asked what became of the rows.

use std::path::Path;

use rusqlite::{Connection, params};

use super::app::EVENT;

/// Deliveries by state.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    pub done: u32,
    pub pending: u32,
}

/// What lies in a file; there may be nothing else.
pub fn counted(file: &Path) -> Counted {
    let connection = Connection::open(file).expect("the database opens");
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u32>(0)).expect("it is counted");
    let counted =
        |state: &str| count(&format!("SELECT count(*) FROM jadpo_deliveries WHERE state = '{state}'"));
    let (done, pending) = (counted("done"), counted("pending"));
    assert_eq!(
        count("SELECT count(*) FROM jadpo_deliveries"),
        done + pending,
        "nothing is claimed or failed"
    );
    Counted { done, pending }
}

/// Adds an event of its own for each delivery, with a payload of 100 bytes: done ones, and ones that are due one after another.
pub fn fill(file: &Path, due: u32, done: u32) {
    add(file, due, done).expect("the database works");
}

fn add(file: &Path, due: u32, done: u32) -> rusqlite::Result<()> {
    let now_ms =
        i64::try_from(std::time::UNIX_EPOCH.elapsed().expect("it is later").as_millis()).expect("it fits");
    let mut connection = Connection::open(file)?;
    let transaction = connection.transaction()?;
    let payload = format!(r#"{{"text":"{}"}}"#, "x".repeat(89));
    for number in 0..done + due {
        transaction
            .prepare_cached(
                "INSERT INTO jadpo_events (name, occurred_at_ms, payload, trace, created_at_ms)
                 VALUES (?3, ?1, ?2, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', ?1)",
            )?
            .execute(params![now_ms, payload, EVENT])?;
        let (state, finished) = if number < done { ("done", Some(now_ms)) } else { ("pending", None) };
        let due_ms = now_ms - i64::from(done + due - number);
        transaction
            .prepare_cached(
                "INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms, finished_at_ms)
                 VALUES (last_insert_rowid(), 'hear', ?1, 0, ?2, ?3 + 86400000, ?4)",
            )?
            .execute(params![state, due_ms, now_ms, finished])?;
    }
    transaction.commit()?;
    put_to_rest(&connection)
}

/// Leaves nothing of the filling to be done while the clock runs.
pub fn put_to_rest(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

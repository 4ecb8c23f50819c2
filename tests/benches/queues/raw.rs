//! The database alone, without a queue: connections that claim rows and complete them, one after the other, as a plain loop does.
//! It is no ceiling: a queue may claim while it completes, and complete what several claims took together.

use std::time::Instant;

use super::Work;
use super::database::{block_on, connect, execute, number, put_to_rest};

/// Rows of one claim, where the work is batched; one connection with this many beats sixteen.
const TOGETHER: u32 = 500;

/// Whether a claim waits for the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Claims {
    Synced,
    /// As the runtime's.
    Unsynced,
}

const CLAIM: &str = "
UPDATE d SET state = 1, owner = 7, attempt = attempt + 1
WHERE id IN (SELECT id FROM d WHERE state = 0 AND due <= $1 ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id, body";

const CLAIM_UNSYNCED: &str = "
WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
UPDATE d SET state = 1, owner = 7, attempt = attempt + 1
FROM unsynced
WHERE id IN (SELECT id FROM d WHERE state = 0 AND due <= $1 ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id, body";

const DONE: &str = "UPDATE d SET state = 2 WHERE id = ANY ($1) AND owner = 7 AND state = 1";

/// Rows a second. Unbatched, as many connections as may be in flight each take one row at a time.
pub fn burn_down(url: &str, work: Work, claims: Claims) -> f64 {
    fill(url, work.due);
    let (connections, together) = if work.batched { (1, TOGETHER) } else { (work.in_flight, 1) };
    let begun = block_on(async {
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(connect(url).await);
        }
        let begun = Instant::now();
        futures_util::future::join_all(clients.iter().map(|client| take(client, together, claims))).await;
        begun
    });
    let passed = begun.elapsed();
    assert_eq!(number(url, "SELECT count(*) FROM d WHERE state <> 2"), 0);
    f64::from(work.due) / passed.as_secs_f64()
}

async fn take(client: &tokio_postgres::Client, together: u32, claims: Claims) {
    let claim = if claims == Claims::Synced { CLAIM } else { CLAIM_UNSYNCED };
    let claim = client.prepare(claim).await.expect("it is right");
    let done = client.prepare(DONE).await.expect("it is right");
    loop {
        let rows =
            client.query(&claim, &[&i64::MAX, &i64::from(together)]).await.expect("the database works");
        let ids: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        if ids.is_empty() {
            return;
        }
        client.execute(&done, &[&ids]).await.expect("the database works");
    }
}

fn fill(url: &str, due: u32) {
    execute(
        url,
        &format!(
            "CREATE TABLE d (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state int NOT NULL DEFAULT 0, due bigint NOT NULL,
                owner int, attempt int NOT NULL DEFAULT 0, body text) WITH (fillfactor = 80);
             CREATE INDEX d_due ON d (due, id) WHERE state = 0;
             INSERT INTO d (due, body) SELECT i, repeat('x', 100) FROM generate_series(1, {due}) AS i"
        ),
    );
    put_to_rest(url);
}

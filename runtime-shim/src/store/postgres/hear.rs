//! Says that an instance lives, and that it left.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;

pub const HEAR: &str = "
INSERT INTO jadpo_instances (id, heard_at_ms) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET heard_at_ms = excluded.heard_at_ms";

/// The same as a transaction of its own that waits for no disk: what a server that crashes forgets of it is a moment of the
/// thirty seconds that an instance may be silent.
const HEAR_UNSYNCED: &str = "
WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO jadpo_instances (id, heard_at_ms) SELECT $1, $2 FROM unsynced
ON CONFLICT (id) DO UPDATE SET heard_at_ms = excluded.heard_at_ms";

const LEAVE: &str = "DELETE FROM jadpo_instances WHERE id = $1";

pub async fn run(client: &Client, instance: i64, now_ms: i64) -> Result<(), Failed> {
    execute(client, HEAR_UNSYNCED, &[&instance, &now_ms]).await.map(drop)
}

pub async fn leave(client: &Client, instance: i64) -> Result<(), Failed> {
    execute(client, LEAVE, &[&instance]).await.map(drop)
}

//! Says that an instance lives, and that it left.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;

pub const HEAR: &str = "
INSERT INTO jadpo_instances (id, heard_at_ms) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET heard_at_ms = excluded.heard_at_ms";

const LEAVE: &str = "DELETE FROM jadpo_instances WHERE id = $1";

pub async fn run(client: &Client, instance: i64, now_ms: i64) -> Result<(), Failed> {
    execute(client, HEAR, &[&instance, &now_ms]).await.map(drop)
}

pub async fn leave(client: &Client, instance: i64) -> Result<(), Failed> {
    execute(client, LEAVE, &[&instance]).await.map(drop)
}

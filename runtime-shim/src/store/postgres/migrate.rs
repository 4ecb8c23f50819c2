//! Brings a database to the schema that this runtime knows: forward only, under a lock, on many instances at once.

use deadpool_postgres::Client;
use tokio_postgres::{Error, GenericClient};

use super::failed::Failed;
use crate::store::StoreErrorKind;

/// The migrations, each taking the schema from its position to the next.
pub const MIGRATIONS: &[&str] = &[include_str!("migrations/0001_begin.sql")];

/// The version after all of them.
pub const VERSION: i64 = 1;

/// The advisory lock that a start holds: the first eight letters of `jadpo store` as a number.
pub const LOCK: &str = "SELECT pg_advisory_xact_lock(x'6a6164706f207374'::bigint)";

const META: &str =
    "CREATE TABLE IF NOT EXISTS jadpo_meta (key text NOT NULL PRIMARY KEY, value bigint NOT NULL)";

/// Read from the catalogue itself: what a name stands for is remembered, and a lock of this kind forgets nothing of it.
const MADE: &str = "
SELECT EXISTS (
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'jadpo_meta' AND nspname = ANY (current_schemas(false)))";

const SET_VERSION: &str = "
INSERT INTO jadpo_meta (key, value) VALUES ('schema', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// Runs what is missing, and then what the app prepares; a schema newer than [`VERSION`] is refused and left as it is.
pub async fn migrate(client: &mut Client, prepare: &[String]) -> Result<(), Failed> {
    if version(&***client).await? == VERSION && prepare.is_empty() {
        return Ok(());
    }
    let transaction = client.transaction().await?;
    // Other instances wait as long as one migrates, which may be longer than they would for any other lock.
    transaction.batch_execute("SET LOCAL lock_timeout = 0").await?;
    // The lock is taken before the version is read again, so of several instances one migrates and the rest wait.
    transaction.batch_execute(LOCK).await?;
    let found = version(&*transaction).await?;
    let pending = usize::try_from(found).ok().and_then(|done| MIGRATIONS.get(done..));
    let Some(pending) = pending else {
        return Err(Failed::Kind(StoreErrorKind::SchemaNewer { found, known: VERSION }));
    };
    if found == 0 {
        transaction.batch_execute(META).await?;
    }
    for migration in pending {
        transaction.batch_execute(migration).await?;
    }
    if !pending.is_empty() {
        transaction.execute(SET_VERSION, &[&VERSION]).await?;
    }
    for sql in prepare {
        transaction.batch_execute(sql).await.map_err(not_prepared)?;
    }
    Ok(transaction.commit().await?)
}

/// The schema's version; 0 before the first migration.
async fn version(client: &impl GenericClient) -> Result<i64, Error> {
    let made = client.query_one(MADE, &[]).await?;
    if !made.get::<_, bool>(0) {
        return Ok(0);
    }
    let row = client.query_one("SELECT max(value) FROM jadpo_meta WHERE key = 'schema'", &[]).await?;
    Ok(row.get::<_, Option<i64>>(0).unwrap_or(0))
}

/// Tells SQL of the app's that the engine refuses from the store's own trouble.
fn not_prepared(error: Error) -> Failed {
    if super::failed::is_trouble(&error) {
        return Failed::Engine(error);
    }
    let words = super::failed::words(&error);
    Failed::Kind(StoreErrorKind::Other(format!("what the app prepares there is refused: {words}")))
}

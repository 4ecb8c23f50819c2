//! Runs one prepared statement of the runtime's own on a pooled connection.

use deadpool_postgres::Client;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::failed::Failed;

/// A parameter.
pub type Given<'a> = &'a (dyn ToSql + Sync);

/// The rows that it gives.
pub async fn query(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Vec<Row>, Failed> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query(&statement, params).await?)
}

/// The row that it gives, if any.
pub async fn query_opt(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Option<Row>, Failed> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query_opt(&statement, params).await?)
}

/// The one row that it always gives.
pub async fn query_one(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Row, Failed> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.query_one(&statement, params).await?)
}

/// How many rows it touched.
pub async fn execute(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<u64, Failed> {
    let statement = client.prepare_cached(sql).await?;
    Ok(client.execute(&statement, params).await?)
}

/// A count that the engine gives as a signed number.
pub fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A small count that the engine holds as a signed number.
pub fn small(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

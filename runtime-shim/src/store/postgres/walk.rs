//! Plans that hold however the tables grow, for what the loop of deliveries asks again and again.
//!
//! A plan may be made while the tables are all but empty, and kept while they grow to what it would then scan or sort for
//! each look, which would take seconds. And where it isn't kept, planning takes longer than what is planned. So the planner
//! is told to keep one plan for whatever it is asked with, and to go along an index in its order wherever it can. What a
//! statement changes it looks up by an array of their numbers besides, since a join alone may be planned as one with all rows.

use deadpool_postgres::Client;
use futures_util::future::join3;
use tokio_postgres::{Error, Row};

use super::failed::Failed;
use super::statement::Given;

/// Begins a transaction whose statements are planned so, and what else is set in it. Nothing is assumed of what the database
/// sets by default: each statement sees what others have committed meanwhile. What can't be avoided is counted as so dear
/// that compiling a plan would seem to pay, which takes longer than walking a few rows ever does.
macro_rules! begin {
    ($($set:literal)?) => {
        concat!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL plan_cache_mode = force_generic_plan; ",
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; ",
            "SET LOCAL jit = off",
            $("; ", $set)?
        )
    };
}

pub(super) use begin;

pub const BEGIN: &str = begin!();

/// The rows that a statement gives, in a transaction of its own and one round trip.
pub async fn query(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Vec<Row>, Failed> {
    let statement = client.prepare_cached(sql).await?;
    alone(client, client.query(&statement, params)).await
}

/// The row that it gives, if any.
pub async fn query_opt(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Option<Row>, Failed> {
    let statement = client.prepare_cached(sql).await?;
    alone(client, client.query_opt(&statement, params)).await
}

/// The one row that it always gives.
pub async fn query_one(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<Row, Failed> {
    let statement = client.prepare_cached(sql).await?;
    alone(client, client.query_one(&statement, params)).await
}

/// How many rows it touched.
pub async fn execute(client: &Client, sql: &str, params: &[Given<'_>]) -> Result<u64, Failed> {
    let statement = client.prepare_cached(sql).await?;
    alone(client, client.execute(&statement, params)).await
}

async fn alone<T>(client: &Client, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Failed> {
    let (begun, given, committed) =
        join3(client.batch_execute(BEGIN), asked, client.batch_execute("COMMIT")).await;
    begun?;
    let given = given?;
    committed?;
    Ok(given)
}

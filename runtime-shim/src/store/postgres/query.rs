//! The app's own query over what is committed, in a transaction that can't write.

use std::sync::Arc;

use deadpool_postgres::Client;
use tokio_postgres::{Error, GenericClient, Statement};

use super::failed::{Failed, is_outdated, is_trouble, words};
use super::values::{Column, Param, fit, is_read};
use crate::sql::{Row, SqlValue};

/// What the engine says of a wrong query is the app's to hear, the store's trouble is the store's.
pub async fn run(
    client: &mut Client,
    sql: &str,
    values: &[SqlValue],
) -> Result<Result<Vec<Row>, String>, Failed> {
    match read(client, sql, values).await {
        // A table was changed under the statement; prepared anew, it fits again.
        Ok(Err(error)) if is_outdated(&error) => {
            client.statement_cache.clear();
            told(read(client, sql, values).await)
        }
        answer => told(answer),
    }
}

/// What a statement gave, or why not: the runtime's own words, or the engine's error.
type Answer = Result<Result<Vec<Row>, Error>, String>;

/// Tells the app's mistakes from the store's trouble. A query that writes is refused as a read-only transaction, which is
/// no trouble of the store's.
pub fn told(answer: Answer) -> Result<Result<Vec<Row>, String>, Failed> {
    match answer {
        Ok(Ok(rows)) => Ok(Ok(rows)),
        Ok(Err(error)) if is_trouble(&error) && !is_written(&error) => Err(Failed::Engine(error)),
        Ok(Err(error)) => Ok(Err(words(&error))),
        Err(text) => Ok(Err(text)),
    }
}

fn is_written(error: &Error) -> bool {
    error.code() == Some(&tokio_postgres::error::SqlState::READ_ONLY_SQL_TRANSACTION)
}

async fn read(client: &mut Client, sql: &str, values: &[SqlValue]) -> Answer {
    let statement = match client.prepare_cached(sql).await {
        Ok(statement) => statement,
        Err(error) => return Ok(Err(error)),
    };
    let transaction = match client.build_transaction().read_only(true).start().await {
        Ok(transaction) => transaction,
        Err(error) => return Ok(Err(error)),
    };
    let rows = rows(&*transaction, &statement, values).await;
    // Nothing was written; the way it ends only matters to the connection.
    match transaction.rollback().await {
        Err(error) if matches!(rows, Ok(Ok(_))) => Ok(Err(error)),
        _ => rows,
    }
}

/// The rows that a statement gives on this connection.
pub async fn rows(client: &impl GenericClient, statement: &Statement, values: &[SqlValue]) -> Answer {
    if let Some(column) = statement.columns().iter().find(|column| !is_read(column.type_())) {
        let (name, of) = (column.name(), column.type_());
        return Err(format!("column {name:?} is of type {of}, which can't be read; cast it to text"));
    }
    fit(values, statement.params())?;
    let rows = match client.query_raw(statement, values.iter().map(Param)).await {
        Ok(rows) => rows,
        Err(error) => return Ok(Err(error)),
    };
    let names: Arc<[String]> = statement.columns().iter().map(|column| column.name().to_owned()).collect();
    let mut read = Vec::new();
    let mut rows = std::pin::pin!(rows);
    loop {
        match futures_util::StreamExt::next(&mut rows).await {
            None => return Ok(Ok(read)),
            Some(Err(error)) => return Ok(Err(error)),
            Some(Ok(row)) => read.push(Row::new(names.clone(), columns(&row)?)),
        }
    }
}

fn columns(row: &tokio_postgres::Row) -> Result<Vec<SqlValue>, String> {
    let value = |at: usize| {
        let column = row.try_get::<_, Column>(at).map(|column| column.0);
        column.map_err(|error| words(&error))
    };
    (0..row.len()).map(value).collect()
}

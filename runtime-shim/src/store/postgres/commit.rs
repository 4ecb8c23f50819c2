//! Runs a boundary in an open transaction: the fence settled, the app's writes, what it set off, all in one round trip.

use deadpool_postgres::Client;
use futures_util::future::join_all;
use tokio_postgres::{Error, Row, Statement};

use super::app_write::{self, Checked};
use super::failed::{Failed, is_conflict, is_outdated, is_trouble, words};
use super::fence::{self, Settling};
use super::{hear, insert_event, insert_run};
use crate::host::BoxFuture;
use crate::store::{Boundary, BoundaryEnd, SetOff};

/// How a boundary that ran ended, with its transaction or savepoint still open.
pub enum Ran {
    /// It is to be kept, and this is what it set off.
    Keep(Vec<SetOff>),
    /// It is to be undone, and this is the answer.
    Undo(BoundaryEnd),
    /// It met another transaction, or tables that have just changed: alone, it may go through.
    Again,
    /// The store is in trouble.
    Trouble(Error),
}

/// A boundary's statements, prepared on one connection.
pub struct Prepared {
    fence: Option<Statement>,
    writes: Vec<Statement>,
    event: Option<Statement>,
    run: Option<Statement>,
    hear: Option<Statement>,
}

/// Prepares a boundary outside of any transaction that it could break; how the boundary ends when it can't be.
pub async fn prepare(client: &Client, boundary: &Boundary) -> Result<Result<Prepared, BoundaryEnd>, Failed> {
    let mut writes = Vec::with_capacity(boundary.writes.len());
    for write in &boundary.writes {
        match app_write::prepare(client, write).await? {
            Checked::Fits(statement) => writes.push(statement),
            Checked::Refused(text) => return Ok(Err(BoundaryEnd::Refused(text))),
        }
    }
    let sets_off = !boundary.events.is_empty() || !boundary.runs.is_empty();
    let prepare = async |needed: bool, sql: &str| {
        if needed { client.prepare_cached(sql).await.map(Some) } else { Ok(None) }
    };
    let fence = match Settling::of(&boundary.fence, boundary.now_ms).sql() {
        Some(sql) => Some(client.prepare_cached(sql).await?),
        None => None,
    };
    Ok(Ok(Prepared {
        fence,
        writes,
        event: prepare(!boundary.events.is_empty(), insert_event::SQL).await?,
        run: prepare(!boundary.runs.is_empty(), insert_run::SQL).await?,
        hear: prepare(sets_off && boundary.claim.is_some(), hear::HEAR).await?,
    }))
}

/// What one statement gave.
enum Gave {
    Count(u64),
    Rows(Vec<Row>),
}

type Step<'a> = BoxFuture<'a, Result<Gave, Error>>;

/// Runs it after `opening`, the statement that begins its transaction or savepoint, without waiting for one answer before
/// the next statement is sent.
pub async fn run(client: &Client, opening: Option<&str>, boundary: &Boundary, prepared: &Prepared) -> Ran {
    let claim = boundary.claim.as_ref();
    let settling = Settling::of(&boundary.fence, boundary.now_ms);
    let events: Vec<_> = boundary.events.iter().map(|event| insert_event::Given::of(event, claim)).collect();
    let runs: Vec<_> = boundary.runs.iter().map(|run| insert_run::Given::of(run, claim)).collect();
    let mut steps: Vec<Step<'_>> = Vec::new();
    if let Some(opening) = opening {
        steps.push(Box::pin(async move { client.batch_execute(opening).await.map(|()| Gave::Count(0)) }));
    }
    if let Some(statement) = &prepared.fence {
        let params = settling.params();
        steps.push(Box::pin(async move { client.execute(statement, &params).await.map(Gave::Count) }));
    }
    for (statement, write) in prepared.writes.iter().zip(&boundary.writes) {
        let params = app_write::given(write);
        steps.push(Box::pin(async move { client.execute_raw(statement, params).await.map(Gave::Count) }));
    }
    let rows = |statement, params: Vec<_>| -> Step<'_> {
        Box::pin(async move { client.query(statement, &params).await.map(Gave::Rows) })
    };
    for (statement, event) in prepared.event.iter().cycle().zip(&events) {
        steps.push(rows(statement, event.params().to_vec()));
    }
    for (statement, run) in prepared.run.iter().cycle().zip(&runs) {
        steps.push(rows(statement, run.params().to_vec()));
    }
    if let (Some(statement), Some(claim)) = (&prepared.hear, claim) {
        let (instance, now_ms) = (&claim.instance, &boundary.now_ms);
        steps.push(Box::pin(
            async move { client.execute(statement, &[instance, now_ms]).await.map(Gave::Count) },
        ));
    }
    let results = join_all(steps).await;
    let skip = usize::from(opening.is_some());
    judge(boundary, skip, results)
}

/// The first statement that failed says why; those behind it only that it did.
fn judge(boundary: &Boundary, skip: usize, results: Vec<Result<Gave, Error>>) -> Ran {
    let mut gave = Vec::with_capacity(results.len());
    for result in results {
        match result {
            Ok(one) => gave.push(one),
            Err(error) if is_conflict(&error) || is_outdated(&error) => return Ran::Again,
            Err(error) if is_trouble(&error) => return Ran::Trouble(error),
            Err(error) => return Ran::Undo(BoundaryEnd::Refused(words(&error))),
        }
    }
    let mut gave = gave.into_iter().skip(skip);
    if Settling::of(&boundary.fence, boundary.now_ms).sql().is_some()
        && !matches!(gave.next(), Some(Gave::Count(1)))
    {
        return Ran::Undo(fence::ended(&boundary.fence));
    }
    for write in &boundary.writes {
        let Some(Gave::Count(got)) = gave.next() else { break };
        if let Some(end) = app_write::conflict(write, got) {
            return Ran::Undo(end);
        }
    }
    Ran::Keep(set_off(boundary, gave))
}

fn set_off(boundary: &Boundary, mut gave: impl Iterator<Item = Gave>) -> Vec<SetOff> {
    let claim = boundary.claim.as_ref();
    let mut set_off = Vec::new();
    for event in &boundary.events {
        if let Some(Gave::Rows(rows)) = gave.next() {
            set_off.extend(insert_event::set_off(event, claim, &rows));
        }
    }
    for run in &boundary.runs {
        if let Some(Gave::Rows(rows)) = gave.next() {
            set_off.extend(rows.iter().map(|row| insert_run::set_off(run, claim, row.get(0))));
        }
    }
    set_off
}

//! Commits a boundary: the fence, the app's writes, the events emitted with their deliveries, the runs, and `done`.

use rusqlite::Connection;

use super::failed::Failed;
use super::writer::Then;
use super::{app_write, fence, hear, insert_event, insert_run};
use crate::store::{Boundary, BoundaryEnd};

/// Whether the boundary is one statement, which needs no savepoint: its fence, settled.
pub fn is_bare(boundary: &Boundary) -> bool {
    boundary.writes.is_empty() && boundary.events.is_empty() && boundary.runs.is_empty()
}

/// Commits a boundary that [`is_bare`].
pub fn run_bare(connection: &Connection, boundary: &Boundary) -> Result<BoundaryEnd, Failed> {
    let ended = fence::settle(connection, &boundary.fence, boundary.now_ms)?;
    Ok(ended.unwrap_or(BoundaryEnd::Done(Vec::new())))
}

/// Commits any boundary, part of the caller's transaction.
pub fn run(connection: &Connection, boundary: &Boundary) -> Result<Then<BoundaryEnd>, Failed> {
    if let Some(end) = fence::check(connection, &boundary.fence)? {
        return Ok(Then::Undo(end));
    }
    for write in &boundary.writes {
        if let Err(end) = app_write::run(connection, write)? {
            return Ok(Then::Undo(end));
        }
    }
    let claim = boundary.claim.as_ref();
    let mut set_off = Vec::new();
    for event in &boundary.events {
        insert_event::run(connection, event, claim, &mut set_off)?;
    }
    for run in &boundary.runs {
        set_off.push(insert_run::run(connection, run, claim)?);
    }
    if let Some(claim) = claim
        && !set_off.is_empty()
    {
        hear::run(connection, claim.instance, boundary.now_ms)?;
    }
    Ok(match fence::settle(connection, &boundary.fence, boundary.now_ms)? {
        Some(end) => Then::Undo(end),
        None => Then::Keep(BoundaryEnd::Done(set_off)),
    })
}

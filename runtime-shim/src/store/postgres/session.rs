//! A transaction that a body has open: a connection of the pool, held by a task of its own that does what it is asked in
//! order and rolls back when nobody asks any more, or for too long.

use std::time::Duration;

use deadpool_postgres::Client;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::commit::{self, Ran};
use super::failed::{Failed, kind_of, words};
use super::tell::Teller;
use super::{app_write, fence, query};
use crate::limits;
use crate::sql::{Row, SqlValue};
use crate::store::{
    Boundary, BoundaryEnd, Fence, Kept, Place, StoreError, StoreErrorKind, StoreTransaction, Write,
};

type Queried = Result<Vec<Row>, String>;
type Executed = Result<u64, BoundaryEnd>;
type Answer<T> = oneshot::Sender<Result<T, Failed>>;

/// What the task is asked for.
enum Asked {
    Query(String, Vec<SqlValue>, Answer<Queried>),
    Execute(Write, Answer<Executed>),
    Commit(Box<Boundary>, Answer<BoundaryEnd>),
}

/// The body's side.
pub struct Session {
    place: Place,
    asks: mpsc::UnboundedSender<Asked>,
}

impl Session {
    /// Opens a transaction on a connection, if the fence lets it.
    pub async fn begin(
        client: Client,
        turn: OwnedSemaphorePermit,
        fence: &Fence,
        place: Place,
        teller: Teller,
    ) -> Result<Result<Session, BoundaryEnd>, Failed> {
        client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
        let checked = fence::check(&client, fence).await;
        if !matches!(checked, Ok(None)) {
            drop(client.batch_execute("ROLLBACK").await);
        }
        if let Some(end) = checked? {
            return Ok(Err(end));
        }
        let (asks, asked) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            serve(Open { client, ended: None, broken: None, teller, _turn: turn }, asked).await;
        });
        Ok(Ok(Session { place, asks }))
    }

    async fn ask<T>(&self, ask: impl FnOnce(Answer<T>) -> Asked) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // Whoever is gone drops the question, and with it the answer.
        drop(self.asks.send(ask(answer)));
        let answer = answered.await.unwrap_or(Err(Failed::Kind(too_long())));
        answer.map_err(|failed| StoreError { store: self.place.clone(), kind: failed.kind() })
    }
}

impl StoreTransaction for Session {
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Queried> {
        Box::pin(self.ask(|answer| Asked::Query(sql, params, answer)))
    }

    fn execute(&mut self, write: Write) -> Kept<'_, Executed> {
        Box::pin(self.ask(|answer| Asked::Execute(write, answer)))
    }

    fn commit(self: Box<Self>, rest: Boundary) -> Kept<'static, BoundaryEnd> {
        Box::pin(async move { self.ask(|answer| Asked::Commit(Box::new(rest), answer)).await })
    }
}

fn too_long() -> StoreErrorKind {
    StoreErrorKind::TransactionTooLong(limits::TRANSACTION_MS_MAX)
}

/// The task's side.
struct Open {
    client: Client,
    /// How the boundary ends, where that is settled already: what broke a transaction can't be kept any more.
    ended: Option<BoundaryEnd>,
    /// The trouble that broke it: the engine would roll back what is then told to be committed, and say that all is well.
    broken: Option<StoreErrorKind>,
    teller: Teller,
    /// Its place among the transactions that bodies may have open.
    _turn: OwnedSemaphorePermit,
}

async fn serve(mut open: Open, mut asked: mpsc::UnboundedReceiver<Asked>) {
    let until = Instant::now() + Duration::from_millis(limits::TRANSACTION_MS_MAX);
    while let Ok(Some(ask)) = timeout_at(until, asked.recv()).await {
        // What waits already is taken before the time is looked at, and a busy machine wakes this late.
        if Instant::now() >= until {
            break;
        }
        match ask {
            Asked::Query(sql, params, answer) => {
                let rows = open.query(&sql, &params).await;
                drop(answer.send(rows));
            }
            Asked::Execute(write, answer) => {
                let executed = open.execute(&write).await;
                drop(answer.send(executed));
            }
            Asked::Commit(rest, answer) => {
                let end = open.commit(&rest).await;
                drop(answer.send(end));
                return;
            }
        }
    }
    // Closed before it answers what still waits, so that nobody hears of an open transaction.
    drop(open.client.batch_execute("ROLLBACK").await);
}

impl Open {
    async fn query(&mut self, sql: &str, values: &[SqlValue]) -> Result<Queried, Failed> {
        if let Some(kind) = &self.broken {
            return Err(Failed::Kind(kind.clone()));
        }
        if let Some(BoundaryEnd::Refused(text)) = &self.ended {
            return Ok(Err(text.clone()));
        }
        if let Some(text) = crate::store::app_write::refused(sql) {
            return Ok(Err(text));
        }
        let answer = match self.client.prepare_cached(sql).await {
            Ok(statement) => query::rows(&**self.client, &statement, values).await,
            Err(error) => Ok(Err(error)),
        };
        let told = query::told(answer).map_err(|failed| self.break_off(failed))?;
        // The engine takes no more statements after one that it refused; one that reads nothing changes nothing.
        if let Err(text) = &told
            && self.client.simple_query("SELECT 1").await.is_err()
        {
            self.ended.get_or_insert_with(|| BoundaryEnd::Refused(text.clone()));
        }
        Ok(told)
    }

    async fn execute(&mut self, write: &Write) -> Result<Executed, Failed> {
        if let Some(kind) = &self.broken {
            return Err(Failed::Kind(kind.clone()));
        }
        if let Some(end) = &self.ended {
            return Ok(Err(end.clone()));
        }
        let executed = app_write::run(&self.client, write).await;
        let executed = executed.map_err(|failed| self.break_off(failed))?;
        if let Err(end) = &executed {
            self.ended = Some(end.clone());
        }
        Ok(executed)
    }

    /// Nothing of it can be kept any more.
    fn break_off(&mut self, failed: Failed) -> Failed {
        self.broken = Some(failed.kind());
        failed
    }

    async fn commit(&mut self, rest: &Boundary) -> Result<BoundaryEnd, Failed> {
        let end = self.end(rest).await;
        match &end {
            Ok(end @ BoundaryEnd::Done(_)) => self.teller.tell_of(end),
            _ => drop(self.client.batch_execute("ROLLBACK").await),
        }
        end
    }

    async fn end(&mut self, rest: &Boundary) -> Result<BoundaryEnd, Failed> {
        if let Some(end) = self.ended.take() {
            return Ok(end);
        }
        if let Some(kind) = self.broken.take() {
            return Err(Failed::Kind(kind));
        }
        let prepared = match commit::prepare(&self.client, rest).await? {
            Ok(prepared) => prepared,
            Err(end) => return Ok(end),
        };
        match commit::run(&self.client, None, rest, &prepared).await {
            Ran::Keep(set_off) => {
                let gone = self.client.is_closed();
                match self.client.batch_execute("COMMIT").await {
                    Ok(()) => Ok(BoundaryEnd::Done(set_off)),
                    Err(error) if !gone && error.as_db_error().is_none() => {
                        Err(Failed::Kind(StoreErrorKind::Uncertain(words(&error))))
                    }
                    Err(error) => Err(Failed::Kind(kind_of(&error))),
                }
            }
            Ran::Undo(end) => Ok(end),
            Ran::Again => {
                self.client.statement_cache.clear();
                Err(Failed::Kind(StoreErrorKind::Locked))
            }
            Ran::Trouble(error) => Err(Failed::Engine(error)),
        }
    }
}

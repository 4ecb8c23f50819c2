//! Gathers commits: what waits while others commit goes together, so a burst costs few commits and a single one waits for
//! nobody.
//!
//! Deliveries that write nothing are one statement for all of them. Boundaries that write share a transaction, each in its
//! own savepoint; a few such transactions are open at once, so that one that waits for a lock doesn't hold up the others.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Client;
use tokio::sync::oneshot;

use super::commit::{self, Prepared, Ran};
use super::failed::{Failed, kind_of, words};
use super::pool::Pool;
use super::walk;
use crate::limits;
use crate::store::{Boundary, BoundaryEnd, Fence, Held, SetOff, StoreErrorKind};

/// Marks what writes nothing as done, all in one statement. Each is looked up by its number; only what is claimed has a token,
/// and to name the state would have the planner walk everything that is claimed.
pub const ALL_DONE: &str = "
UPDATE jadpo_deliveries AS held SET
    state = 'done', finished_at_ms = over.now_ms, last_error = NULL,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS over (id, token, now_ms)
WHERE held.id = ANY ($1::bigint[]) AND held.id = over.id AND held.claim_token = over.token
RETURNING held.id, over.token";

/// Nothing is assumed of what the database sets by default: the fence rests on it.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SAVEPOINT jadpo_work";
const KEEP: &str = "RELEASE jadpo_work; SAVEPOINT jadpo_work";
const UNDO: &str = "ROLLBACK TO jadpo_work";
const UNDO_AND_COMMIT: &str = "ROLLBACK TO jadpo_work; COMMIT";

/// Commits of one store.
#[derive(Clone, Debug)]
pub struct Groups {
    pool: Pool,
    bare: Arc<Queue<Held>>,
    writing: Arc<Queue<Boundary>>,
}

/// A commit that waits.
#[derive(Debug)]
struct Job<W> {
    work: W,
    now_ms: i64,
    answer: oneshot::Sender<Result<BoundaryEnd, StoreErrorKind>>,
}

/// Commits of one kind that wait.
#[derive(Debug)]
struct Queue<W> {
    state: Mutex<Waiting<W>>,
    /// So many go together.
    together: usize,
}

#[derive(Debug)]
struct Waiting<W> {
    jobs: VecDeque<Job<W>>,
    /// Groups that are open now.
    open: usize,
}

impl Groups {
    /// Over these connections.
    pub fn new(pool: Pool) -> Groups {
        Groups {
            pool,
            bare: Arc::new(Queue::new(limits::POSTGRES_COMPLETIONS_GROUPED_MAX)),
            writing: Arc::new(Queue::new(limits::COMMITS_GROUPED_MAX)),
        }
    }

    /// Commits a boundary, together with what else waits.
    pub async fn commit(&self, boundary: Boundary) -> Result<BoundaryEnd, Failed> {
        let (answer, answered) = oneshot::channel();
        let now_ms = boundary.now_ms;
        match is_bare(&boundary) {
            Some(held) => {
                if self.bare.push(Job { work: held, now_ms, answer }) {
                    let (pool, queue) = (self.pool.clone(), self.bare.clone());
                    tokio::spawn(async move { finish_waiting(&pool, &queue).await });
                }
            }
            None => {
                if self.writing.push(Job { work: boundary, now_ms, answer }) {
                    let (pool, queue) = (self.pool.clone(), self.writing.clone());
                    tokio::spawn(async move { commit_waiting(&pool, &queue).await });
                }
            }
        }
        answered.await.unwrap_or(Err(StoreErrorKind::Closed)).map_err(Failed::Kind)
    }
}

/// The delivery that a boundary marks as done, where it does nothing else.
fn is_bare(boundary: &Boundary) -> Option<Held> {
    let Fence::Delivery(held) = boundary.fence else { return None };
    let bare = boundary.writes.is_empty() && boundary.events.is_empty() && boundary.runs.is_empty();
    bare.then_some(held)
}

impl<W> Queue<W> {
    fn new(together: usize) -> Queue<W> {
        Queue { state: Mutex::new(Waiting { jobs: VecDeque::new(), open: 0 }), together }
    }

    /// Whether another group is to be opened for it.
    fn push(&self, job: Job<W>) -> bool {
        let mut waiting = self.lock();
        waiting.jobs.push_back(job);
        let opens = waiting.open < limits::POSTGRES_GROUPS_AT_ONCE_MAX;
        waiting.open += usize::from(opens);
        opens
    }

    /// The next group; where none is left, whoever asked is done.
    fn take(&self) -> Option<Vec<Job<W>>> {
        let mut waiting = self.lock();
        if waiting.jobs.is_empty() {
            waiting.open -= 1;
            return None;
        }
        let count = waiting.jobs.len().min(self.together);
        Some(waiting.jobs.drain(..count).collect())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<W>> {
        // Nothing panics while it is held, so a poisoned lock still holds a whole state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> Job<W> {
    /// Whoever asked may have gone; then nobody hears it.
    fn answer(self, end: Result<BoundaryEnd, StoreErrorKind>) {
        drop(self.answer.send(end));
    }
}

fn refuse<W>(jobs: impl IntoIterator<Item = Job<W>>, kind: &StoreErrorKind) {
    for job in jobs {
        job.answer(Err(kind.clone()));
    }
}

async fn finish_waiting(pool: &Pool, queue: &Queue<Held>) {
    // Whatever else was handed over in this moment comes along.
    tokio::task::yield_now().await;
    while let Some(jobs) = queue.take() {
        match pool.get().await {
            Ok(client) => finish(&client, jobs).await,
            Err(failed) => refuse(jobs, &failed.kind()),
        }
    }
}

async fn finish(client: &Client, jobs: Vec<Job<Held>>) {
    let ids: Vec<i64> = jobs.iter().map(|job| job.work.id).collect();
    let tokens: Vec<i64> = jobs.iter().map(|job| job.work.token).collect();
    let nows: Vec<i64> = jobs.iter().map(|job| job.now_ms).collect();
    let rows = match walk::query(client, ALL_DONE, &[&ids, &tokens, &nows]).await {
        Ok(rows) => rows,
        Err(failed) => return refuse(jobs, &failed.kind()),
    };
    let done: BTreeSet<(i64, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    for job in jobs {
        let is_done = done.contains(&(job.work.id, job.work.token));
        job.answer(Ok(if is_done { BoundaryEnd::Done(Vec::new()) } else { BoundaryEnd::Fenced }));
    }
}

async fn commit_waiting(pool: &Pool, queue: &Queue<Boundary>) {
    tokio::task::yield_now().await;
    while let Some(jobs) = queue.take() {
        match pool.get().await {
            Ok(client) => commit_group(&client, jobs).await,
            Err(failed) => refuse(jobs, &failed.kind()),
        }
    }
}

/// Commits boundaries in one transaction, and those that met another one once more, each alone.
async fn commit_group(client: &Client, jobs: Vec<Job<Boundary>>) {
    let again = in_one_transaction(client, jobs).await;
    if !again.is_empty() {
        // Tables may have changed under the statements that were prepared for them.
        client.statement_cache.clear();
    }
    for job in again {
        refuse(in_one_transaction(client, vec![job]).await, &StoreErrorKind::Locked);
    }
}

/// Those that are to be run again alone.
async fn in_one_transaction(client: &Client, jobs: Vec<Job<Boundary>>) -> Vec<Job<Boundary>> {
    let (mut kept, mut again): (Vec<(Job<Boundary>, Vec<SetOff>)>, _) = (Vec::new(), Vec::new());
    let mut opening = BEGIN;
    for (job, prepared) in prepare_all(client, jobs).await {
        match commit::run(client, Some(opening), &job.work, &prepared).await {
            Ran::Keep(set_off) => {
                kept.push((job, set_off));
                opening = KEEP;
                continue;
            }
            Ran::Undo(end) => job.answer(Ok(end)),
            Ran::Again => again.push(job),
            Ran::Trouble(error) => job.answer(Err(kind_of(&error))),
        }
        opening = UNDO;
    }
    if opening != BEGIN {
        close(client, opening, kept).await;
    }
    again
}

/// Prepares each before the transaction begins, which a mistake in a statement would break.
async fn prepare_all(client: &Client, jobs: Vec<Job<Boundary>>) -> Vec<(Job<Boundary>, Prepared)> {
    let mut ready = Vec::with_capacity(jobs.len());
    for job in jobs {
        match commit::prepare(client, &job.work).await {
            Ok(Ok(prepared)) => ready.push((job, prepared)),
            Ok(Err(end)) => job.answer(Ok(end)),
            Err(failed) => job.answer(Err(failed.kind())),
        }
    }
    ready
}

/// Ends the group's transaction and answers what it kept.
async fn close(client: &Client, last: &str, kept: Vec<(Job<Boundary>, Vec<SetOff>)>) {
    let ending = match last {
        _ if kept.is_empty() => "ROLLBACK",
        UNDO => UNDO_AND_COMMIT,
        _ => "COMMIT",
    };
    let gone = client.is_closed();
    let kind = match client.batch_execute(ending).await {
        Ok(()) => {
            for (job, set_off) in kept {
                job.answer(Ok(BoundaryEnd::Done(set_off)));
            }
            return;
        }
        // The line broke while the answer was awaited.
        Err(error) if !gone && error.as_db_error().is_none() => StoreErrorKind::Uncertain(words(&error)),
        Err(error) => kind_of(&error),
    };
    refuse(kept.into_iter().map(|(job, _)| job), &kind);
}

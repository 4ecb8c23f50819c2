//! Whose turn it is on the writing connection: groups of commits, or one body's transaction while the others wait.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::failed::Failed;
use super::fence;
use super::session::SessionWork;
use super::worker::Asker;
use super::writer::{Work, run_group};
use crate::limits;
use crate::store::{BoundaryEnd, Fence};

/// What the writing thread is handed.
pub enum Task {
    /// Goes into a group with what else waits.
    Grouped(Work),
    /// Opens a body's transaction, if the fence lets it.
    Open {
        /// Its number.
        session: u64,
        fence: Fence,
        asker: Asker<Result<(), BoundaryEnd>>,
    },
    /// Runs in that transaction, or hears that it is open no more.
    InSession { session: u64, work: SessionWork },
    /// Rolls it back, or forgets that it waits.
    Close { session: u64 },
}

/// The turns on one connection.
pub struct Turns {
    connection: Connection,
    /// The transaction that a body has open.
    open: Option<Open>,
    /// What came while it was open.
    waiting: VecDeque<Task>,
    /// How long a body may have it open, ms.
    most_ms: Option<u64>,
}

struct Open {
    session: u64,
    until: Option<Instant>,
}

impl Turns {
    /// The turns on a connection that nobody uses yet.
    pub fn new(connection: Connection, most_ms: Option<u64>) -> Turns {
        Turns { connection, open: None, waiting: VecDeque::new(), most_ms }
    }

    /// Works until nothing more can come.
    pub fn run(&mut self, received: &Receiver<Task>) {
        while let Some(task) = self.next(received) {
            self.take(task, received);
        }
    }

    fn next(&mut self, received: &Receiver<Task>) -> Option<Task> {
        let Some(open) = &self.open else {
            return self.waiting.pop_front().or_else(|| received.recv().ok());
        };
        let Some(until) = open.until else { return received.recv().ok() };
        match received.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(task) => {
                // What waits already is taken before the time is looked at, and a busy machine wakes this late.
                if Instant::now() >= until {
                    self.roll_back();
                }
                Some(task)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.roll_back();
                self.next(received)
            }
        }
    }

    fn take(&mut self, task: Task, received: &Receiver<Task>) {
        let open = self.open.as_ref().map(|open| open.session);
        match task {
            Task::InSession { session, work } => {
                let ours = open == Some(session);
                let stays = work(ours.then_some(&self.connection));
                if ours && !stays {
                    self.roll_back();
                }
            }
            Task::Close { session } if open == Some(session) => self.roll_back(),
            Task::Close { session } => self
                .waiting
                .retain(|task| !matches!(task, Task::Open { session: waiting, .. } if *waiting == session)),
            task @ (Task::Grouped(_) | Task::Open { .. }) if open.is_some() => self.waiting.push_back(task),
            Task::Open { session, fence, asker } => asker.answer(self.begin(session, &fence)),
            Task::Grouped(first) => {
                let group = self.group(first, received);
                run_group(&self.connection, group);
            }
        }
    }

    /// The work that goes into one transaction with this one: what waits, as long as nobody in between opens one.
    fn group(&mut self, first: Work, received: &Receiver<Task>) -> Vec<Work> {
        let mut group = vec![first];
        while group.len() < limits::COMMITS_GROUPED_MAX {
            match self.waiting.pop_front().or_else(|| received.try_recv().ok()) {
                Some(Task::Grouped(work)) => group.push(work),
                Some(other) => {
                    self.waiting.push_front(other);
                    break;
                }
                None => break,
            }
        }
        group
    }

    fn begin(&mut self, session: u64, fence: &Fence) -> Result<Result<(), BoundaryEnd>, Failed> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        match fence::check(&self.connection, fence) {
            Ok(None) => {
                let until = self.most_ms.map(|most_ms| Instant::now() + Duration::from_millis(most_ms));
                self.open = Some(Open { session, until });
                Ok(Ok(()))
            }
            ended => {
                self.roll_back();
                Ok(Err(ended?.unwrap_or(BoundaryEnd::Fenced)))
            }
        }
    }

    /// Rolls back what is not committed.
    fn roll_back(&mut self) {
        self.open = None;
        if !self.connection.is_autocommit() {
            drop(self.connection.execute_batch("ROLLBACK"));
        }
    }
}

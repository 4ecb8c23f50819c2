//! What a tick asks of one store: which of its polls and schedules are due. Each store is asked beside the others, so that one
//! that hangs holds up no tick.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pieces::{Line, Pieces};
use crate::engine::Engine;
use crate::open_store::OpenStore;
use crate::poll::{self, PollTask};
use crate::schedule::{self, ScheduleTask};
use crate::store::{PollRow, ScheduleRow};

/// One store at one tick.
pub struct Look {
    pub engine: Arc<Engine>,
    pub open: OpenStore,
    pub pieces: Pieces,
    pub tick_ms: i64,
}

impl Look {
    /// One statement tells what is due; a store that fails here is asked again by the next tick.
    /// The tasks come in the order of their names.
    pub async fn start_polls(self, tasks: Arc<Vec<Arc<PollTask>>>) {
        let rows = self.open.store.poll_rows().await;
        let Ok(rows) = self.open.heed_read(&self.engine, rows) else { return };
        for task in due(rows, &tasks, self.tick_ms) {
            self.start_poll(task.clone());
        }
    }

    fn start_poll(&self, task: Arc<PollTask>) {
        let (engine, open, tick_ms) = (self.engine.clone(), self.open.clone(), self.tick_ms);
        let (line, name) = (Line::Polls(task.connection.clone()), task.name.clone());
        self.pieces.start(&self.engine, line, &name, async move {
            if let Some(connection) = engine.connections.get(&task.connection).cloned() {
                poll::run(&engine, &open, &connection, &task, tick_ms).await;
            }
        });
    }

    /// One statement tells what may be due.
    pub async fn start_schedules(self, tasks: Arc<Vec<Arc<ScheduleTask>>>) {
        let rows = self.open.store.schedule_rows().await;
        let Ok(rows) = self.open.heed_read(&self.engine, rows) else { return };
        let rows: BTreeMap<&str, &ScheduleRow> = rows.iter().map(|row| (row.name.as_str(), row)).collect();
        for task in tasks.iter() {
            if task.may_be_due(rows.get(task.name.as_str()).copied(), self.tick_ms) {
                self.start_schedule(task.clone());
            }
        }
    }

    fn start_schedule(&self, task: Arc<ScheduleTask>) {
        let (engine, open, tick_ms) = (self.engine.clone(), self.open.clone(), self.tick_ms);
        let uses = engine.plan.actions.get(&task.action).map(|action| action.uses.clone());
        let line = Line::Schedules(uses.unwrap_or_default());
        let name = format!("schedule {}", task.name);
        self.pieces.start(&self.engine, line, &name, async move {
            schedule::run(&engine, &open, &task, tick_ms).await;
        });
    }
}

/// Which of some polls, in the order of their names, are due. Their rows are gone through beside them: there may be a great
/// many of both, of which few are due.
fn due(
    mut rows: Vec<PollRow>,
    tasks: &[Arc<PollTask>],
    tick_ms: i64,
) -> impl Iterator<Item = &Arc<PollTask>> {
    // Most stores give them so.
    if !rows.is_sorted_by(|one, next| one.name <= next.name) {
        rows.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    }
    let mut rows = rows.into_iter().peekable();
    tasks.iter().filter(move |task| {
        while rows.next_if(|row| row.name < task.name).is_some() {}
        let row = rows.next_if(|row| row.name == task.name);
        poll::is_due(row.as_ref(), tick_ms, task.every_ms)
    })
}

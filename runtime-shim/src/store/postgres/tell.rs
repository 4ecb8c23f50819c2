//! Tells other instances that work is due: once a window, however many commits there were in it, and never for each row.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::pool::Pool;
use super::statement::query;
use crate::limits;
use crate::store::{BoundaryEnd, SetOff};

/// What instances listen to.
pub const CHANNEL: &str = "jadpo";

const SQL: &str = "SELECT pg_notify('jadpo', $1)";

/// Tells other instances.
#[derive(Clone, Debug)]
pub struct Teller {
    pool: Pool,
    /// Who tells, so that it need not hear itself.
    me: Arc<str>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Whether a window is open.
    open: bool,
    /// Whether there was more since it was opened.
    more: bool,
}

impl Teller {
    /// Over these connections, under a name that no other store has.
    pub fn new(pool: Pool, me: Arc<str>) -> Teller {
        Teller { pool, me, state: Arc::default() }
    }

    /// Tells of a commit that left work which others could take.
    pub fn tell_of(&self, end: &BoundaryEnd) {
        let BoundaryEnd::Done(set_off) = end else { return };
        let is_free = |one: &SetOff| match one {
            SetOff::Delivery { claimed, .. } => claimed.is_none(),
            SetOff::Run { claimed, .. } => claimed.is_none(),
        };
        if set_off.iter().any(is_free) {
            self.tell();
        }
    }

    /// There is something new. The first of a window is told at once, those that follow at its end.
    pub fn tell(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.open {
            state.more = true;
            return;
        }
        state.open = true;
        drop(state);
        let teller = self.clone();
        tokio::spawn(async move { teller.run().await });
    }

    async fn run(self) {
        loop {
            // One that can't be told is found by the others' next look.
            if let Ok(client) = self.pool.get().await {
                drop(query(&client, SQL, &[&&*self.me]).await);
            }
            tokio::time::sleep(Duration::from_millis(limits::WAKE_WINDOW_MS)).await;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if !std::mem::take(&mut state.more) {
                state.open = false;
                return;
            }
        }
    }
}

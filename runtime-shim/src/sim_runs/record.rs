//! What took effect in the stores of a run, as a witness beside them saw it, whoever still heard the answer.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sim::Timers;
use crate::store::{
    Boundary, BoundaryEnd, ClaimPoll, ClaimSchedule, Fence, GivenBack, Held, KeepPoll, NewEvent, PollFailure,
    ScheduleClaim, SetOff,
};

/// The witness.
pub struct Record {
    timers: Timers,
    facts: Mutex<Facts>,
}

/// What it saw.
#[derive(Debug, Default)]
pub struct Facts {
    /// Each event that was kept, in order.
    pub events: Vec<NewEvent>,
    /// Inputs of the batch runs that were kept.
    pub runs: Vec<String>,
    /// Backfills that were kept.
    pub fills: u64,
    /// When each poll may be claimed next, at a tick, and the interval that it was last claimed under.
    poll_due_ms: BTreeMap<String, (i64, i64)>,
    /// Claims of polls.
    pub poll_claims: u64,
    /// When each schedule may be claimed next, at a tick.
    schedule_due_ms: BTreeMap<String, i64>,
    /// Claims of a schedule's run for a time of its own.
    pub runs_claimed: u64,
    /// Runs of schedules whose action is committed.
    pub runs_done: u64,
    /// Runs of schedules that were recorded failed.
    pub runs_failed: u64,
    /// The token of the last claim of each delivery, run and schedule, by its kind and store or name.
    tokens: BTreeMap<(String, i64), i64>,
    /// Statements that were asked for.
    pub statements: u64,
    /// Statements that changed something which may wake a loop.
    pub wakes: u64,
    /// Rules that were broken.
    pub wrong: Vec<String>,
    /// Everything in order, where a run is watched.
    trace: Option<Vec<String>>,
}

impl Record {
    /// An empty one. A run that is watched leaves a trace.
    pub fn new(timers: Timers, watched: bool) -> Record {
        let facts = Facts { trace: watched.then(Vec::new), ..Facts::default() };
        Record { timers, facts: Mutex::new(facts) }
    }

    /// What was seen so far.
    pub fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The trace of a watched run.
    pub fn take_trace(&self) -> Vec<String> {
        self.facts().trace.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Puts a line into the trace; the line is made only where there is one.
    pub fn trace<D: Display>(&self, line: impl FnOnce() -> D) {
        let now_us = self.timers.now_us();
        if let Some(trace) = &mut self.facts().trace {
            trace.push(format!("{:>10}.{:03} {}", now_us / 1_000, now_us % 1_000, line()));
        }
    }
}

impl Drop for Record {
    /// The trace of a run that broke a promise would go with it otherwise.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.take_trace().iter().for_each(|line| eprintln!("{line}"));
        }
    }
}

impl Facts {
    pub fn claimed_poll(&mut self, claim: &ClaimPoll, got: bool) {
        if !got {
            return;
        }
        self.poll_claims += 1;
        let next = (claim.tick_ms + claim.every_ms, claim.every_ms);
        let known = self.poll_due_ms.insert(claim.name.clone(), next);
        // One whose interval became shorter is due at once where it stands further away than the new one.
        let early = |(due_ms, every_ms): (i64, i64)| {
            claim.tick_ms < due_ms && (every_ms == claim.every_ms || due_ms - claim.tick_ms <= claim.every_ms)
        };
        if known.is_some_and(early) {
            self.wrong.push(format!("{} was claimed at {} and again within it", claim.name, claim.tick_ms));
        }
    }

    pub fn failed_poll(&mut self, failure: &PollFailure, stood: bool) {
        self.poll_due(&failure.name, failure.due_ms, stood);
    }

    /// A poll is due then, which its own claim said.
    pub fn poll_due(&mut self, name: &str, due_ms: i64, stood: bool) {
        if stood && let Some(known) = self.poll_due_ms.get_mut(name) {
            known.0 = due_ms;
        }
    }

    pub fn kept_poll(&mut self, keep: &KeepPoll, kept: bool) {
        if kept {
            self.wakes += 1;
            self.events.push(keep.event.clone());
        }
    }

    pub fn claimed_schedule(&mut self, claim: &ClaimSchedule, got: Option<&ScheduleClaim>) {
        let Some(got) = got else { return };
        let due_ms = self.schedule_due_ms.insert(claim.name.clone(), claim.next_due_ms);
        self.claimed(&claim.name, 0, got.token);
        if got.lost_before {
            return;
        }
        self.runs_claimed += 1;
        if due_ms.is_some_and(|due_ms| claim.tick_ms < due_ms) {
            self.wrong.push(format!("{} ran at {} and again within it", claim.name, claim.tick_ms));
        }
    }

    /// Claims that nobody heard of were given back.
    pub fn given_back_unstarted(&mut self, given: GivenBack, now_ms: i64) {
        self.wakes += 1;
        self.given_back_schedules(given.schedules, now_ms);
    }

    /// So many runs of the one schedule that there is were given back: it is due again then.
    pub fn given_back_schedules(&mut self, given: u64, due_ms: i64) {
        if given > 0 {
            self.runs_claimed -= given;
            self.schedule_due_ms.values_mut().for_each(|known_ms| *known_ms = due_ms);
        }
    }

    pub fn failed_schedule(&mut self, stood: bool) {
        self.runs_failed += u64::from(stood);
    }

    /// Something of a kind is claimed under this token: an earlier claim of it may keep nothing any more.
    pub fn claimed(&mut self, kind: &str, id: i64, token: i64) {
        self.tokens.insert((kind.to_owned(), id), token);
    }

    /// What was held under a claim was ended, or held longer.
    pub fn held(&mut self, kind: &str, held: Held) {
        if self.is_late(kind, held) {
            self.wrong.push(format!("a late worker kept what it did to {kind} {}", held.id));
        }
    }

    /// So many of these claims were given back.
    pub fn gave_back(&mut self, kind: &str, asked: &[Held], stood: u64) {
        let late = asked.iter().filter(|held| self.is_late(kind, **held)).count();
        if stood + late as u64 > asked.len() as u64 {
            self.wrong.push(format!("a late worker gave back a {kind} of somebody else's"));
        }
    }

    /// Whether somebody has claimed it since. What another's answer told of is not known here, and not judged.
    fn is_late(&self, kind: &str, held: Held) -> bool {
        self.tokens.get(&(kind.to_owned(), held.id)).is_some_and(|last| *last != held.token)
    }

    pub fn committed(&mut self, store: &str, boundary: &Boundary, end: &BoundaryEnd) {
        let BoundaryEnd::Done(set_off) = end else { return };
        match &boundary.fence {
            Fence::Delivery(held) => self.held(&format!("delivery of {store}"), *held),
            Fence::Step { held, .. } => self.held(&format!("run of {store}"), *held),
            Fence::Schedule { name, token } => self.held(name, Held { id: 0, token: *token }),
            Fence::Free | Fence::Received { .. } => {}
        }
        for one in set_off {
            if let SetOff::Delivery { id, claimed: Some(claimed), .. } = one {
                self.claimed(&format!("delivery of {store}"), *id, claimed.token);
            }
        }
        self.wakes += 1;
        self.runs_done += u64::from(matches!(boundary.fence, Fence::Schedule { .. }));
        self.events.extend(boundary.events.iter().cloned());
        self.fills += boundary.runs.iter().filter(|run| run.batch == "fill").count() as u64;
        self.runs.extend(boundary.runs.iter().filter_map(|run| run.input.clone()));
    }
}

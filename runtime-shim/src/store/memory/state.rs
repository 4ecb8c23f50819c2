//! What a store in memory holds: the rows of the other engines' tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::store::{Held, NewEvent, NewRun, Write};

/// Everything that is kept.
#[derive(Debug, Default)]
pub struct State {
    pub operations: u64,
    pub polls: BTreeMap<String, PollKept>,
    /// An event loses its deliveries as it is kept; they are rows of their own.
    pub events: BTreeMap<i64, NewEvent>,
    pub deliveries: BTreeMap<i64, Delivery>,
    pub schedules: BTreeMap<String, Schedule>,
    pub runs: BTreeMap<i64, Run>,
    /// When a delivery of another store was received.
    pub received: BTreeMap<(String, i64), i64>,
    /// When each instance was last heard from.
    pub instances: BTreeMap<i64, i64>,
    /// What the app wrote.
    pub writes: Vec<Write>,
    last_id: i64,
}

/// A poll.
#[derive(Debug)]
pub struct PollKept {
    pub next_due_ms: i64,
    pub every_ms: i64,
    pub claim_no: i64,
    pub digest: Option<String>,
    pub changed_at_ms: Option<i64>,
    pub last_error: Option<String>,
    pub failed_at_ms: Option<i64>,
}

/// Where a delivery or a batch run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    Pending,
    Claimed(Claim),
    Done(i64),
    Failed(i64),
    Discarded(i64),
}

/// Who holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub token: i64,
    pub instance: i64,
    pub until_ms: i64,
}

/// A delivery.
#[derive(Debug)]
pub struct Delivery {
    pub event_id: i64,
    pub subscriber: String,
    pub stands: Stands,
    pub attempts: u32,
    pub due_ms: i64,
    pub give_up_ms: i64,
    pub last_error: Option<String>,
}

/// A schedule.
#[derive(Debug)]
pub struct Schedule {
    pub next_due_ms: i64,
    pub spec: String,
    pub claim: Option<Claim>,
    pub last_run_ms: Option<i64>,
    pub last_error: Option<String>,
    pub failed_at_ms: Option<i64>,
}

/// A batch run.
#[derive(Debug)]
pub struct Run {
    pub new: NewRun,
    pub cursor: Option<String>,
    pub stands: Stands,
    pub steps: u64,
    pub skipped: u64,
    pub attempts: u32,
    pub due_ms: i64,
    pub last_error: Option<String>,
}

impl Stands {
    /// The claim, where it is held.
    pub fn claim(self) -> Option<Claim> {
        match self {
            Stands::Claimed(claim) => Some(claim),
            _ => None,
        }
    }

    /// Whether it ended in a way that the purge lets go of, and when.
    pub fn over_ms(self) -> Option<i64> {
        match self {
            Stands::Done(at_ms) | Stands::Discarded(at_ms) => Some(at_ms),
            _ => None,
        }
    }
}

impl State {
    /// A number that rises.
    pub fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }

    pub fn hear(&mut self, instance: i64, now_ms: i64) {
        self.instances.insert(instance, now_ms);
    }

    /// When a claim counts as lost in the eyes of an instance.
    pub fn lost_ms(&self, claim: Claim, instance: i64, silent_ms: i64) -> i64 {
        if claim.instance == instance {
            return claim.until_ms;
        }
        let heard_ms = self.instances.get(&claim.instance).copied().unwrap_or(0);
        claim.until_ms.min(heard_ms.saturating_add(silent_ms))
    }

    /// The delivery that is held under this claim.
    pub fn held_delivery(&mut self, held: Held) -> Option<&mut Delivery> {
        let delivery = self.deliveries.get_mut(&held.id)?;
        (delivery.stands.claim()?.token == held.token).then_some(delivery)
    }

    /// The batch run that is held under this claim.
    pub fn held_run(&mut self, held: Held) -> Option<&mut Run> {
        let run = self.runs.get_mut(&held.id)?;
        (run.stands.claim()?.token == held.token).then_some(run)
    }

    /// The schedule whose run is held under this claim.
    pub fn held_schedule(&mut self, name: &str, token: i64) -> Option<&mut Schedule> {
        let schedule = self.schedules.get_mut(name)?;
        (schedule.claim?.token == token).then_some(schedule)
    }

    /// Those who hold something.
    pub fn holders(&self) -> BTreeSet<i64> {
        let deliveries = self.deliveries.values().filter_map(|delivery| delivery.stands.claim());
        let runs = self.runs.values().filter_map(|run| run.stands.claim());
        let schedules = self.schedules.values().filter_map(|schedule| schedule.claim);
        deliveries.chain(runs).chain(schedules).map(|claim| claim.instance).collect()
    }
}

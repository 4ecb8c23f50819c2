//! Boundaries in memory: the fence, what is gathered, and what it sets off.

use super::state::{Claim, Delivery, Run, Stands, State};
use crate::store::app_write::refused;
use crate::store::{Boundary, BoundaryEnd, ClaimOwn, ClaimedRun, Fence, NewEvent, NewRun, SetOff};

impl State {
    pub fn commit(&mut self, boundary: Boundary) -> BoundaryEnd {
        if let Some(end) = self.fenced(&boundary.fence) {
            return end;
        }
        if let Some(text) = boundary.writes.iter().find_map(|write| refused(&write.sql)) {
            return BoundaryEnd::Refused(text);
        }
        self.settle(boundary.fence, boundary.now_ms);
        self.writes.extend(boundary.writes);
        let claim = boundary.claim.as_ref();
        let mut set_off = Vec::new();
        for event in boundary.events {
            set_off.extend(self.keep_event(event, claim));
        }
        for run in boundary.runs {
            set_off.push(self.set_off_run(run, claim));
        }
        if let Some(claim) = claim
            && !set_off.is_empty()
        {
            self.hear(claim.instance, boundary.now_ms);
        }
        BoundaryEnd::Done(set_off)
    }

    /// How a boundary ends whose fence does not stand.
    fn fenced(&mut self, fence: &Fence) -> Option<BoundaryEnd> {
        let stands = match fence {
            Fence::Free => true,
            Fence::Delivery(held) => self.held_delivery(*held).is_some(),
            Fence::Received { store, delivery } => {
                let known = self.received.contains_key(&(store.clone(), *delivery));
                return known.then_some(BoundaryEnd::Received);
            }
            Fence::Schedule { name, token } => self.held_schedule(name, *token).is_some(),
            Fence::Step { held, before, .. } => self.held_run(*held).is_some_and(|run| run.steps == *before),
        };
        (!stands).then_some(BoundaryEnd::Fenced)
    }

    /// Settles a fence that stands.
    fn settle(&mut self, fence: Fence, now_ms: i64) {
        match fence {
            Fence::Free => {}
            Fence::Delivery(held) => drop(self.finish(held, now_ms)),
            Fence::Received { store, delivery } => drop(self.received.insert((store, delivery), now_ms)),
            Fence::Schedule { name, token } => {
                if let Some(schedule) = self.held_schedule(&name, token) {
                    schedule.claim = None;
                    schedule.last_run_ms = Some(now_ms);
                    (schedule.last_error, schedule.failed_at_ms) = (None, None);
                }
            }
            Fence::Step { held, cursor, skipped, .. } => {
                if let Some(run) = self.held_run(held) {
                    (run.steps, run.last_error) = (run.steps + 1, None);
                    run.skipped += skipped.len() as u64;
                    if cursor.is_some() {
                        (run.cursor, run.attempts) = (cursor, 1);
                    } else {
                        run.stands = Stands::Done(now_ms);
                    }
                }
            }
        }
    }

    /// Keeps an event with its deliveries, claimed where they are the claimer's.
    pub fn keep_event(&mut self, mut event: NewEvent, claim: Option<&ClaimOwn>) -> Vec<SetOff> {
        let event_id = self.next_id();
        let deliveries = std::mem::take(&mut event.deliveries);
        let due_ms = event.created_at_ms;
        self.events.insert(event_id, event);
        let mut set_off = Vec::with_capacity(deliveries.len());
        for new in deliveries {
            let id = self.next_id();
            let (subscriber, give_up_ms) = (new.subscriber, new.give_up_ms);
            let delivery = Delivery {
                event_id,
                subscriber: subscriber.clone(),
                stands: Stands::Pending,
                attempts: 0,
                due_ms,
                give_up_ms,
                last_error: None,
            };
            self.deliveries.insert(id, delivery);
            let claim = claim.filter(|claim| claim.subscribers.contains(&subscriber));
            let claimed = claim.and_then(|claim| self.claim_delivery(id, held(claim))).map(Box::new);
            set_off.push(SetOff::Delivery { id, subscriber, due_ms, give_up_ms, claimed });
        }
        set_off
    }

    fn set_off_run(&mut self, run: NewRun, claim: Option<&ClaimOwn>) -> SetOff {
        let claim = claim.filter(|claim| claim.batches.contains(&run.batch)).map(held);
        let batch = run.batch.clone();
        let id = self.start_run(run, claim);
        let claimed = claim.and_then(|claim| self.claimed_run(id, claim.token)).map(Box::new);
        SetOff::Run { id, batch, claimed }
    }

    /// Keeps a batch run, claimed where somebody claims it; its id.
    pub fn start_run(&mut self, new: NewRun, claim: Option<Claim>) -> i64 {
        let id = self.next_id();
        let run = Run {
            due_ms: new.created_at_ms,
            new,
            cursor: None,
            stands: claim.map_or(Stands::Pending, Stands::Claimed),
            steps: 0,
            skipped: 0,
            attempts: claim.is_some().into(),
            last_error: None,
        };
        self.runs.insert(id, run);
        id
    }

    /// A run as its claimer sees it.
    pub fn claimed_run(&self, id: i64, token: i64) -> Option<ClaimedRun> {
        let run = self.runs.get(&id)?;
        Some(ClaimedRun {
            id,
            token,
            batch: run.new.batch.clone(),
            input: run.new.input.clone(),
            cursor: run.cursor.clone(),
            steps: run.steps,
            attempts: run.attempts,
            trace: run.new.trace.clone(),
        })
    }
}

fn held(claim: &ClaimOwn) -> Claim {
    Claim { token: claim.token, instance: claim.instance, until_ms: claim.until_ms }
}

//! Schedules and batch runs in memory.

use super::state::{Claim, Run, Schedule, Stands, State};
use crate::store::{
    ClaimRun, ClaimSchedule, ClaimedRun, FailedRun, Held, RunCounts, ScheduleClaim, ScheduleRow,
    ScheduleState, SetOff,
};

impl State {
    pub fn schedule_rows(&self) -> Vec<ScheduleRow> {
        let row = |(name, schedule): (&String, &Schedule)| ScheduleRow {
            name: name.clone(),
            next_due_ms: schedule.next_due_ms,
            spec: schedule.spec.clone(),
            claimed_until_ms: schedule.claim.map(|claim| claim.until_ms),
        };
        self.schedules.iter().map(row).collect()
    }

    pub fn claim_schedule(&mut self, claim: ClaimSchedule) -> Option<ScheduleClaim> {
        let ClaimSchedule { name, tick_ms, now_ms, next_due_ms, spec, token, instance, .. } = claim;
        let held = self.schedules.get(&name).and_then(|schedule| schedule.claim);
        let lost = held.map(|held| self.lost_ms(held, instance, claim.silent_ms) <= now_ms);
        let Some(schedule) = self.schedules.get_mut(&name) else {
            let new = Schedule {
                next_due_ms,
                spec,
                claim: None,
                last_run_ms: None,
                last_error: None,
                failed_at_ms: None,
            };
            self.schedules.insert(name, new);
            return None;
        };
        let another = schedule.spec != spec;
        if !lost.unwrap_or(schedule.next_due_ms <= tick_ms || another) {
            return None;
        }
        (schedule.next_due_ms, schedule.spec) = (next_due_ms, spec);
        if lost.is_none() && another {
            return None;
        }
        schedule.claim = Some(Claim { token, instance, until_ms: claim.until_ms });
        self.hear(instance, now_ms);
        Some(ScheduleClaim { token, lost_before: lost.is_some() })
    }

    pub fn fail_schedule(&mut self, name: &str, token: i64, now_ms: i64, error: String) -> bool {
        let Some(schedule) = self.held_schedule(name, token) else { return false };
        schedule.claim = None;
        (schedule.last_error, schedule.failed_at_ms) = (Some(error), Some(now_ms));
        true
    }

    pub fn give_back_schedule(&mut self, name: &str, token: i64, due_ms: i64) -> bool {
        let Some(schedule) = self.held_schedule(name, token) else { return false };
        (schedule.claim, schedule.next_due_ms) = (None, due_ms);
        true
    }

    pub fn schedule_states(&self) -> Vec<ScheduleState> {
        let state = |(name, schedule): (&String, &Schedule)| ScheduleState {
            name: name.clone(),
            next_due_ms: schedule.next_due_ms,
            running: schedule.claim.is_some(),
            last_run_ms: schedule.last_run_ms,
            last_error: schedule.last_error.clone(),
            failed_at_ms: schedule.failed_at_ms,
        };
        self.schedules.iter().map(state).collect()
    }

    pub fn claim_run(&mut self, claim: &ClaimRun) -> Option<ClaimedRun> {
        let free = |(id, run): &(&i64, &Run)| {
            claim.batches.contains(&run.new.batch)
                && match run.stands {
                    Stands::Pending => run.due_ms <= claim.now_ms,
                    Stands::Claimed(held) => {
                        !claim.running.contains(id)
                            && self.lost_ms(held, claim.instance, claim.silent_ms) <= claim.now_ms
                    }
                    _ => false,
                }
        };
        let (_, id) = self.runs.iter().filter(free).map(|(id, run)| (run.due_ms, *id)).min()?;
        let run = self.runs.get_mut(&id)?;
        let held = Claim { token: claim.token, instance: claim.instance, until_ms: claim.until_ms };
        run.stands = Stands::Claimed(held);
        run.attempts += 1;
        self.hear(claim.instance, claim.now_ms);
        self.claimed_run(id, claim.token)
    }

    pub fn renew_run(&mut self, held: Held, until_ms: i64) -> bool {
        let Some(run) = self.held_run(held) else { return false };
        if let Stands::Claimed(claim) = &mut run.stands {
            claim.until_ms = until_ms;
        }
        true
    }

    pub fn retry_run(&mut self, held: Held, due_ms: i64, error: String) -> bool {
        let Some(run) = self.held_run(held) else { return false };
        (run.stands, run.due_ms, run.last_error) = (Stands::Pending, due_ms, Some(error));
        true
    }

    pub fn fail_run(&mut self, held: Held, now_ms: i64, error: String) -> bool {
        let Some(run) = self.held_run(held) else { return false };
        (run.stands, run.last_error) = (Stands::Failed(now_ms), Some(error));
        true
    }

    pub fn give_back_run(&mut self, held: Held, due_ms: i64) -> bool {
        let Some(run) = self.held_run(held) else { return false };
        (run.stands, run.due_ms) = (Stands::Pending, due_ms);
        run.attempts -= 1;
        true
    }

    pub fn replay_run(&mut self, id: i64, now_ms: i64) -> Option<SetOff> {
        let run = self.runs.get_mut(&id)?;
        if !matches!(run.stands, Stands::Failed(_) | Stands::Discarded(_)) {
            return None;
        }
        (run.stands, run.attempts, run.due_ms) = (Stands::Pending, 0, now_ms);
        Some(SetOff::Run { id, batch: run.new.batch.clone(), claimed: None })
    }

    pub fn discard_run(&mut self, id: i64, now_ms: i64) -> bool {
        let run = self.runs.get_mut(&id);
        let run = run.filter(|run| matches!(run.stands, Stands::Pending | Stands::Failed(_)));
        run.map(|run| run.stands = Stands::Discarded(now_ms)).is_some()
    }

    pub fn run_counts(&self) -> RunCounts {
        let mut counts = RunCounts::default();
        for run in self.runs.values() {
            let of_state = match run.stands {
                Stands::Pending => &mut counts.pending,
                Stands::Claimed(_) => &mut counts.claimed,
                Stands::Done(_) => &mut counts.done,
                Stands::Failed(_) => &mut counts.failed,
                Stands::Discarded(_) => &mut counts.discarded,
            };
            *of_state += 1;
        }
        counts
    }

    pub fn failed_runs(&self, limit: u32) -> Vec<FailedRun> {
        let failed = self.runs.iter().filter_map(|(id, run)| {
            let Stands::Failed(finished_at_ms) = run.stands else { return None };
            Some(FailedRun {
                id: *id,
                batch: run.new.batch.clone(),
                cursor: run.cursor.clone(),
                steps: run.steps,
                attempts: run.attempts,
                skipped: run.skipped,
                error: run.last_error.clone().unwrap_or_default(),
                finished_at_ms,
            })
        });
        let mut failed: Vec<FailedRun> = failed.collect();
        failed.sort_by_key(|one| std::cmp::Reverse(one.finished_at_ms));
        failed.truncate(limit as usize);
        failed
    }
}

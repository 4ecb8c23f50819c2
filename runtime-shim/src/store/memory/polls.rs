//! Polls in memory.

use super::state::{PollKept, State};
use crate::store::{ClaimPoll, KeepPoll, PollClaim, PollFailure, PollRow, PollState};

impl State {
    pub fn poll_rows(&self) -> Vec<PollRow> {
        let row = |(name, poll): (&String, &PollKept)| PollRow {
            name: name.clone(),
            next_due_ms: poll.next_due_ms,
            every_ms: Some(poll.every_ms),
        };
        self.polls.iter().map(row).collect()
    }

    pub fn claim_poll(&mut self, claim: &ClaimPoll) -> Option<PollClaim> {
        let ClaimPoll { name, tick_ms, every_ms, keep_ms } = claim;
        let next_due_ms = tick_ms + every_ms;
        let poll = self.polls.entry(name.clone()).or_insert(PollKept {
            next_due_ms: *tick_ms,
            every_ms: *every_ms,
            claim_no: 0,
            digest: None,
            changed_at_ms: None,
            last_error: None,
            failed_at_ms: None,
        });
        let shortened = poll.next_due_ms - tick_ms > *every_ms && poll.every_ms != *every_ms;
        if poll.next_due_ms > *tick_ms && !shortened {
            return None;
        }
        if poll.next_due_ms < tick_ms - keep_ms {
            poll.digest = None;
        }
        poll.next_due_ms = next_due_ms;
        poll.every_ms = *every_ms;
        poll.claim_no += 1;
        Some(PollClaim {
            claim_no: poll.claim_no,
            digest: poll.digest.clone(),
            last_error: poll.last_error.clone(),
        })
    }

    pub fn keep_poll(&mut self, keep: &KeepPoll) -> bool {
        let Some(poll) = self.claimed_poll(&keep.name, keep.claim_no) else { return false };
        if poll.digest != keep.digest_was {
            return false;
        }
        poll.digest = Some(keep.digest.clone());
        poll.changed_at_ms = Some(keep.changed_at_ms);
        (poll.last_error, poll.failed_at_ms) = (None, None);
        self.keep_event(keep.event.clone(), None);
        true
    }

    pub fn clear_poll_error(&mut self, name: &str, claim_no: i64) -> bool {
        let poll = self.claimed_poll(name, claim_no);
        poll.map(|poll| (poll.last_error, poll.failed_at_ms) = (None, None)).is_some()
    }

    pub fn fail_poll(&mut self, failure: PollFailure) -> bool {
        let Some(poll) = self.claimed_poll(&failure.name, failure.claim_no) else { return false };
        poll.next_due_ms = failure.due_ms;
        (poll.last_error, poll.failed_at_ms) = (Some(failure.error), Some(failure.failed_at_ms));
        true
    }

    pub fn give_back_poll(&mut self, name: &str, claim_no: i64, due_ms: i64) -> bool {
        self.claimed_poll(name, claim_no).map(|poll| poll.next_due_ms = due_ms).is_some()
    }

    pub fn poll_now(&mut self, name: &str, now_ms: i64) -> bool {
        self.polls.get_mut(name).map(|poll| poll.next_due_ms = now_ms).is_some()
    }

    pub fn poll_states(&self) -> Vec<PollState> {
        let state = |(name, poll): (&String, &PollKept)| PollState {
            name: name.clone(),
            next_due_ms: poll.next_due_ms,
            changed_at_ms: poll.changed_at_ms,
            last_error: poll.last_error.clone(),
            failed_at_ms: poll.failed_at_ms,
        };
        self.polls.iter().map(state).collect()
    }

    fn claimed_poll(&mut self, name: &str, claim_no: i64) -> Option<&mut PollKept> {
        self.polls.get_mut(name).filter(|poll| poll.claim_no == claim_no)
    }
}

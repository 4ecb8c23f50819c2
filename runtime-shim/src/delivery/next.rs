//! What becomes of a delivery when its body ended.

use crate::boundary::RunEnd;
use crate::call::retry::backoff_ms;
use crate::clock;
use crate::failure::FailureKind;
use crate::limits;
use crate::plan::Retry;
use crate::poll::bounded;
use crate::store::SetOff;

/// What the decision is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Attempts, this one included.
    pub attempts: u32,
    /// The subscriber's `retry:`.
    pub retry: Retry,
    /// Now.
    pub now_ms: i64,
    /// When it was due before the claim.
    pub due_ms: i64,
    /// When its `within:` ends.
    pub give_up_ms: i64,
    /// A number by chance.
    pub random: u64,
}

/// What becomes of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is done, here or in another store, and this is what it set off.
    Done(Vec<SetOff>),
    /// Its claim is another's, or its end could not be written in time: whoever takes it next decides.
    Lost,
    /// It comes again.
    Retry {
        /// When.
        due_ms: i64,
        /// Why.
        error: String,
    },
    /// It has failed for good.
    Fail {
        /// Why.
        error: String,
    },
    /// It goes back as it was, the attempt not counted.
    GiveBack {
        /// When it is due.
        due_ms: i64,
        /// The connection whose slots were all out, where that is why.
        full: Option<String>,
        /// The store's trouble, where that is why.
        trouble: Option<String>,
    },
}

/// What becomes of a delivery whose body and commit ended so.
pub fn after(end: RunEnd<()>, facts: &Facts) -> Next {
    match end {
        RunEnd::Kept((), set_off) => Next::Done(set_off),
        // Another run of it was committed in this store, whose process ended before it could say so where it is kept.
        RunEnd::Received => Next::Done(Vec::new()),
        RunEnd::Fenced => Next::Lost,
        RunEnd::Failed(failure) if failure.kind() == FailureKind::Undecodable => {
            Next::Fail { error: bounded(failure.text()) }
        }
        RunEnd::Failed(failure) => after_failure(failure.text(), facts),
        RunEnd::Conflict(text) | RunEnd::Refused(text) => after_failure(&text, facts),
        // What a store can't do is no failure of the delivery. Where it was committed after all, the fence of the next run
        // finds that.
        RunEnd::Trouble(text) => {
            Next::GiveBack { due_ms: facts.due_ms, full: None, trouble: Some(bounded(&text)) }
        }
        RunEnd::Late => {
            let text = "the store took no commit in time".to_owned();
            Next::GiveBack { due_ms: facts.due_ms, full: None, trouble: Some(text) }
        }
        RunEnd::Panicked(message) => after_failure(&format!("panicked: {message}"), facts),
        RunEnd::OverLimit(limit_ms) => {
            after_failure(&format!("deadline_exceeded: the body ran longer than {limit_ms} ms"), facts)
        }
        RunEnd::SlotsOut(connection) => Next::GiveBack {
            due_ms: facts.now_ms.saturating_add(limits::SLOT_WAIT_MS),
            full: Some(connection),
            trouble: None,
        },
        RunEnd::Stopped => Next::GiveBack { due_ms: facts.due_ms, full: None, trouble: None },
    }
}

/// What becomes of a delivery whose attempt failed: it comes again, unless its attempts are used up or its time is over.
fn after_failure(error: &str, facts: &Facts) -> Next {
    let error = bounded(error);
    if facts.attempts >= facts.retry.attempts || facts.now_ms >= facts.give_up_ms {
        return Next::Fail { error };
    }
    let wait_ms = backoff_ms(&facts.retry, facts.attempts, facts.random);
    Next::Retry { due_ms: facts.now_ms.saturating_add(clock::signed(wait_ms)), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    const FACTS: Facts = Facts {
        attempts: 2,
        retry: Retry { attempts: 3, initial_ms: 1_000, max_ms: 60_000 },
        now_ms: 10_000,
        due_ms: 9_000,
        give_up_ms: 20_000,
        random: u64::MAX,
    };

    fn check(end: RunEnd<()>, facts: Facts, wanted: &Next) {
        assert_eq!(&after(end, &facts), wanted);
    }

    fn fail(error: &str) -> Next {
        Next::Fail { error: error.to_owned() }
    }

    #[test]
    fn a_failure_comes_again_by_full_jitter() {
        let longest = Next::Retry { due_ms: 12_000, error: "no".to_owned() };
        check(RunEnd::Failed(Failure::new("no")), FACTS, &longest);
        let shortest = Next::Retry { due_ms: 10_000, error: "panicked: no".to_owned() };
        check(RunEnd::Panicked("no".to_owned()), Facts { random: 0, ..FACTS }, &shortest);
    }

    #[test]
    fn the_last_attempt_and_the_end_of_within_end_it() {
        check(RunEnd::Failed(Failure::new("no")), Facts { attempts: 3, ..FACTS }, &fail("no"));
        check(RunEnd::Failed(Failure::new("no")), Facts { now_ms: 20_000, ..FACTS }, &fail("no"));
        let over = fail("deadline_exceeded: the body ran longer than 5 ms");
        check(RunEnd::OverLimit(5), Facts { attempts: 3, ..FACTS }, &over);
    }

    #[test]
    fn what_cannot_be_read_never_comes_again() {
        check(RunEnd::Failed(Failure::undecodable("/btc")), Facts { attempts: 1, ..FACTS }, &fail("/btc"));
    }

    #[test]
    fn what_another_run_committed_is_done() {
        check(RunEnd::Received, FACTS, &Next::Done(Vec::new()));
        check(RunEnd::Fenced, FACTS, &Next::Lost);
    }

    #[test]
    fn given_back_as_it_was() {
        let back = |trouble: &str| Next::GiveBack {
            due_ms: 9_000,
            full: None,
            trouble: Some(trouble).filter(|text| !text.is_empty()).map(str::to_owned),
        };
        let full = Next::GiveBack { due_ms: 11_000, full: Some("feed".to_owned()), trouble: None };
        check(RunEnd::SlotsOut("feed".to_owned()), Facts { attempts: 3, ..FACTS }, &full);
        check(RunEnd::Stopped, FACTS, &back(""));
        check(RunEnd::Trouble("locked".to_owned()), Facts { attempts: 3, ..FACTS }, &back("locked"));
        check(RunEnd::Late, Facts { attempts: 3, ..FACTS }, &back("the store took no commit in time"));
    }
}

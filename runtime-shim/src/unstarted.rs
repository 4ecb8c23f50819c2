//! Claims whose answer never came: the store may hold them all the same, and nobody works on what they took.
//!
//! Whoever claimed knows the token that it asked with, so what stands under it is given back as soon as the store answers,
//! instead of waiting out its lease.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How often a token is given back: once as soon as the store answers, and once at the next tick, since a statement may
/// reach its store later than the line that it was sent over breaks.
const TIMES: u8 = 2;

/// The tokens of such claims in one store; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Unstarted(Arc<Mutex<Vec<Claim>>>);

#[derive(Clone, Copy, Debug)]
struct Claim {
    token: i64,
    times_left: u8,
    /// Whether it waits for the next tick.
    waits: bool,
}

impl Unstarted {
    /// The answer to a claim under this token never came.
    pub fn add(&self, token: i64) {
        self.lock().push(Claim { token, times_left: TIMES, waits: false });
    }

    /// Those that are to be given back now.
    pub fn tokens(&self) -> Vec<i64> {
        self.lock().iter().filter(|one| !one.waits).map(|one| one.token).collect()
    }

    /// These were given back.
    pub fn given_back(&self, tokens: &[i64]) {
        let mut known = self.lock();
        for one in known.iter_mut().filter(|one| tokens.contains(&one.token)) {
            (one.times_left, one.waits) = (one.times_left.saturating_sub(1), true);
        }
        known.retain(|one| one.times_left > 0);
    }

    /// A tick: those that waited for it are to be given back once more.
    pub fn tick(&self) {
        self.lock().iter_mut().for_each(|one| one.waits = false);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Claim>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_given_back_at_once_and_at_the_next_tick() {
        let unstarted = Unstarted::default();
        unstarted.add(7);
        unstarted.tick();
        assert_eq!(unstarted.tokens(), [7], "a tick before the store answers changes nothing");
        unstarted.add(8);
        unstarted.given_back(&[7]);
        assert_eq!(unstarted.tokens(), [8]);
        unstarted.tick();
        assert_eq!(unstarted.tokens(), [7, 8]);
        unstarted.given_back(&[7, 8]);
        unstarted.tick();
        assert_eq!(unstarted.tokens(), [8]);
    }
}

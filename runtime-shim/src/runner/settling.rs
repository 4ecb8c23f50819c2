//! What ended and is still to be written as done: what waits for that, what is just being written, and how much goes together.

use std::collections::VecDeque;

use crate::limits;
use crate::store::Held;

/// Claims to be made `done`.
#[derive(Debug)]
pub struct Settling {
    waiting: VecDeque<Held>,
    /// Those that are just being made so.
    underway: Vec<Held>,
    /// So many go together where they are written beside the loop.
    together: usize,
}

impl Default for Settling {
    fn default() -> Settling {
        Settling {
            waiting: VecDeque::new(),
            underway: Vec::new(),
            together: limits::POSTGRES_COMPLETIONS_GROUPED_MAX,
        }
    }
}

impl Settling {
    /// One more has ended.
    pub fn add(&mut self, held: Held) {
        self.waiting.push_back(held);
    }

    /// Whether the next may be written: there are some, and none are being written.
    pub fn may_begin(&self) -> bool {
        !self.waiting.is_empty() && self.underway.is_empty()
    }

    /// Whether some are being written.
    pub fn is_underway(&self) -> bool {
        !self.underway.is_empty()
    }

    /// Whether so many wait for the disk that no more may be claimed.
    pub fn is_behind(&self) -> bool {
        self.waiting.len() + self.underway.len() >= limits::UNSETTLED_MAX
    }

    /// Those that go together next, or all where they go with a claim; none while others are under way.
    pub fn begin(&mut self, all: bool) -> Vec<Held> {
        if !self.underway.is_empty() {
            return Vec::new();
        }
        let count = if all { self.waiting.len() } else { self.waiting.len().min(self.together) };
        self.underway = self.waiting.drain(..count).collect();
        self.underway.clone()
    }

    /// They are written, and those after them may be twice as many.
    pub fn went(&mut self) -> Vec<Held> {
        self.together = (self.together * 2).min(limits::POSTGRES_COMPLETIONS_GROUPED_MAX);
        std::mem::take(&mut self.underway)
    }

    /// They could not be written. One of them may be why, so they go behind what else waits, and in halves: the others get
    /// through, and at last it stands alone.
    pub fn failed(&mut self) {
        self.together = (self.underway.len() / 2).max(1);
        self.waiting.extend(self.underway.drain(..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOGETHER: i64 = 1_000;

    fn waiting(count: i64) -> Settling {
        let mut settling = Settling::default();
        (0..count).for_each(|id| settling.add(Held { id, token: 7 }));
        settling
    }

    /// The numbers of those that go next.
    fn next(settling: &mut Settling) -> Vec<i64> {
        settling.begin(false).iter().map(|held| held.id).collect()
    }

    #[test]
    fn no_more_go_together_than_one_statement_takes() {
        let mut settling = waiting(TOGETHER + 5);
        assert_eq!(next(&mut settling), (0..TOGETHER).collect::<Vec<_>>());
        assert!(next(&mut settling).is_empty(), "one at a time");
        assert_eq!(settling.went().len(), 1_000);
        assert_eq!(next(&mut settling).len(), 5);
        assert_eq!(waiting(TOGETHER + 5).begin(true).len(), 1_005, "all of them go with a claim");
    }

    #[test]
    fn what_fails_goes_in_halves_behind_the_others() {
        let mut settling = waiting(4);
        next(&mut settling);
        settling.add(Held { id: 4, token: 7 });
        settling.failed();
        assert_eq!(next(&mut settling), [4, 0]);
        settling.went();
        assert_eq!(next(&mut settling), [1, 2, 3], "after a success they are more again");
    }

    #[test]
    fn one_that_can_never_be_written_holds_up_no_other() {
        let (mut settling, mut went, mut tries) = (waiting(1_500), 0, 0);
        while went < 1_499 {
            let together = next(&mut settling);
            tries += 1;
            if together.contains(&700) {
                settling.failed();
            } else {
                went += settling.went().len();
            }
        }
        assert!(tries < 40, "{tries} tries");
        assert_eq!(next(&mut settling), [700]);
    }

    #[test]
    fn it_is_behind_with_what_is_under_way_too() {
        let most = i64::try_from(limits::UNSETTLED_MAX).expect("it fits");
        assert!(!waiting(most - 1).is_behind());
        let mut settling = waiting(most);
        assert!(settling.is_behind());
        next(&mut settling);
        assert!(settling.is_behind());
        settling.went();
        assert!(!settling.is_behind());
    }
}

//! Choices from a tape, which shrinks as a whole.

/// Choices; past its end every choice is the first.
pub struct Tape<'c> {
    choices: &'c [u8],
}

impl<'c> Tape<'c> {
    /// Of these choices.
    pub fn new(choices: &'c [u8]) -> Self {
        Self { choices }
    }

    /// A number below `count`.
    pub fn pick(&mut self, count: usize) -> usize {
        assert!(count > 0);
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        if count > 256 {
            (usize::from(*first) * 256 + self.pick(256)) % count
        } else {
            usize::from(*first) % count
        }
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    /// One of these.
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.pick(all.len())]
    }
}

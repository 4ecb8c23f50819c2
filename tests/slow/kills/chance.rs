//! Chance that a seed decides, so that a run's kills fall alike again.

/// A small generator, `splitmix64`.
pub struct Chance(u64);

impl Chance {
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from `0` to `below - 1`.
    pub fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % below
    }

    /// Whether something happens that does so `times` in a hundred.
    pub fn in_a_hundred(&mut self, times: u64) -> bool {
        self.below(100) < times
    }
}

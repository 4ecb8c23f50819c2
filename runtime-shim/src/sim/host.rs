//! A host of a virtual world, with clocks of its own to shift and chance from a seed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};

use super::executor::Shared;
use super::network::Network;

/// One machine of a virtual world.
pub struct VirtualHost {
    shared: Arc<Shared>,
    network: Arc<dyn Network>,
    own: Mutex<Own>,
}

struct Own {
    /// How far its wall clock is ahead of the world's.
    ahead_ms: i64,
    /// How long the machine has slept, which the monotonic clock did not count.
    slept_ms: u64,
    random: u64,
}

impl VirtualHost {
    pub(super) fn new(shared: Arc<Shared>, network: Arc<dyn Network>, seed: u64, number: u64) -> Self {
        let mut random = seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
        // Seeds that differ in a few bits must not begin alike.
        split_mix(&mut random);
        Self { shared, network, own: Mutex::new(Own { ahead_ms: 0, slept_ms: 0, random }) }
    }

    /// Steps the wall clock by so much, back where it is negative.
    pub fn step_wall(&self, ms: i64) {
        self.own().ahead_ms += ms;
    }

    /// Lets the machine have slept until now: its wall and boot clocks have moved on, its monotonic one has not.
    pub fn has_slept(&self, ms: u64) {
        let mut own = self.own();
        own.ahead_ms = own.ahead_ms.saturating_add_unsigned(ms);
        own.slept_ms += ms;
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for VirtualHost {
    fn wall_ms(&self) -> i64 {
        self.shared.timers.wall_ms() + self.own().ahead_ms
    }

    fn monotonic_us(&self) -> u64 {
        self.shared.timers.now_us()
    }

    fn boot_ms(&self) -> u64 {
        self.shared.timers.now_us() / 1_000 + self.own().slept_ms
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(self.shared.timers.sleep(ms))
    }

    fn random(&self) -> u64 {
        split_mix(&mut self.own().random)
    }

    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        self.network.http(&self.shared.timers, request)
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.shared.spawn(task);
    }
}

/// SplitMix64: small, and even in all its bits.
pub(super) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

//! The clock on the wall, and what the process spent on the processors meanwhile, which other work on the machine stretches
//! less.

use std::time::{Duration, Instant};

/// Both clocks at a start.
pub struct Clocks {
    begun: Instant,
    worked: Option<Duration>,
}

/// What passed on both.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    pub passed: Duration,
    /// `None` where the system doesn't tell.
    pub worked: Option<Duration>,
}

impl Clocks {
    pub fn start() -> Clocks {
        Clocks { begun: Instant::now(), worked: worked() }
    }

    pub fn spent(&self) -> Spent {
        let worked = worked().zip(self.worked).map(|(now, before)| now.saturating_sub(before));
        Spent { passed: self.begun.elapsed(), worked }
    }
}

impl Spent {
    /// So many in a second.
    pub fn rate(&self, count: u32) -> f64 {
        f64::from(count) / self.passed.as_secs_f64()
    }

    /// What one of so many took of the processors, µs.
    pub fn each_us(&self, count: u32) -> f64 {
        self.worked.map_or(f64::NAN, |worked| worked.as_secs_f64() * 1e6 / f64::from(count))
    }
}

/// What this process has spent on the processors, in its own code and in the system's.
#[cfg(unix)]
fn worked() -> Option<Duration> {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(u64::try_from(spent.tv_sec).ok()?, u32::try_from(spent.tv_nsec).ok()?))
}

#[cfg(not(unix))]
fn worked() -> Option<Duration> {
    None
}

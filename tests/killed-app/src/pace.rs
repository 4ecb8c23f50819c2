//! How fast the clock of a process goes and how far it is off, as the test that starts it says.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a test sets by environment variables.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// `KILLED_EPOCH_MS`: the moment at which the fast clock and the machine's agree, the same for all processes.
    pub epoch_ms: i64,
    /// `KILLED_RATE`: seconds of this clock in one of the machine's.
    pub rate: u32,
    /// `KILLED_OFFSET_MS`: how far the wall clock of this process is off, in its own milliseconds.
    pub offset_ms: i64,
    /// `KILLED_BUDGET_MS`: the time that the host gives one invocation, by this clock.
    pub budget_ms: u64,
}

impl Pace {
    /// Read from the environment; what is not set is as on any machine.
    pub fn from_environment() -> Result<Pace, String> {
        let pace = Pace {
            epoch_ms: number("KILLED_EPOCH_MS", 0)?,
            rate: number("KILLED_RATE", 1)?,
            offset_ms: number("KILLED_OFFSET_MS", 0)?,
            budget_ms: number("KILLED_BUDGET_MS", 15 * 60_000)?,
        };
        if pace.rate == 0 { Err("KILLED_RATE is 0".to_owned()) } else { Ok(pace) }
    }

    /// The wall clock of this process.
    pub fn wall_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let machine_ms = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        let passed_ms = machine_ms.saturating_sub(self.epoch_ms).saturating_mul(i64::from(self.rate));
        self.epoch_ms.saturating_add(passed_ms).saturating_add(self.offset_ms)
    }
}

fn number<T: std::str::FromStr>(name: &str, otherwise: T) -> Result<T, String> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name} is {text:?}, which is no such number")),
        Err(_) => Ok(otherwise),
    }
}

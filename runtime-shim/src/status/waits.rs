//! How long deliveries waited from when they were due until they were claimed, since the start.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use crate::store::ClaimedDelivery;

/// The waits of this process's claims, by event and connection.
#[derive(Default)]
pub struct Waits {
    sums: Mutex<BTreeMap<String, BTreeMap<Option<String>, Sum>>>,
    /// Who is told of each beside.
    teller: OnceLock<Box<Teller>>,
}

/// Hears an event, its connection, and a wait in milliseconds.
type Teller = dyn Fn(&str, Option<&str>, u64) + Send + Sync;

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    claims: u64,
    waited_ms: u64,
    longest_ms: u64,
}

/// How long the deliveries of one event waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitFacts {
    /// The event's name.
    pub event: String,
    /// The connection that it came through; an app's own event came through none.
    pub connection: Option<String>,
    /// How many were claimed.
    pub claims: u64,
    /// The mean of their waits, ms.
    pub mean_ms: u64,
    /// The longest, ms.
    pub longest_ms: u64,
}

impl Waits {
    /// Notes what was claimed at `now_ms`.
    pub fn claimed(&self, now_ms: i64, claimed: &[ClaimedDelivery]) {
        if claimed.is_empty() {
            return;
        }
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        for one in claimed {
            let waited_ms = u64::try_from(now_ms.saturating_sub(one.due_ms)).unwrap_or(0);
            if let Some(tell) = self.teller.get() {
                tell(&one.event, one.source.as_deref(), waited_ms);
            }
            // The names are few and known after the first claims, so that none is copied then.
            if !sums.get(&one.event).is_some_and(|by_connection| by_connection.contains_key(&one.source)) {
                sums.entry(one.event.clone()).or_default().insert(one.source.clone(), Sum::default());
            }
            let sum = sums.get_mut(&one.event).and_then(|by_connection| by_connection.get_mut(&one.source));
            if let Some(sum) = sum {
                sum.claims += 1;
                sum.waited_ms = sum.waited_ms.saturating_add(waited_ms);
                sum.longest_ms = sum.longest_ms.max(waited_ms);
            }
        }
    }

    /// Has each wait told as it is noted; the first who asks is the one.
    pub fn tell(&self, teller: impl Fn(&str, Option<&str>, u64) + Send + Sync + 'static) {
        let _ = self.teller.set(Box::new(teller));
    }

    /// What was noted so far.
    pub fn facts(&self) -> Vec<WaitFacts> {
        let sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = sums.iter().flat_map(|(event, by_connection)| {
            by_connection.iter().map(|(connection, sum)| WaitFacts {
                event: event.clone(),
                connection: connection.clone(),
                claims: sum.claims,
                mean_ms: sum.waited_ms.checked_div(sum.claims).unwrap_or(0),
                longest_ms: sum.longest_ms,
            })
        });
        facts.collect()
    }
}

impl fmt::Debug for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waits").field(&self.facts()).finish()
    }
}

//! Runs an app for minutes of virtual time in seconds of real time, and tells what it did.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use crate::app::App;
use crate::limits;
use crate::outside::Outside;
use crate::serve::serve;
use crate::sim::{Network, Script, Sim};
use crate::start::{Ready, StartError, Surroundings, start};
use crate::status::{Count, Status, status};

/// How an app is rehearsed.
pub struct RehearsalOptions {
    /// Minutes of ticks.
    pub minutes: u32,
    /// The same seed gives the same chance.
    pub seed: u64,
    /// When virtual time begins, in milliseconds since the epoch.
    pub start_ms: i64,
    /// Makes the network, given where its real work is counted.
    pub network: MakeNetwork,
}

/// Makes a network, given where its real work is counted.
pub type MakeNetwork = Box<dyn FnOnce(&Outside) -> std::io::Result<Arc<dyn Network>>>;

/// What a rehearsal did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the count of its name")]
pub struct Rehearsal {
    pub minutes: u32,
    pub ticks: u64,
    pub polls_made: u64,
    pub polls_same: u64,
    pub polls_failed: u64,
    pub events_kept: u64,
    pub deliveries_done: u64,
    pub deliveries_retried: u64,
    pub deliveries_failed: u64,
    pub deliveries_given_back: u64,
    /// Deliveries that are neither done nor failed yet.
    pub deliveries_left: u64,
    /// What the app shows of itself at the end.
    pub status: Status,
}

/// Why there was no rehearsal.
#[derive(Debug)]
pub enum RehearsalError {
    /// The app did not start.
    Start(StartError),
    /// The network could not be made.
    Network(std::io::Error),
    /// A store could not be looked at in the end.
    Store(String),
}

impl RehearsalOptions {
    /// A rehearsal over a real network, whose provider may follow virtual time.
    #[cfg(feature = "native")]
    pub fn real(minutes: u32, world: Option<Arc<dyn crate::sim::World>>) -> RehearsalOptions {
        let network = move |outside: &Outside| {
            Ok(Arc::new(crate::sim::RealNetwork::new(world, outside.clone())?) as Arc<dyn Network>)
        };
        RehearsalOptions { minutes, seed: 1, start_ms: BEGINNING_MS, network: Box::new(network) }
    }
}

/// A whole minute to begin at: 2027-01-01T00:00:00Z.
#[cfg(feature = "native")]
const BEGINNING_MS: i64 = 1_798_761_600_000;

impl App {
    /// Runs the app under a virtual clock, which moves only while no real work is pending.
    pub fn rehearse(self, options: RehearsalOptions) -> Result<Rehearsal, RehearsalError> {
        let mut failed = None;
        let sim = Sim::with_network(options.seed, options.start_ms, |outside| {
            (options.network)(outside).unwrap_or_else(|error| {
                failed = Some(error);
                Arc::new(Script::new())
            })
        });
        if let Some(error) = failed {
            return Err(RehearsalError::Network(error));
        }
        let surroundings = Surroundings::in_order(sim.host(1));
        let ready = start(self, &surroundings).map_err(RehearsalError::Start)?;
        sim.run(rehearse(ready, options.minutes))
    }
}

async fn rehearse(ready: Ready, minutes: u32) -> Result<Rehearsal, RehearsalError> {
    let engine = ready.engine.clone();
    let serving = engine.clone();
    // One millisecond short of the minute after the last, so that as many ticks are made as minutes were asked for.
    let length_ms = u64::from(minutes) * limits::TICK_MS.unsigned_abs() - 1;
    engine.host.spawn(Box::pin(async move {
        serving.host.sleep(length_ms).await;
        serving.stop.ask();
    }));
    serve(ready).await;
    let status = status(&engine).await;
    if let Some(error) = status.stores.iter().find_map(|store| store.error.clone()) {
        return Err(RehearsalError::Store(error));
    }
    let count = |what| engine.tally.get(what);
    Ok(Rehearsal {
        minutes,
        ticks: count(Count::Ticks),
        polls_made: count(Count::PollsMade),
        polls_same: count(Count::PollsSame),
        polls_failed: count(Count::PollsFailed),
        events_kept: count(Count::EventsKept),
        deliveries_done: count(Count::DeliveriesDone),
        deliveries_retried: count(Count::DeliveriesRetried),
        deliveries_failed: count(Count::DeliveriesFailed),
        deliveries_given_back: count(Count::DeliveriesGivenBack),
        deliveries_left: status
            .stores
            .iter()
            .map(|store| store.deliveries.pending + store.deliveries.claimed)
            .sum(),
        status,
    })
}

impl fmt::Display for RehearsalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RehearsalError::Start(error) => error.fmt(f),
            RehearsalError::Network(error) => error.fmt(f),
            RehearsalError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RehearsalError {}

//! What is built: a deployable, what it runs, and the loop that runs it.

use super::Target;

/// A `deployable` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployable {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// What it is built for.
    pub target: Target,
    /// The routes that it serves, by name.
    pub routes: Vec<String>,
    /// The subscribers that it runs, by name.
    pub subscribers: Vec<String>,
    /// The schedules that it runs, by name.
    pub schedules: Vec<String>,
    /// The polls that it runs, as connection and poll.
    pub polls: Vec<(String, String)>,
    /// The batches and backfills that it runs, by name.
    pub batches: Vec<String>,
    /// Its loop; on Workers the defaults, which nothing reads there.
    pub runner: Runner,
    /// Its server, natively.
    pub host: Option<Host>,
}

/// `host:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Connections that live at once on each listener.
    pub max_connections: u32,
    /// How long a stop waits.
    pub drain_ms: u64,
    /// Where the server listens.
    pub listen: Listen,
    /// Where the control port listens, a loopback address with its port; `None`: there is none.
    pub control: Option<String>,
}

/// An address with its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// As written.
    At(String),
    /// Read from this environment variable at start-up.
    Env(String),
}

/// `runner:`; 0 turns one of the two sleeps at capacity off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Runner {
    pub workers: u32,
    pub at_capacity_poll_interval_ms: u64,
    pub at_capacity_heartbeat_ms: u64,
    pub backoff_initial_ms: u64,
    pub backoff_max_ms: u64,
    pub sleep_detection_ms: u64,
}

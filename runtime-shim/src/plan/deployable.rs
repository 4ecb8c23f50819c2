//! What one program runs, the loop that runs it, and its listeners.

use serde::{Deserialize, Serialize};

/// What one program runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployable {
    /// What it is built for.
    #[serde(default, skip_serializing_if = "Target::is_native")]
    pub target: Target,
    /// By name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<String>,
    /// By name.
    pub subscribers: Vec<String>,
    /// By name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<String>,
    /// As connection and poll.
    pub polls: Vec<(String, String)>,
    /// Batches and backfills, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<String>,
    /// Its loop.
    pub runner: Runner,
    /// Its server; `None` on Workers, where the platform's serves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
}

/// What a deployable is built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum Target {
    #[default]
    Native,
    Workers,
}

impl Target {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_native(&self) -> bool {
        *self == Target::Native
    }
}

/// A native program's listeners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Connections that live at once on each listener.
    pub max_connections: u32,
    /// How long a stop waits.
    pub drain_ms: u64,
    /// Where the server listens, address and port.
    pub listen: Listen,
    /// Where the control port listens, a loopback address with its port; `None`: there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
}

/// An address with its port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Listen {
    /// As written.
    At(String),
    /// Read from this environment variable at start-up.
    Env(String),
}

/// The loop that makes deliveries; 0 turns one of the two sleeps at capacity off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Runner {
    pub workers: u32,
    pub at_capacity_poll_interval_ms: u64,
    pub at_capacity_heartbeat_ms: u64,
    pub backoff_initial_ms: u64,
    pub backoff_max_ms: u64,
    pub sleep_detection_ms: u64,
}

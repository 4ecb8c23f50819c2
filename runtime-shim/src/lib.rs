//! The small runtime that executes jadpo plans: polls, deliveries, calls, one runner, and the hosts they run on.

pub mod host;
pub mod plan;

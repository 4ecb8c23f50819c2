//! Names, types, rules and diagnostics of jadpo manifests, as incremental queries.
//!
//! [`Workspace`] is the way in: it opens a directory through a [`system::System`], checks it, and gives the
//! [`model`] of a project without errors. Nothing here does IO but `system/os.rs`, and nothing panics on what a
//! manifest says.

mod base_url;
mod calls;
mod check;
mod connections;
mod db;
mod decimal;
mod deployables;
pub mod diagnostics;
mod event_stores;
pub mod format;
mod graph;
mod inputs;
mod items;
mod json;
pub mod keys;
mod literal;
mod live_polls;
mod lower;
pub mod model;
mod names;
mod nearest;
mod package_facts;
mod project;
mod prose;
pub mod recomputed;
mod resolve;
pub mod roots;
mod shared_names;
mod signature;
mod source;
mod store_engines;
pub mod surface;
pub mod system;
mod type_graph;
mod unread;
mod values;
mod walk;
mod wire_names;
mod workers;
mod workspace;
pub mod worst_case;
mod zones;

#[cfg(test)]
mod tests;

pub use nearest::nearest;
pub use workers::{Capped, OnWorkers};
pub use workspace::{Report, Workspace};

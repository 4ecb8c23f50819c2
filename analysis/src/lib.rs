//! Names, types, rules and diagnostics of jadpo manifests, as incremental queries.
//!
//! [`Workspace`] is the way in: it opens a directory through a [`system::System`], checks it, and gives the
//! [`model`] of a project without errors. Nothing here does IO but `system/os.rs`, and nothing panics on what a
//! manifest says.

#![allow(dead_code)]

mod check;
mod db;
mod decimal;
pub mod diagnostics;
mod inputs;
mod items;
pub mod keys;
mod lower;
pub mod model;
mod names;
mod nearest;
mod package_facts;
mod project;
mod resolve;
pub mod roots;
mod signature;
mod source;
pub mod system;
mod values;
mod walk;
mod workspace;
mod worst_case;

#[cfg(test)]
mod tests;

pub use nearest::nearest;
pub use workspace::{Report, Workspace};

//! What the crate answers, at its public boundary.
#![allow(clippy::unwrap_used)] // a test that unwraps nothing fails at the same line

mod check;
mod derivations;
mod edges;
mod grammar;
mod lines;
mod literals;
mod mistakes;
mod mutations;
mod soup;
mod splitting;
mod trees;
mod written;

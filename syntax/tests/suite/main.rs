//! What the crate answers, at its public boundary.
#![allow(clippy::unwrap_used)] // a test that unwraps nothing fails at the same line

mod check;
mod derivations;
mod grammar;
mod mutations;
mod trees;

//! Tests that need no network, no server and no compiler run.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod apis;
mod edges;
mod examples;
mod formatting;
mod fuzzed;
mod manual;
mod mutations;
mod pace;
mod reference;
mod sums;
mod tidy;

//! Tests that need no network, no server and no compiler run.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod edges;
mod manual;
mod tidy;

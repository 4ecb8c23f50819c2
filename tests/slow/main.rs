//! Tests that build generated apps, run processes and talk to servers on loopback.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod agreement;
mod cli;
mod desk;
mod driven;
mod examples;
mod kills;
mod lsp;
mod rates;
mod stored;

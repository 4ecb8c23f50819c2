//! What is generated, as text, and whether Rust takes it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod awkward;
mod lowered;
pub mod projects;
mod readable;
mod texts;

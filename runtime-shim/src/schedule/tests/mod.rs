//! Schedules: their times, and their runs through ticks, stops and crashes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod runs;
mod times;
mod zones;

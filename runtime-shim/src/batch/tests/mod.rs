//! Runs of batches and backfills, step by step, through failures, stops and crashes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod steps;

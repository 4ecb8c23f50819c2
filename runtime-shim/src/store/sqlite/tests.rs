//! The SQLite store on a file of its own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

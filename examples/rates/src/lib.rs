//! The exchange that the example's app polls, shared by its binary and by tests.

pub mod exchange;

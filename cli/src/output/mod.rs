//! How a report is written, one file a reader.

pub mod human;
pub mod json;

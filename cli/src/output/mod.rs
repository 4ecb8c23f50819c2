//! How a report is written, one file a reader.

pub mod concise;
pub mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod workers;

#[cfg(test)]
mod tests;

//! A program on a machine: its host and its way to the network.

mod host;
mod http;
mod log;
#[cfg(feature = "otel")]
pub mod otel;
mod run;
pub mod server;
mod signals;
mod telling;
#[cfg(test)]
mod tests;

pub use host::NativeHost;
pub use http::{HttpClient, HttpSetupError};

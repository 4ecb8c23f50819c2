//! A program on a machine: its host and its way to the network.

mod host;
mod http;
mod run;
pub mod server;
mod signals;
#[cfg(test)]
mod tests;

pub use host::NativeHost;
pub use http::{HttpClient, HttpSetupError};

//! A virtual world to run the runtime in: its clock moves only when nothing else is left to do, so that hours pass in
//! seconds and the same seed gives the same run.

mod executor;
mod host;
mod machine;
mod network;
#[cfg(feature = "native")]
mod real;
mod script;
#[cfg(test)]
mod tests;
mod timers;

pub use executor::Sim;
pub use host::VirtualHost;
pub use machine::Machine;
pub use network::{Network, Settled};
#[cfg(feature = "native")]
pub use real::{ClockServer, HeldRequest, REQUEST_HEADER, RealNetwork, World, WorldState};
pub use script::{Reply, Script, Sent};
pub use timers::{Sleep, Timers};

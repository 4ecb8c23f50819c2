//! Helpers of the test binaries; imports no jadpo crate, so that a broken one still lets the others be tested.

pub mod binaries;
pub mod fixture;
pub mod http;
pub mod measure;
pub mod ports;
pub mod process;
pub mod scratch;
pub mod sized;
pub mod wait;
pub mod workspace;

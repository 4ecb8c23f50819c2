//! From the model of a jadpo project to its plan and its typed Rust.

mod lower;
mod names;
mod reach;
mod write;

//! Tokens, tree, recovery and printing of `.jadpo` manifests.
//!
//! Every text has a tree with holes and a list of problems; nothing here fails, does IO, or knows what a key means.

pub mod problem;
pub mod span;
pub mod tree;

pub use problem::{Edit, Problem};
pub use span::Span;

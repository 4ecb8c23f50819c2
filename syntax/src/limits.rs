//! Every bound of the language on the size of a text.

/// How deep blocks, lists, calls and types may nest, counted in open delimiters.
pub const DEPTH: usize = 64;

/// How many bytes a manifest may have; whoever reads files refuses longer ones.
pub const FILE_BYTES: usize = 4 * 1024 * 1024;

/// How many problems of one kind of pass are kept for one declaration; a binary file would otherwise give millions.
pub(crate) const PROBLEMS: usize = 100;

//! Tokens, tree, recovery and printing of `.jadpo` manifests.
//!
//! Every text has a tree with holes and a list of problems; nothing here fails, does IO, or knows what a key means.

mod character;
mod docs;
mod head;
pub mod limits;
pub mod line_index;
mod nearest;
mod number;
mod parse;
mod print;
pub mod problem;
pub mod span;
mod split;
mod string;
pub mod token;
pub mod tree;

pub use line_index::{LineIndex, Position};
pub use parse::{File, Parsed, parse, parse_file};
pub use print::print;
pub use problem::{CODES, Edit, Problem};
pub use span::Span;
pub use split::{Chunk, Split, split};
pub use token::{Token, TokenKind, tokens};

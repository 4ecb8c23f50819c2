//! `jadpo lsp` over standard input and output, held against what `check` says.

mod editor;
mod expected;
mod fixtures;
mod same_as_check;
mod session;
mod storm;

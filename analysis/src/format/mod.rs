//! The canonical layout of a manifest: a function of its text, which decides everything that changes no meaning.
//!
//! Tokens give what is written, the tree says where each entry begins and ends, and the key catalogue says in which
//! order a block's entries stand. Nothing is printed from the tree, so nothing that it doesn't hold can be lost.

mod files;
mod layout;
mod notes;
mod order;
mod print;
mod read;
mod verify;

#[cfg(test)]
mod tests;

pub use files::{File, Found, Outcome, beneath};
pub use verify::Discrepancy;

use jadpo_syntax::Problem;

/// How many columns a line may take where there is a choice, in Unicode scalar values.
pub const WIDTH: usize = 100;
/// How many blanks a level is indented by.
pub const INDENT: usize = 4;

/// Why a text has no canonical layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unformatted {
    /// What it says is not clear.
    Syntax(Vec<Problem>),
    /// The formatter would change what it says: a mistake of the formatter's own.
    Unsound(Box<Discrepancy>),
}

/// `text` in its canonical layout, read again and compared with what it was.
pub fn format(text: &str) -> Result<String, Unformatted> {
    let parsed = jadpo_syntax::parse_file(text);
    if !parsed.problems.is_empty() {
        return Err(Unformatted::Syntax(parsed.problems));
    }
    let formatted = laid_out(text, &parsed);
    if formatted != text {
        verify::verify(text, &parsed, &formatted).map_err(Unformatted::Unsound)?;
    }
    Ok(formatted)
}

/// The layout alone.
fn laid_out(text: &str, parsed: &jadpo_syntax::File) -> String {
    print::print(&read::read(text, &parsed.declarations), text.len())
}

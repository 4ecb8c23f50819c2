//! `jadpo lsp`: serves an editor over standard input and output.

use crate::exit::Exit;

/// Serves until the editor says that it is done.
pub fn run() -> Exit {
    if jadpo_lsp::serve() { Exit::Ok } else { Exit::Failed }
}

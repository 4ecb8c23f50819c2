//! An archive of letters: a batch and a backfill that go on where they were, whatever stops them.

jadpo_runtime::include_app!();

mod handlers;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use handlers::{Archivist, LETTERS};

fn main() -> ExitCode {
    let mut app = app::server(Archivist).prepare("main", LETTERS);
    if std::env::var_os("ARCHIVE_LISTEN").is_none() {
        app = app.env("ARCHIVE_LISTEN", "127.0.0.1:8080");
    }
    app.run()
}

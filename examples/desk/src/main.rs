//! A help desk: tickets over HTTP, and an audit of what became of each.

jadpo_runtime::include_app!();

mod handlers;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use handlers::{AUDIT, Desk, TICKETS};

/// What holds where the environment says nothing.
const DEFAULTS: [(&str, &str); 2] =
    [("DESK_LISTEN", "127.0.0.1:8080"), ("DESK_TOKEN", "a-token-for-the-example")];

fn main() -> ExitCode {
    let mut app = app::server(Desk).prepare("main", TICKETS).prepare("audit", AUDIT);
    for (name, value) in DEFAULTS {
        if std::env::var_os(name).is_none() {
            app = app.env(name, value);
        }
    }
    app.run()
}

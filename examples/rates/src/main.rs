//! An app that keeps exchange quotes: its handlers, and the exchange it talks to unless told of another.

jadpo_runtime::include_app!();

mod handlers;
mod provider;
mod rehearsal;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::process::ExitCode;

use handlers::{Keeper, TABLES};
use provider::Exchange;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => serve(),
        ["--minutes", minutes] if minutes.parse::<u32>().is_ok_and(|minutes| minutes > 0) => {
            rehearsal::run(minutes.parse().unwrap_or(1))
        }
        _ => {
            let _ = writeln!(std::io::stderr(), "usage: rates [--minutes N]");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "rates: {error}");
        ExitCode::FAILURE
    })
}

/// Runs until it is told to stop; starts an exchange of its own unless `RATES_PORT` names one.
fn serve() -> std::io::Result<ExitCode> {
    if std::env::var_os("RATES_PORT").is_some() {
        return Ok(app::server(Keeper { loud: true }).prepare("main", TABLES).run());
    }
    let exchange = Exchange::start(&[])?;
    let exit = app(&exchange, true).run();
    // A signal to the whole group has ended it already; what it counted matters only to a rehearsal.
    let _ = exchange.stop();
    Ok(exit)
}

/// The app, connected to an exchange.
fn app(exchange: &Exchange, loud: bool) -> jadpo_runtime::App {
    app::server(Keeper { loud })
        .prepare("main", TABLES)
        .env("RATES_PORT", exchange.port().to_string())
        .env("RATES_API_KEY", "a-key-for-the-example")
}

//! A market in two programs: what they share.

jadpo_runtime::include_app!();

mod handlers;
#[cfg(test)]
mod tests;

use jadpo_runtime::App;

pub use handlers::Market;

/// What holds where the environment says nothing; the port is the exchange's own.
const DEFAULTS: [(&str, &str); 3] = [
    ("MARKET_LISTEN", "127.0.0.1:8080"),
    ("MARKET_EXCHANGE_PORT", "4750"),
    ("MARKET_EXCHANGE_KEY", "a-key-for-the-example"),
];

/// A program of the market, ready to run.
pub fn prepared(app: App) -> App {
    let app = app.prepare("main", handlers::TABLES);
    let unset = DEFAULTS.into_iter().filter(|(name, _)| std::env::var_os(name).is_none());
    unset.fold(app, |app, (name, value)| app.env(name, value))
}

//! The program that polls the exchange, fills orders and gives up old ones.

fn main() -> std::process::ExitCode {
    market::prepared(market::app::jobs(market::Market)).run()
}

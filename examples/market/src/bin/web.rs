//! The program that answers people.

fn main() -> std::process::ExitCode {
    market::prepared(market::app::web(market::Market)).run()
}

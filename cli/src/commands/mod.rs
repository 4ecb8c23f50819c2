//! One file a command.

mod build;
mod check;
mod explain;
mod fmt;
mod git;
mod lsp;
mod surface;

use std::io::IsTerminal;

use crate::args::{Args, Color, Command};
use crate::exit::Exit;

/// Runs a command.
pub fn run(args: Args) -> Exit {
    let color = args.color;
    match args.command {
        Command::Check(check) => check::run(&check, color),
        Command::Build(build) => build::run(&build, color),
        Command::Fmt(fmt) => fmt::run(&fmt, color),
        Command::Surface(surface) => surface::run(&surface, color),
        Command::Explain(explain) => explain::run(&explain),
        Command::Lsp => lsp::run(),
    }
}

/// Whether to colour what goes to `stream`.
fn coloured(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        // By convention an empty NO_COLOR counts as not set.
        Color::Auto => {
            stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

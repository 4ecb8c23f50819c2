//! The `jadpo` command.

mod args;
mod commands;
mod exit;
mod output;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match args::Args::try_parse() {
        Ok(args) => commands::run(args).into(),
        Err(error) => {
            // Clap sends help and the version to standard output and mistakes to standard error; a closed pipe is neither.
            let _ = error.print();
            if error.use_stderr() { exit::Exit::Usage.into() } else { exit::Exit::Ok.into() }
        }
    }
}

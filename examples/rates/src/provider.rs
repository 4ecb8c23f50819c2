//! The exchange as a process of its own, which ends with this one.

use std::io::{BufRead, BufReader, Error, Result};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::Deserialize;

/// A running exchange. It ends when its standard input closes, so dropping this ends it.
pub struct Exchange {
    process: Child,
    output: BufReader<ChildStdout>,
    port: u16,
}

/// What the exchange counted.
#[derive(Debug, Deserialize)]
pub struct Stats {
    /// All calls.
    pub calls: u64,
    /// The highest number of calls that were under way at once.
    pub at_once_max: u64,
}

impl Exchange {
    /// Starts the binary `exchange`, which stands beside this one, on a free port.
    pub fn start(arguments: &[&str]) -> Result<Self> {
        let mut binary = std::env::current_exe()?;
        binary.set_file_name(format!("exchange{}", std::env::consts::EXE_SUFFIX));
        let mut command = Command::new(&binary);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| {
            Error::new(error.kind(), format!("{} cannot be started: {error}", binary.display()))
        })?;
        let silent = || Error::other("the exchange did not say where it listens");
        let mut output = BufReader::new(process.stdout.take().ok_or_else(silent)?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let port = line.trim().parse().map_err(|_| silent())?;
        Ok(Self { process, output, port })
    }

    /// Ends it, and tells what it counted.
    pub fn stop(mut self) -> Result<Stats> {
        drop(self.process.stdin.take());
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        serde_json::from_str(&line).map_err(Error::other)
    }

    /// Where it listens on loopback.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

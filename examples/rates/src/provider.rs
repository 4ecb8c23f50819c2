//! The exchange as a process of its own, which ends with this one.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running exchange. It ends when its standard input closes, so dropping this ends it.
pub struct Exchange {
    process: Child,
    port: u16,
}

impl Exchange {
    /// Starts the binary `exchange`, which stands beside this one, on a free port.
    pub fn start(arguments: &[&str]) -> std::io::Result<Self> {
        let mut binary = std::env::current_exe()?;
        binary.set_file_name(format!("exchange{}", std::env::consts::EXE_SUFFIX));
        let mut process = Command::new(&binary)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| std::io::Error::new(error.kind(), format!("{} cannot be started: {error}", binary.display())))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let port = line.trim().parse().map_err(|_| std::io::Error::other("the exchange did not say where it listens"))?;
        Ok(Self { process, port })
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

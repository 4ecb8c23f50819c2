//! One place in which a process of the app runs, and is started again each time it was killed.

use std::fs::{File, OpenOptions};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::wait;

/// The place of a process.
pub struct Place {
    pub port: u16,
    command: Vec<(&'static str, String)>,
    log: PathBuf,
    name: usize,
    starts: u32,
    running: Option<Child>,
}

impl Place {
    /// A place that starts processes with these environment variables, which write into `log`.
    pub fn new(name: usize, log: PathBuf, environment: Vec<(&'static str, String)>) -> Self {
        // Free when it is asked for; nobody else on this machine is given it again soon.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { port, command: environment, log, name, starts: 0, running: None }
    }

    /// Starts a process, where none runs.
    pub fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        self.starts += 1;
        let log: File = OpenOptions::new().create(true).append(true).open(&self.log).unwrap();
        let mut command = Command::new(binary("jadpo-killed-app", "jadpo-killed-app"));
        command.envs(self.command.iter().map(|(name, value)| (name, value)));
        command.env("KILLED_LISTEN", format!("127.0.0.1:{}", self.port));
        command.env("KILLED_INSTANCE", format!("{}-{}", self.name, self.starts));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.running = Some(command.spawn().unwrap());
    }

    /// Kills the process as nothing can be refused. Whether there was one.
    ///
    /// # Panics
    /// When it had ended by itself, which it never may.
    pub fn kill(&mut self) -> bool {
        let Some(mut child) = self.running.take() else { return false };
        self.assert_lives(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        true
    }

    /// Waits until its process serves; before that, a signal to stop ends it as it ends any process.
    pub fn until_it_listens(&self) {
        let listens = || TcpStream::connect(("127.0.0.1", self.port)).ok();
        drop(wait::until(Duration::from_mins(1), "a process that listens", listens));
    }

    /// Whether its process ended because it could not start, which frees the place.
    pub fn has_refused(&mut self) -> bool {
        let ended = self.running.as_mut().and_then(|child| child.try_wait().unwrap());
        let refused = ended.is_some_and(|end| end.code() == Some(1));
        if refused {
            self.running = None;
        }
        refused
    }

    /// Sends a signal, such as `STOP`.
    pub fn signal(&self, name: &str) {
        let Some(child) = &self.running else { return };
        let sent = Command::new("sh").args(["-c", &format!("kill -s {name} {}", child.id())]).status();
        assert!(sent.unwrap().success());
    }

    /// Asks the process to stop, and waits for its end.
    pub fn stop(&mut self) -> Option<ExitStatus> {
        self.signal("TERM");
        let mut child = self.running.take()?;
        let end = wait::until(Duration::from_secs(30), "the end of a process", || child.try_wait().unwrap());
        Some(end)
    }

    /// Waits for its end, without asking for it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        let mut child = self.running.take()?;
        Some(wait::until(Duration::from_secs(30), "the end of a process", || child.try_wait().unwrap()))
    }

    /// What its processes wrote.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn assert_lives(&self, child: &mut Child) {
        let ended = child.try_wait().unwrap();
        assert!(
            ended.is_none(),
            "process {} ended by itself, {ended:?}; it wrote:\n{}",
            self.name,
            self.tail()
        );
    }

    /// The end of what it wrote.
    pub fn tail(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

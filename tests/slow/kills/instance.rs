//! One place in which a process of the app runs, and is started again each time it was killed.

use std::fs::{self, File, OpenOptions};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::{ports, wait};

/// How long an end may take that was asked for.
const END_MAX: Duration = Duration::from_mins(1);

/// Exit code of a process that could not start.
const REFUSED: i32 = 1;

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
        Self { port: ports::free(), command: environment, log, name, starts: 0, running: None }
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
    /// When it had ended by itself, which it may only where it could not start and `may_refuse`.
    pub fn kill(&mut self, may_refuse: bool) -> bool {
        let Some(mut child) = self.running.take() else { return false };
        match child.try_wait().unwrap() {
            None => {}
            Some(end) if may_refuse && end.code() == Some(REFUSED) => return false,
            Some(end) => {
                panic!("process {} ended by itself, {end:?}; it wrote:\n{}", self.name, self.tail())
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        true
    }

    /// Waits until its process serves; one that could not start is started again where it `may_refuse`.
    pub fn until_it_listens(&mut self, may_refuse: bool) {
        let listens = || {
            if may_refuse && self.has_refused() {
                self.start();
            }
            TcpStream::connect(("127.0.0.1", self.port)).ok()
        };
        drop(wait::until(Duration::from_mins(1), "a process that listens", listens));
    }

    /// Whether its process ended because it could not start, which frees the place.
    pub fn has_refused(&mut self) -> bool {
        let ended = self.running.as_mut().and_then(|child| child.try_wait().unwrap());
        let refused = ended.is_some_and(|end| end.code() == Some(REFUSED));
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

    /// Lets it go no further until it is sent `CONT`. Its threads stop one after the other, as they come to run.
    pub fn hold_up(&self) {
        self.signal("STOP");
        let Some(child) = &self.running else { return };
        wait::until(END_MAX, "a process that stands still", || stands_still(child.id()).then_some(()));
    }

    /// Asks the process to stop, and waits for its end.
    pub fn stop(&mut self) -> Option<ExitStatus> {
        self.signal("TERM");
        let mut child = self.running.take()?;
        let end = wait::until(END_MAX, "the end of a process", || child.try_wait().unwrap());
        Some(end)
    }

    /// Waits for its end, without asking for it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        let mut child = self.running.take()?;
        Some(wait::until(END_MAX, "the end of a process", || child.try_wait().unwrap()))
    }

    /// What its processes wrote.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The end of what it wrote.
    pub fn tail(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
}

/// Whether no thread of a process can run. Where the system does not say so, it is taken to be so.
fn stands_still(process: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return true };
    threads.flatten().all(|thread| {
        let said = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // After the name, which may hold anything.
        said.rsplit_once(") ").is_none_or(|(_, state)| !state.starts_with(['R', 'S', 'D']))
    })
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

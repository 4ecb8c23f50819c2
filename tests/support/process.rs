//! Programs that run beside a test: their lines as they come, signals, and an end within a limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::wait;

/// How long nothing more must have come of a program whose children keep its output open.
const IDLE: Duration = Duration::from_secs(1);

/// How long the rest of a program's output is read, on a machine that has no time for it.
const REST_MAX: Duration = Duration::from_secs(30);

/// Where a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A program with a process group of its own, which is killed with all its children when this is dropped.
pub struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Stream, String)>,
    seen: Vec<(Stream, String)>,
}

impl Running {
    /// Starts it, with its input open and its output read.
    ///
    /// # Panics
    /// When it can't be started.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let (line, lines) = mpsc::channel();
        read(Stream::Out, child.stdout.take(), line.clone());
        read(Stream::Err, child.stderr.take(), line);
        Self { input: child.stdin.take(), child, lines, seen: Vec::new() }
    }

    /// The first line that is yet to come of which `wanted` says that it is the one.
    ///
    /// # Panics
    /// When it does not come within the limit, or the program ends before.
    #[track_caller]
    pub fn line(&mut self, limit: Duration, what: &str, wanted: impl Fn(Stream, &str) -> bool) -> String {
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((stream, line)) => {
                    self.seen.push((stream, line.clone()));
                    if wanted(stream, &line) {
                        return line;
                    }
                }
                Err(error) => panic!("no line came that is {what} ({error}); it wrote:\n{}", self.written()),
            }
        }
    }

    /// Sends a signal, such as `INT`, to it and its children, as a terminal does.
    ///
    /// # Panics
    /// When it can't be sent.
    #[track_caller]
    pub fn signal_all(&self, name: &str) {
        self.kill(&format!("kill -s {name} -- -{}", self.child.id()));
    }

    /// Sends a signal to the program alone.
    ///
    /// # Panics
    /// When it can't be sent.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        self.kill(&format!("kill -s {name} {}", self.child.id()));
    }

    /// Waits until it has ended by itself.
    ///
    /// # Panics
    /// When it does not end within the limit.
    #[track_caller]
    pub fn exit(&mut self, limit: Duration) -> ExitStatus {
        self.input = None;
        let exited = wait::until(limit, "the end of a program", || {
            self.child.try_wait().expect("a child can be asked whether it has ended")
        });
        self.read_rest();
        exited
    }

    /// Reads what was written until its end, which does not come while a child of the program still runs.
    fn read_rest(&mut self) {
        let end = Instant::now() + REST_MAX;
        loop {
            match self.lines.recv_timeout(IDLE) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Timeout) if !self.has_children() && Instant::now() < end => {}
                Err(_) => return,
            }
        }
    }

    /// Whether somebody is left of its group after its own end.
    fn has_children(&self) -> bool {
        let group = format!("kill -s 0 -- -{} 2>/dev/null", self.child.id());
        Command::new("sh").args(["-c", &group]).status().is_ok_and(|found| found.success())
    }

    /// What of its own memory is resident, without what it has of files, bytes; only Linux says so.
    pub fn allocated(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1_024)
    }

    /// Everything that it has written and that was read so far.
    pub fn written(&self) -> String {
        let shown: Vec<String> =
            self.seen.iter().map(|(stream, line)| format!("{stream:?}: {line}")).collect();
        shown.join("\n")
    }

    /// The lines of one stream that were read so far.
    pub fn lines(&self, of: Stream) -> Vec<&str> {
        self.seen.iter().filter(|(stream, _)| *stream == of).map(|(_, line)| line.as_str()).collect()
    }

    /// Its input, until its end is waited for.
    pub fn input(&mut self) -> &mut dyn Write {
        self.input.as_mut().expect("the input is open until the end is waited for")
    }

    #[track_caller]
    fn kill(&self, command: &str) {
        // The shell has `kill` built in, so no package is needed for it.
        let sent = Command::new("sh").args(["-c", command]).status().expect("a shell runs");
        assert!(sent.success(), "`{command}` fails; the program wrote:\n{}", self.written());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("kill -s KILL -- -{} 2>/dev/null", self.child.id());
        let _ = Command::new("sh").args(["-c", &group]).status();
        let _ = self.child.wait();
    }
}

/// Reads lines until the stream ends; bytes that are no text are shown as such.
fn read(stream: Stream, from: Option<impl Read + Send + 'static>, to: Sender<(Stream, String)>) {
    let mut from = BufReader::new(from.expect("the stream was asked for"));
    thread::spawn(move || {
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
            line.clear();
            if to.send((stream, text)).is_err() {
                return;
            }
        }
    });
}

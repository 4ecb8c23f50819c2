//! A test program that is run once more, as a process of its own: its log line by line, its signals, its end.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long its next line is waited for.
const LINE_MAX: Duration = Duration::from_mins(1);

/// One that runs, or has ended.
pub struct Process {
    child: Child,
    log: Receiver<String>,
}

impl Process {
    /// Runs the test of this path, which is ignored otherwise, in a process that is as `prepare` says.
    pub fn start(test: &str, prepare: impl FnOnce(&mut Command)) -> Process {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored", "--nocapture"]);
        prepare(&mut command);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let (read, log) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        // Ends with the process.
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = read.send(line);
            }
        });
        Process { child, log }
    }

    /// The next line of its log; `None` once it has ended.
    #[track_caller]
    pub fn line(&self, awaited: &str) -> Option<String> {
        match self.log.recv_timeout(LINE_MAX) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("it says nothing more, and {awaited} is waited for"),
        }
    }

    /// Reads its log up to the line that holds this.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        loop {
            let line = self.line(text).unwrap_or_else(|| panic!("it ended without saying {text:?}"));
            if line.contains(text) {
                return;
            }
        }
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Its exit code, once it has ended.
    #[track_caller]
    pub fn code(mut self) -> Option<i32> {
        while self.line("its end").is_some() {}
        self.child.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that failed leaves no process behind; one that has ended is not there to be killed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

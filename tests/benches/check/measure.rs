//! Runs programs turn by turn and takes their time and their memory.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program to run, and what it must say.
pub struct Job {
    /// What it is called in the table.
    pub name: String,
    /// What it is given.
    pub input: String,
    command: Command,
    says: String,
}

/// What was measured.
pub struct Measured {
    /// From the start of the process to its end, sorted.
    times: Vec<Duration>,
    /// The most memory that was resident, where it could be asked for.
    pub peak_kib: Option<u32>,
}

impl Job {
    /// A job; its output must hold `says` and its exit code must be 0.
    pub fn new(name: &str, input: &str, command: Command, says: &str) -> Self {
        Self { name: name.to_owned(), input: input.to_owned(), command, says: says.to_owned() }
    }

    /// Runs it once and holds its answer to what it must be.
    fn hold(&mut self) {
        let output = self.command.stdout(Stdio::piped()).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains(&self.says),
            "{} on {}: {said}",
            self.name,
            self.input
        );
    }

    fn time(&mut self) -> Duration {
        let begun = Instant::now();
        let status =
            self.command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program starts");
        let time = begun.elapsed();
        assert!(status.success(), "{} on {}", self.name, self.input);
        time
    }

    /// Under GNU `time`, which the times above are taken without.
    fn peak_kib(&self) -> Option<u32> {
        let mut command = Command::new(on_path("time")?);
        command.args(["-f", "%M"]).arg(self.command.get_program()).args(self.command.get_args());
        if let Some(folder) = self.command.get_current_dir() {
            command.current_dir(folder);
        }
        let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output().ok()?;
        String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()
    }
}

impl Measured {
    /// The middle of the times.
    pub fn median(&self) -> Duration {
        self.times[self.times.len() / 2]
    }

    /// The shortest of them.
    pub fn least(&self) -> Duration {
        self.times[0]
    }

    /// The longest of them.
    pub fn most(&self) -> Duration {
        self.times[self.times.len() - 1]
    }
}

/// Holds every job's answer, then runs them turn by turn, so that whatever else the machine does meets all of them.
pub fn interleaved(jobs: &mut [Job], rounds: usize) -> Vec<Measured> {
    jobs.iter_mut().for_each(Job::hold);
    let mut times = vec![Vec::with_capacity(rounds); jobs.len()];
    for _ in 0..rounds {
        for (job, times) in jobs.iter_mut().zip(&mut times) {
            times.push(job.time());
        }
    }
    let measured = jobs.iter().zip(times).map(|(job, mut times)| {
        times.sort();
        Measured { times, peak_kib: job.peak_kib() }
    });
    measured.collect()
}

/// Where a program stands, if it is installed.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

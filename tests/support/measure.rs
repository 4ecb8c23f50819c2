//! Runs programs turn by turn and takes their time and their memory.

use std::fmt::Write as _;
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
    before: Option<Box<dyn Fn()>>,
}

/// What was measured.
pub struct Measured {
    /// From the start of the process to its end, sorted.
    times: Vec<Duration>,
    /// What the processors were used for it, on average; the system counts in hundredths of a second.
    pub cpu: Option<Duration>,
    /// The most memory that was resident, where it could be asked for.
    pub peak_kib: Option<u32>,
}

impl Job {
    /// A job; its output must hold `says` and its exit code must be 0.
    pub fn new(name: &str, input: &str, command: Command, says: &str) -> Self {
        Self { name: name.to_owned(), input: input.to_owned(), command, says: says.to_owned(), before: None }
    }

    /// The same, with something to be done before each run, which is not measured.
    #[must_use]
    pub fn before(mut self, before: impl Fn() + 'static) -> Self {
        self.before = Some(Box::new(before));
        self
    }

    fn prepare(&self) {
        if let Some(before) = &self.before {
            before();
        }
    }

    /// Runs it once and holds its answer to what it must be.
    fn hold(&mut self) {
        self.prepare();
        let output = self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(
            output.status.success() && said.contains(&self.says),
            "{} on {}: {said}",
            self.name,
            self.input
        );
    }

    fn time(&mut self) -> (Duration, Option<Duration>) {
        self.prepare();
        let cpu = children_cpu();
        let begun = Instant::now();
        let status =
            self.command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program starts");
        let time = begun.elapsed();
        assert!(status.success(), "{} on {}", self.name, self.input);
        (time, cpu.and_then(|cpu| children_cpu()?.checked_sub(cpu)))
    }

    /// Under GNU `time`, which the times above are taken without.
    fn peak_kib(&self) -> Option<u32> {
        self.prepare();
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
///
/// # Panics
/// When a program says something else than it must.
pub fn interleaved(jobs: &mut [Job], rounds: usize) -> Vec<Measured> {
    jobs.iter_mut().for_each(Job::hold);
    let mut runs = vec![Vec::with_capacity(rounds); jobs.len()];
    for _ in 0..rounds {
        for (job, runs) in jobs.iter_mut().zip(&mut runs) {
            runs.push(job.time());
        }
    }
    let measured = jobs.iter().zip(runs).map(|(job, runs)| {
        let (mut times, cpu): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
        times.sort();
        let cpu = cpu.into_iter().sum::<Option<Duration>>();
        let cpu = cpu.zip(u32::try_from(rounds).ok()).map(|(cpu, rounds)| cpu / rounds);
        Measured { times, cpu, peak_kib: job.peak_kib() }
    });
    measured.collect()
}

/// What was measured of each job, a line each.
pub fn table(jobs: &[Job], results: &[Measured]) -> String {
    let mut table = format!(
        "{:<22}{:>11}{:>24}{:>11}{:>12}  input\n",
        "command", "median", "least to most", "CPU", "memory"
    );
    for (job, result) in jobs.iter().zip(results) {
        let range = format!("{:.1} to {:.1} ms", ms(result.least()), ms(result.most()));
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let memory = or_none(result.peak_kib.map(|kib| format!("{:.1} MiB", f64::from(kib) / 1_024.0)));
        let cpu = or_none(result.cpu.map(|cpu| format!("{:.0} ms", ms(cpu))));
        let median = format!("{:.1} ms", ms(result.median()));
        // Writing to a String cannot fail.
        let _ =
            writeln!(table, "{:<22}{median:>11}{range:>24}{cpu:>11}{memory:>12}  {}", job.name, job.input);
    }
    table
}

/// A time in milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// What the processors were used by all children of this process that have ended; Linux alone says so.
fn children_cpu() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which may hold anything, ends with the last parenthesis; the fields after it are counted from the third.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(16)? + ticks(17)?) * 10))
}

/// What the processors were used so far by the threads of a process that live; Linux alone says so, and to the nanosecond.
pub fn cpu_of(process: u32) -> Option<Duration> {
    let of_thread = |thread: std::fs::DirEntry| {
        // One that ended meanwhile has nothing to say.
        let told = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        told.split(' ').next().and_then(|ns| ns.parse().ok()).map(Duration::from_nanos).unwrap_or_default()
    };
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    Some(threads.filter_map(Result::ok).map(of_thread).sum())
}

/// Where a program stands, if it is installed.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

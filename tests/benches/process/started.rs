//! From the start of the example's process to its first tick, with a store that is made and one that is there.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jadpo_tests::binaries::binary;
use jadpo_tests::measure::ms;

/// Starts, of which the median counts.
const STARTS: usize = 31;

/// The two rows.
pub fn measure() -> Vec<String> {
    let mut new = Vec::new();
    let mut again = Vec::new();
    for _ in 0..STARTS {
        let folder = tempfile::tempdir().expect("the system gives temporary folders");
        new.push(until_first_tick(folder.path()));
        again.push(until_first_tick(folder.path()));
    }
    [("a new store", new), ("a store that is there", again)].map(row).into()
}

fn row((what, mut times): (&str, Vec<Duration>)) -> String {
    times.sort();
    let [median, most] = [times[times.len() / 2], times[times.len() - 1]].map(ms);
    format!("start to the first tick, {what}: median {median:.1} ms, at most {most:.1} ms")
}

/// Starts it once, and ends it after its tick.
fn until_first_tick(folder: &Path) -> Duration {
    let mut command = Command::new(binary("rates", "rates"));
    command.current_dir(folder).env("JADPO_LOG", "debug").stderr(Stdio::piped()).stdout(Stdio::null());
    // Nobody listens there, which is no matter before the first tick.
    command.env("RATES_PORT", "1").env("RATES_API_KEY", "none");
    let begun = Instant::now();
    let mut process = command.spawn().expect("it starts");
    let mut lines = BufReader::new(process.stderr.take().expect("its standard error was asked for")).lines();
    let ticked = lines.by_ref().map_while(Result::ok).any(|line| line.contains("tick_ms="));
    let time = begun.elapsed();
    assert!(ticked, "it ended without a tick");
    drop(process.kill());
    drop(process.wait());
    time
}

//! How long `jadpo check` takes, from the start of the process to its end, and how much memory it needs: on the example,
//! and on workspaces of growing size beside what `ty` and `buf` do with as much work. Then the same of
//! `jadpo surface diff` beside `buf breaking`.
//!
//! `cargo bench -p jadpo-tests --bench check`. The peers are measured when they are on the `PATH`, memory when GNU `time`
//! is installed.

mod breaks;
mod measure;
mod workspace;

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::workspace::root;

use measure::{Job, Measured};
use workspace::{Kind, Made};

/// Rounds, each of which runs every job once.
const ROUNDS: usize = 9;

/// Lines of the generated workspaces.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    let jadpo = binary("jadpo", "jadpo");
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let example = check(&jadpo, &root().join("examples/rates"));
    let mut jobs = vec![Job::new("jadpo check", "the example", example, "nothing is wrong")];
    for lines in SIZES {
        for kind in [Kind::Jadpo, Kind::Python, Kind::Proto] {
            let inside = folder.path().join(format!("{kind:?}-{lines}"));
            let made = workspace::write(kind, &inside, lines);
            jobs.extend(job(kind, &jadpo, &inside, made));
        }
    }
    jobs.extend(breaks::jobs(&jadpo, folder.path(), SIZES[2]));
    let results = measure::interleaved(&mut jobs, ROUNDS);
    let mut out = std::io::stdout().lock();
    out.write_all(table(&jobs, &results).as_bytes()).expect("standard output is open");
}

/// The work of one workspace; none where its tool is not installed.
fn job(kind: Kind, jadpo: &Path, inside: &Path, made: Made) -> Option<Job> {
    let Made { files, lines, bytes, declarations } = made;
    let size = format!("{lines} lines, {files} files, {bytes} bytes");
    let peer = |program: &Path, word: &str| {
        let mut command = Command::new(program);
        command.arg(word).current_dir(inside);
        command
    };
    match kind {
        Kind::Jadpo => {
            let said = format!("checked {files} files, {declarations} declarations: nothing is wrong");
            Some(Job::new("jadpo check", &size, check(jadpo, inside), &said))
        }
        Kind::Python => {
            let ty = measure::on_path("ty")?;
            Some(Job::new("ty check", &size, peer(&ty, "check"), "All checks passed!"))
        }
        Kind::Proto => {
            let buf = measure::on_path("buf")?;
            Some(Job::new("buf lint", &size, peer(&buf, "lint"), ""))
        }
    }
}

fn check(jadpo: &Path, folder: &Path) -> Command {
    let mut command = Command::new(jadpo);
    command.args(["check", "--color", "never"]).arg(folder);
    command
}

fn table(jobs: &[Job], results: &[Measured]) -> String {
    let mut table =
        format!("{:<12}{:>11}{:>22}{:>12}  input\n", "command", "median", "least to most", "memory");
    for (job, result) in jobs.iter().zip(results) {
        let range = format!("{:.1} to {:.1} ms", ms(result.least()), ms(result.most()));
        let memory =
            result.peak_kib.map_or("-".to_owned(), |kib| format!("{:.1} MiB", f64::from(kib) / 1_024.0));
        let median = format!("{:.1} ms", ms(result.median()));
        table += &[format!("{:<12}{median:>11}{range:>22}{memory:>12}  {}\n", job.name, job.input)].concat();
    }
    let ours: Vec<f64> = jobs
        .iter()
        .zip(results)
        .filter(|(job, _)| job.name == "jadpo check")
        .map(|(_, result)| ms(result.median()))
        .collect();
    // The example stands first.
    let [_, _, ten, hundred] = ours[..] else { panic!("the example and three sizes were checked") };
    let growth = format!(
        "growth of jadpo check from {} to {} lines: {:.1} times\n",
        SIZES[1],
        SIZES[2],
        hundred / ten
    );
    table + &growth
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

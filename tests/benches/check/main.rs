//! How long `jadpo check` takes, from the start of the process to its end, and how much memory it needs: on the example,
//! and on workspaces of growing size beside what `ty` and `buf` do with as much work. Then the same of
//! `jadpo surface diff` beside `buf breaking`.
//!
//! `cargo bench -p jadpo-tests --bench check`. The peers are measured when they are on the `PATH`, memory when GNU `time`
//! is installed.

mod breaks;

use std::io::Write;
use std::path::Path;
use std::process::Command;

use jadpo_tests::binaries::binary;
use jadpo_tests::measure::{self, Job, Measured, ms};
use jadpo_tests::sized::{self, Kind, Made};
use jadpo_tests::workspace::root;

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
            let made = sized::write(kind, &inside, lines);
            jobs.extend(job(kind, &jadpo, &inside, made));
        }
    }
    jobs.extend(breaks::jobs(&jadpo, folder.path(), SIZES[2]));
    let results = measure::interleaved(&mut jobs, ROUNDS);
    let mut out = std::io::stdout().lock();
    let text = measure::table(&jobs, &results) + &growth(&jobs, &results);
    out.write_all(text.as_bytes()).expect("standard output is open");
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
        Kind::Toml => None,
    }
}

fn check(jadpo: &Path, folder: &Path) -> Command {
    let mut command = Command::new(jadpo);
    command.args(["check", "--color", "never"]).arg(folder);
    command
}

/// How many times as long ten times the lines take.
fn growth(jobs: &[Job], results: &[Measured]) -> String {
    let ours: Vec<f64> = jobs
        .iter()
        .zip(results)
        .filter(|(job, _)| job.name == "jadpo check")
        .map(|(_, result)| ms(result.median()))
        .collect();
    // The example stands first.
    let [_, _, ten, hundred] = ours[..] else { panic!("the example and three sizes were checked") };
    format!("growth of jadpo check from {} to {} lines: {:.1} times\n", SIZES[1], SIZES[2], hundred / ten)
}

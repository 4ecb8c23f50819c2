//! How long `jadpo check` takes, from the start of the process to its end, and how much memory it needs: on the example,
//! and on workspaces of growing size beside what `ty` and `buf` do with as much work.
//!
//! `cargo bench -p jadpo-tests --bench check`. The peers are measured when they are on the `PATH`, memory when GNU `time`
//! is installed.

mod measure;
mod workspace;

use std::io::Write;
use std::path::Path;
use std::process::Command;

use jadpo_tests::binaries::binary;
use jadpo_tests::workspace::root;

use measure::Job;
use workspace::Kind;

/// Rounds that count; one before them warms the page cache.
const ROUNDS: usize = 9;

/// Lines of the generated workspaces.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    let jadpo = binary("jadpo", "jadpo");
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let mut jobs = vec![Job::new(
        "jadpo check",
        "the example",
        check(&jadpo, &root().join("examples/rates")),
        "nothing is wrong",
    )];
    for lines in SIZES {
        for kind in [Kind::Jadpo, Kind::Python, Kind::Proto] {
            let inside = folder.path().join(format!("{kind:?}-{lines}"));
            let made = workspace::write(kind, &inside, lines);
            let size = format!("{} lines, {} files, {} bytes", made.lines, made.files, made.bytes);
            jobs.extend(match kind {
                Kind::Jadpo => {
                    let said = format!(
                        "checked {} files, {} declarations: nothing is wrong",
                        made.files, made.declarations
                    );
                    Some(Job::new("jadpo check", &size, check(&jadpo, &inside), &said))
                }
                Kind::Python => measure::on_path("ty")
                    .map(|ty| Job::new("ty check", &size, at(&ty, &inside, "check"), "All checks passed!")),
                Kind::Proto => measure::on_path("buf")
                    .map(|buf| Job::new("buf lint", &size, at(&buf, &inside, "lint"), "")),
            });
        }
    }
    let mut out = std::io::stdout().lock();
    let results = measure::interleaved(&mut jobs, ROUNDS);
    let mut growth = Vec::new();
    writeln!(out, "{:<12} {:>9} {:>19} {:>9}  input", "command", "median", "min to max", "memory")
        .expect("standard output is open");
    for (job, result) in jobs.iter().zip(&results) {
        let (median, least, most) =
            (ms(result.median()), ms(result.times[0]), ms(result.times[result.times.len() - 1]));
        let memory = result.peak_kib.map_or("-".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0));
        writeln!(
            out,
            "{:<12} {median:>6.1} ms {least:>7.1} to {most:>5.1} ms {memory:>9}  {}",
            job.name, job.input
        )
        .expect("standard output is open");
        if job.name == "jadpo check" {
            growth.push(median);
        }
    }
    writeln!(
        out,
        "growth of jadpo check from {} to {} lines: {:.1} times",
        SIZES[1],
        SIZES[2],
        growth[3] / growth[2]
    )
    .expect("standard output is open");
}

fn check(jadpo: &Path, folder: &Path) -> Command {
    let mut command = Command::new(jadpo);
    command.args(["check", "--color", "never"]).arg(folder);
    command
}

fn at(program: &Path, folder: &Path, word: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(word).current_dir(folder);
    command
}

fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

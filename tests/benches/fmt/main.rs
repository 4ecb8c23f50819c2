//! How long `jadpo fmt --check` takes over a workspace that is laid out as it should be, from the start of the process to
//! its end, beside what `ruff`, `taplo` and `buf` do with as much work.
//!
//! `cargo bench -p jadpo-tests --bench fmt`. The peers are measured when they are on the `PATH`, memory when GNU `time` is
//! installed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use jadpo_tests::binaries::binary;
use jadpo_tests::measure::{self, Job};
use jadpo_tests::sized::{self, Kind};

/// Rounds, each of which runs every job once.
const ROUNDS: usize = 11;

/// Lines of the generated workspaces.
const SIZES: [usize; 2] = [10_000, 100_000];

fn main() {
    let jadpo = binary("jadpo", "jadpo");
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let mut jobs = Vec::new();
    for lines in SIZES {
        for kind in [Kind::Jadpo, Kind::Python, Kind::Toml, Kind::Proto] {
            let inside = folder.path().join(format!("{kind:?}-{lines}"));
            let made = sized::write(kind, &inside, lines);
            let input = format!("{} lines, {} files, {} bytes", made.lines, made.files, made.bytes);
            jobs.extend(job(kind, &jadpo, &inside, made.files, &input));
        }
    }
    let results = measure::interleaved(&mut jobs, ROUNDS);
    let mut out = std::io::stdout().lock();
    out.write_all(measure::table(&jobs, &results).as_bytes()).expect("standard output is open");
}

/// The check of one workspace, which its tool has laid out before; none where the tool is not installed.
fn job(kind: Kind, jadpo: &Path, inside: &Path, files: usize, input: &str) -> Option<Job> {
    let (name, program, write, check, says): (_, _, &[&str], &[&str], _) = match kind {
        Kind::Jadpo => (
            "jadpo fmt --check",
            jadpo.to_owned(),
            &["fmt", "."],
            &["fmt", "--check", "."],
            format!("would format 0 of {files} files"),
        ),
        Kind::Python => (
            "ruff format --check",
            measure::on_path("ruff")?,
            &["format", "--no-cache", "."],
            &["format", "--no-cache", "--check", "."],
            format!("{files} files already formatted"),
        ),
        Kind::Toml => {
            ("taplo fmt --check", measure::on_path("taplo")?, &["fmt"], &["fmt", "--check"], String::new())
        }
        Kind::Proto => (
            "buf format --diff",
            measure::on_path("buf")?,
            &["format", "--write"],
            &["format", "--diff", "--exit-code"],
            String::new(),
        ),
    };
    let command = |words: &[&str]| {
        let mut command = Command::new(&program);
        command.args(words).current_dir(inside).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let laid_out = command(write).status().expect("the program starts");
    assert!(laid_out.success(), "{name} on {input}");
    hold(kind, inside, &mut command(check));
    Some(Job::new(name, input, command(check), &says))
}

/// One file laid out otherwise is found; then it is put back.
fn hold(kind: Kind, inside: &Path, check: &mut Command) {
    let file = inside.join(sized::path(kind, 1));
    let right = std::fs::read_to_string(&file).expect("the file was written");
    let (line, wrong) = match kind {
        Kind::Jadpo => ("    code: Text\n", "  code:   Text\n"),
        Kind::Python => ("    code: str\n", "    code:   str\n"),
        Kind::Toml => ("code = \"Text\"\n", "code=\"Text\"\n"),
        Kind::Proto => ("  string code = 1;\n", " string code=1;\n"),
    };
    assert!(right.contains(line), "{kind:?}: {right}");
    std::fs::write(&file, right.replacen(line, wrong, 1)).expect("temporary folders can be written");
    assert!(!check.status().expect("the program starts").success(), "{kind:?} passes over `{wrong}`");
    std::fs::write(&file, right).expect("temporary folders can be written");
}

//! How long `jadpo build` takes, from the start of the process to its end: into an empty folder, beside what `buf` and
//! `prost` do with as much work, and again with nothing changed, which must touch no file. Then how long cargo needs to check
//! what was generated.
//!
//! `cargo bench -p jadpo-tests --bench generate`. The peers are measured when they are on the `PATH`, memory when GNU `time`
//! is installed.

mod checked;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use jadpo_tests::binaries::binary;
use jadpo_tests::measure::{self, Job};
use jadpo_tests::sized::{self, Kind};

/// Rounds, each of which runs every job once.
const ROUNDS: usize = 9;

/// Lines of the generated workspaces.
const SIZES: [usize; 2] = [10_000, 100_000];

fn main() {
    let jadpo = binary("jadpo", "jadpo");
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let mut jobs = Vec::new();
    let mut kept = Vec::new();
    for lines in SIZES {
        let inside = |kind: Kind| folder.path().join(format!("{kind:?}-{lines}"));
        let made = sized::write(Kind::Jadpo, &inside(Kind::Jadpo), lines);
        let input = format!("{} lines, {} files, {} bytes", made.lines, made.files, made.bytes);
        let (cold, again) = ours(&jadpo, &inside(Kind::Jadpo), made.files - 1, &input);
        let out = inside(Kind::Jadpo).join("again");
        kept.push((out.clone(), times(&out)));
        jobs.extend([cold, again]);
        let made = sized::write(Kind::Proto, &inside(Kind::Proto), lines);
        let input = format!("{} lines, {} files, {} bytes", made.lines, made.files, made.bytes);
        jobs.extend(prost(&inside(Kind::Proto), made.files, &input));
    }
    let results = measure::interleaved(&mut jobs, ROUNDS);
    for (out, before) in kept {
        assert_eq!(times(&out), before, "a build with nothing changed touches no file");
    }
    let mut text = measure::table(&jobs, &results);
    let mut jobs = checked::jobs(&jadpo, folder.path());
    let results = measure::interleaved(&mut jobs, ROUNDS);
    text.push_str(&measure::table(&jobs, &results));
    std::io::stdout().lock().write_all(text.as_bytes()).expect("standard output is open");
}

/// The build into an empty folder, and the one into a folder where everything stands already.
fn ours(jadpo: &Path, inside: &Path, files: usize, input: &str) -> (Job, Job) {
    let build = |out: &Path| {
        let mut command = Command::new(jadpo);
        command.args(["build", "--color", "never", "--out"]).arg(out).arg(inside);
        command
    };
    let (empty, again) = (inside.join("empty"), inside.join("again"));
    let built = build(&again).output().expect("the program starts");
    assert!(built.status.success() && built.stderr.is_empty(), "{}", String::from_utf8_lossy(&built.stderr));
    let code = fs::read_to_string(again.join("src/lib.rs")).expect("the crate was written");
    for file in 0..files {
        assert!(code.contains(&format!("pub struct Parcel{file}x0 ")), "part {file} is missing");
    }
    let cold = Job::new("jadpo build", input, build(&empty), "wrote  src/lib.rs").before(cleared(empty));
    (cold, Job::new("the same again", input, build(&again), "kept   src/lib.rs"))
}

/// `buf build` and `prost` behind a program that reads what it writes; none where they are not installed.
fn prost(inside: &Path, files: usize, input: &str) -> Option<Job> {
    let (buf, prost) = (measure::on_path("buf")?, measure::on_path("prost-codegen")?);
    let (set, out) = (inside.join("set.binpb"), inside.join("out"));
    let mut command = Command::new("sh");
    command
        .args(["-c", "\"$0\" build -o \"$1\" && \"$2\" \"$1\" \"$3\" && cat \"$3\"/*.rs | grep -c '^pub struct Parcel'"])
        .args([&buf, &set, &prost, &out])
        .current_dir(inside);
    let parcels =
        |file| sized::text(Kind::Proto, file, sized::FILE_LINES).matches("\nmessage Parcel").count();
    let parcels = format!("{}\n", (0..files).map(parcels).sum::<usize>());
    Some(Job::new("buf build, prost", input, command, &parcels).before(cleared(out)))
}

/// Makes the folder an empty one.
fn cleared(folder: PathBuf) -> impl Fn() {
    move || {
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("temporary folders can be removed");
        }
        fs::create_dir_all(&folder).expect("temporary folders can be written");
    }
}

/// When each file beneath a folder was written last.
fn times(folder: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut times = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder was written").flatten() {
        let path = entry.path();
        let known = entry.metadata().expect("a file that is listed can be asked");
        if known.is_dir() {
            times.extend(self::times(&path));
        } else {
            times.insert(path, known.modified().expect("the system keeps times"));
        }
    }
    times
}

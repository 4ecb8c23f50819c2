//! What cargo needs to check the Rust of some two thousand types, beside what it needs for as many of `prost`'s. Clippy must
//! have nothing to say about ours.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use jadpo_tests::measure::{self, Job};
use jadpo_tests::sized::{self, Kind};
use jadpo_tests::workspace::root;

/// Lines of manifests, and of Protocol Buffers, that declare as many types.
const LINES: (usize, usize) = (46_000, 34_100);

/// Both crates, checked turn by turn once their dependencies are; of `prost` none where it is not installed.
pub fn jobs(jadpo: &Path, folder: &Path) -> Vec<Job> {
    let ours = ours(jadpo, &folder.join("checked"));
    clippy(&ours);
    let theirs = theirs(&folder.join("checked-prost"));
    let named = [("check, jadpo", Some(ours)), ("check, prost", theirs)];
    named.into_iter().filter_map(|(name, place)| Some(job(name, &place?))).collect()
}

fn job(name: &str, place: &Path) -> Job {
    let (types, lines) = size(&place.join("src"));
    let changed = place.join("src/lib.rs");
    let touch = move || {
        let file = File::options().append(true).open(&changed).expect("the crate was written");
        file.set_modified(SystemTime::now()).expect("temporary files have times");
    };
    Job::new(name, &format!("{types} types, {lines} lines of Rust"), cargo(place, "check"), "Finished")
        .before(touch)
}

/// Cargo without what it could keep from the run before.
fn cargo(place: &Path, what: &str) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args([what, "--offline", "--config", "build.incremental=false", "--manifest-path"])
        .arg(place.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(place.join("target"));
    command
}

/// The crate that `jadpo build` writes, over the runtime of this workspace without a host.
fn ours(jadpo: &Path, place: &Path) -> PathBuf {
    sized::write(Kind::Jadpo, place, LINES.0);
    let out = place.join("out");
    let built = Command::new(jadpo).args(["build", "--out"]).arg(&out).arg(place).output();
    assert!(built.expect("the program starts").status.success());
    let manifest = out.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("the crate was written");
    let (before, _) = text.split_once("jadpo-runtime = ").expect("the crate depends on the runtime");
    let runtime = root().join("runtime-shim");
    let runtime = runtime.to_string_lossy();
    let here = format!("jadpo-runtime = {{ path = {runtime:?}, default-features = false }}\n[workspace]\n");
    sized::write_file(&out, "Cargo.toml", &format!("{before}{here}"));
    // The versions that this workspace has resolved are there; others might have to be fetched.
    fs::copy(root().join("Cargo.lock"), out.join("Cargo.lock")).expect("temporary folders can be written");
    out
}

fn clippy(place: &Path) {
    let output = cargo(place, "clippy").args(["--", "-D", "warnings"]).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A crate of what `prost` writes; none where it, or what makes its descriptors, is not installed.
fn theirs(place: &Path) -> Option<PathBuf> {
    let (buf, prost) = (measure::on_path("buf")?, measure::on_path("prost-codegen")?);
    sized::write(Kind::Proto, place, LINES.1);
    let (set, out) = (place.join("set.binpb"), place.join("out"));
    fs::create_dir_all(out.join("src")).expect("temporary folders can be written");
    let built = Command::new(buf).args(["build", "-o"]).arg(&set).current_dir(place).status();
    assert!(built.expect("the program starts").success());
    let written = Command::new(prost).arg(&set).arg(out.join("src")).status();
    assert!(written.expect("the program starts").success());
    let parts = (0..)
        .map(|part| format!("parcels.part{part}.v1.rs"))
        .take_while(|file| out.join("src").join(file).exists());
    let modules = parts.enumerate().map(|(part, file)| {
        format!("    pub mod part{part} {{\n        pub mod v1 {{\n            include!({file:?});\n        }}\n    }}\n")
    });
    sized::write_file(
        &out,
        "src/lib.rs",
        &format!("pub mod parcels {{\n{}}}\n", modules.collect::<String>()),
    );
    let manifest = "[package]\nname = \"parcels\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\nprost = \"0.14\"\n[workspace]\n";
    sized::write_file(&out, "Cargo.toml", manifest);
    // Once, since prost is no dependency of this workspace.
    let fetched = Command::new(env!("CARGO")).arg("fetch").current_dir(&out).status();
    assert!(fetched.expect("cargo starts").success());
    Some(out)
}

/// How many types and lines the files of a folder have.
fn size(folder: &Path) -> (usize, usize) {
    let files = fs::read_dir(folder).expect("the crate was written").flatten();
    let texts = files.map(|file| fs::read_to_string(file.path()).expect("generated code is text"));
    texts.fold((0, 0), |(types, lines), text| {
        let declares = |line: &&str| {
            let line = line.trim_start();
            (line.starts_with("pub struct ") || line.starts_with("pub enum ")) && !line.contains("<'a>")
        };
        (types + text.lines().filter(declares).count(), lines + text.lines().count())
    })
}

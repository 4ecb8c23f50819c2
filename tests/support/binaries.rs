//! The programs of the checkout, as a user builds them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::workspace::root;

/// Packages that are built together: what they share is then built once, with the same features.
const EXAMPLES: [&str; 4] = ["rates", "desk", "archive", "market"];

/// Where a program of the package `package` stands. A package is built once for each test binary, beside it and in its
/// profile.
///
/// # Panics
/// When it can't be built.
#[track_caller]
pub fn binary(package: &str, name: &str) -> PathBuf {
    static BUILT: LazyLock<Mutex<BTreeMap<String, Result<PathBuf, String>>>> = LazyLock::new(Mutex::default);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let packages = if EXAMPLES.contains(&package) { &EXAMPLES[..] } else { &[package] };
    let folder = built.entry(packages.join(" ")).or_insert_with(|| build(packages)).clone();
    drop(built);
    let folder = folder.unwrap_or_else(|said| panic!("`{package}` does not build:\n{said}"));
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Cargo as whoever started this test runs it, which fixes the toolchain too.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What cargo tells a test of its own package makes a build script that looks at it, as ring's does, run anew, and all
    // that needs it is built again; for the build of the test, too, when that comes next.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// The target folder that this test was built into.
///
/// # Panics
/// Never under cargo, which puts test binaries two folders deep.
pub fn target() -> PathBuf {
    profile().parent().expect("a profile's folder stands in the target folder").to_owned()
}

fn profile() -> PathBuf {
    let this = std::env::current_exe().expect("a running test has a path");
    this.ancestors().nth(2).expect("a test binary stands in target/<profile>/deps").to_owned()
}

fn build(packages: &[&str]) -> Result<PathBuf, String> {
    let folder = profile();
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--offline"]);
    cargo.args(packages.iter().flat_map(|package| ["-p", package]));
    cargo.arg("--target-dir").arg(target()).current_dir(root());
    if folder.ends_with(Path::new("release")) {
        cargo.arg("--release");
    }
    let built = cargo.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    if built.status.success() { Ok(folder) } else { Err(said) }
}

//! Tells states of the generator apart that have one version: what one of them wrote, another may write otherwise.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// What decides about the bytes that are generated. From a registry a crate comes without its neighbours: there its version
/// says all.
const SOURCES: [&str; 5] =
    ["../Cargo.lock", "../syntax/src", "../analysis/src", "../runtime-shim/src", "src"];

fn main() {
    let mut files = Vec::new();
    for source in SOURCES {
        if Path::new(source).exists() {
            println!("cargo:rerun-if-changed={source}");
            collect(Path::new(source), &mut files);
        }
    }
    files.sort();
    let mut state = DefaultHasher::new();
    for file in files {
        // A file that can't be read now can't be compiled either.
        let text = std::fs::read(&file).unwrap_or_default();
        (file.as_os_str(), text).hash(&mut state);
    }
    println!("cargo:rustc-env=JADPO_GENERATOR_STATE={:016x}", state.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

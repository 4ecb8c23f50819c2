//! Where the checkout is, and what cargo knows of it.

use std::path::{Path, PathBuf};

/// The root of the checkout.
///
/// # Panics
/// Never: the manifest directory of this crate has a parent.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests folder stands in the checkout")
        .to_owned()
}

/// Every file of the checkout under `folder` whose name ends in `.extension`, sorted; build output is left out.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !hidden && name != "target" && name != "build" {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
}

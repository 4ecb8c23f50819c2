//! `jadpo fmt` over every manifest of the checkout, as it stands and torn apart.

mod canonical;
mod torn;
mod torn_projects;
mod written;

use jadpo_analysis::diagnostics::catalogue;
use jadpo_tests::{fixture, workspace};

use crate::manual::fences;

/// Every text of a manifest in the checkout, with where it stands: files, the documentation and the catalogue.
fn manifests() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for file in ["examples", "tests"].iter().flat_map(|folder| workspace::files(folder, "jadpo")) {
        all.push((file.display().to_string(), std::fs::read_to_string(&file).unwrap()));
    }
    for (place, text) in fixtures() {
        let files = fixture::files(&text).into_iter().filter(fixture::File::has_text_only);
        all.extend(files.map(|file| (format!("{place} {}", file.path), file.text)));
    }
    all
}

/// Every project in the documentation and the catalogue, right and wrong ones.
fn fixtures() -> Vec<(String, String)> {
    let pages = ["README.md", "docs/language.md", "docs/runtime.md"];
    let fences = pages.into_iter().flat_map(fences).map(|fence| (fence.place, fence.text));
    let examples = catalogue::pages().iter().flat_map(|page| {
        [("wrong", page.wrong), ("right", page.right)]
            .map(|(which, text)| (format!("{} {which}", page.code), text.to_owned()))
    });
    fences.chain(examples).collect()
}

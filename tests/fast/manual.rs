//! The manual is a test: each fenced manifest of the documentation gives what the page says of it.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::render::Frames;
use jadpo_analysis::system::MemorySystem;
use jadpo_tests::{fixture, workspace};

/// A fence whose info string starts with `jadpo`, and where it stands.
pub struct Fence {
    pub place: String,
    pub info: String,
    pub text: String,
}

#[test]
fn every_manifest_in_the_documentation_checks_as_the_page_says() {
    let fences: Vec<Fence> =
        ["README.md", "docs/language.md", "docs/runtime.md"].iter().flat_map(|page| fences(page)).collect();
    assert!(fences.len() > 10, "the pages show manifests");
    let wrong: Vec<String> = fences.iter().filter_map(disagreement).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_readme_shows_a_mistake_as_the_check_does() {
    let fence = fences("README.md").into_iter().next().unwrap();
    let mistaken = fence.text.replace("call: fetch_quotes", "call: fetch_quote");
    let workspace = open(&mistaken);
    let mut frames = Frames::new(|file: &str| workspace.text(file), false);
    let shown: Vec<String> =
        workspace.check().diagnostics.iter().map(|diagnostic| frames.human(diagnostic)).collect();
    let page = std::fs::read_to_string(workspace::root().join("README.md")).unwrap();
    assert!(page.contains(&format!("```text\n{}```", shown.concat())), "{}", shown.concat());
}

#[test]
fn each_promise_names_tests_that_there_are() {
    let page = std::fs::read_to_string(workspace::root().join("docs/runtime.md")).unwrap();
    let (_, table) = page.split_once("| promise | shown by |").unwrap();
    let table = table.split_once("\n\n").unwrap().0;
    let mut checked = 0;
    for shown_by in table.split([';', '\n']).filter_map(|row| row.rsplit('|').find(|cell| cell.contains('`')))
    {
        let (place, tests) = shown_by.split_once(':').unwrap_or((shown_by, ""));
        let place = place.split('`').nth(1).unwrap();
        let written = sources(&workspace::root().join(place));
        assert!(!written.is_empty(), "{place} is there");
        for test in tests.split('`').skip(1).step_by(2) {
            assert!(written.contains(&format!("fn {test}(")), "{place} has {test}");
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked} tests are named");
}

/// The Rust of a file, or of all files in a folder.
fn sources(place: &Path) -> String {
    match std::fs::read_dir(place) {
        Ok(entries) => entries.map(|entry| sources(&entry.unwrap().path())).collect(),
        Err(_) => std::fs::read_to_string(place).unwrap_or_default(),
    }
}

/// What the check says other than the page, if anything.
fn disagreement(fence: &Fence) -> Option<String> {
    let wanted: Vec<&str> =
        fence.info.strip_prefix("error ").map(|codes| codes.split(' ').collect()).unwrap_or_default();
    let report = check(&fence.text);
    let found: Vec<String> =
        report.diagnostics.iter().map(|diagnostic| diagnostic.code.text().to_owned()).collect();
    let messages: Vec<&str> = report.diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect();
    (found != wanted).then(|| format!("{}: wanted {wanted:?}, found {found:?} {messages:?}", fence.place))
}

fn check(text: &str) -> jadpo_analysis::Report {
    open(text).check()
}

fn open(text: &str) -> Workspace {
    let mut system = MemorySystem::new();
    for file in fixture::files(text) {
        system.write(format!("/project/{}", file.path), &*file.text);
    }
    Workspace::open(Arc::new(system), Path::new("/project"))
}

/// The fences of a page that hold manifests.
pub fn fences(page: &str) -> Vec<Fence> {
    let text = std::fs::read_to_string(workspace::root().join(page)).unwrap();
    let mut fences: Vec<Fence> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```jadpo") {
            fences.push(Fence {
                place: format!("{page}:{}", number + 1),
                info: info.trim().to_owned(),
                text: String::new(),
            });
            inside = true;
        } else if line == "```" {
            inside = false;
        } else if inside && let Some(fence) = fences.last_mut() {
            fence.text.push_str(line);
            fence.text.push('\n');
        }
    }
    fences
}

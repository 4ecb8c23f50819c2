//! What a build script says and leaves, for a project on disk.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use super::*;

const APP: &str = "app quiet { }\n";

/// A project of these files, built into its own `out`; what cargo hears is shown with the place left out.
fn built(files: &[(&str, &str)]) -> (tempfile::TempDir, String, Result<(), String>) {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let built = build_into(&place.path().join("crate/app.jadpo"), &place.path().join("out"));
    let shown = built.for_cargo.replace(&place.path().canonicalize().unwrap().display().to_string(), "");
    (place, shown, built.outcome)
}

#[test]
fn a_project_is_written_and_watched() {
    let provider = "provider calm { base_url: \"https://calm.example\" }\n";
    let (place, cargo, outcome) = built(&[
        ("crate/app.jadpo", APP),
        ("crate/Cargo.toml", ""),
        ("crate/packages/calm/provider.jadpo", provider),
    ]);
    assert_eq!(outcome, Ok(()));
    insta::assert_snapshot!(cargo, @"
    cargo:rerun-if-changed=/crate/app.jadpo
    cargo:rerun-if-changed=/crate/packages/calm
    cargo:rerun-if-changed=/crate/packages/calm/provider.jadpo
    cargo:rerun-if-changed=src
    ");
    assert!(fs::read_to_string(place.path().join("out/app.rs")).unwrap().contains("pub mod app {"));
    assert!(place.path().join("out/plan.json").exists());
}

#[test]
fn an_error_is_shown_and_nothing_is_written() {
    let (place, cargo, outcome) = built(&[("crate/app.jadpo", "app quiet { colour: 1 }\n")]);
    let problem = outcome.unwrap_err();
    assert!(problem.contains("colour") && problem.contains("app.jadpo"), "{problem}");
    assert!(cargo.contains("cargo:rerun-if-changed=/crate/app.jadpo"), "{cargo}");
    assert!(!place.path().join("out").exists());
}

#[test]
fn a_project_that_is_not_there_is_watched_for() {
    let (_place, cargo, outcome) = built(&[]);
    assert!(outcome.unwrap_err().contains("file.project_missing"));
    assert!(cargo.contains("app.jadpo"), "{cargo}");
}

#[test]
fn another_file_is_refused() {
    let built = build_into(Path::new("provider.jadpo"), Path::new("out"));
    assert!(built.outcome.unwrap_err().contains("provider.jadpo"));
}

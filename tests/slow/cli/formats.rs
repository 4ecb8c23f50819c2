//! The formats for terminals and services: well-formed for everything that can be wrong, with files named from where
//! the reader looks.

use jadpo_analysis::diagnostics::catalogue::pages;
use jadpo_tests::scratch::Scratch;
use serde_json::Value;

use super::{CLEAN, command, jadpo, with_error};

#[test]
fn every_code_s_wrong_example_can_be_written_in_every_format() {
    for page in pages() {
        let scratch = Scratch::with(page.wrong);
        let out = |format: &str| jadpo(scratch.path(), ["check", "--format", format]).out;
        let json: Value = serde_json::from_str(&out("json")).unwrap();
        let count = json["diagnostics"].as_array().unwrap().len();
        let code = page.code.text();
        for line in [out("concise"), out("github")] {
            assert_eq!(line.lines().count(), count, "{code}: {line}");
            assert!(line.contains(code), "{code}: {line}");
        }
        let sarif: Value = serde_json::from_str(&out("sarif")).unwrap();
        assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), count, "{code}");
        let issues: Value = serde_json::from_str(&out("gitlab")).unwrap();
        assert_eq!(issues.as_array().unwrap().len(), count, "{code}");
        assert!(out("junit").contains(&format!("[{code}]")), "{code}");
    }
}

#[test]
fn a_terminal_finds_files_from_where_the_command_runs() {
    let scratch = Scratch::with(&with_error());
    let place = |folder: &str, path: &str| {
        let out = jadpo(&scratch.at(folder), ["check", path, "--format", "concise"]).out;
        out.split_once(": error").unwrap().0.to_owned()
    };
    assert_eq!(place(".", "."), "packages/tides/provider.jadpo:3:29");
    assert_eq!(place(".", "packages/tides"), "packages/tides/provider.jadpo:3:29");
    assert_eq!(place("packages", "./tides/."), "tides/provider.jadpo:3:29");
    assert_eq!(place("packages/tides", "../.."), "provider.jadpo:3:29");
    assert_eq!(place("packages/tides", &scratch.path().display().to_string()), "provider.jadpo:3:29");
}

#[test]
fn a_service_finds_files_from_the_root_of_the_checkout() {
    let scratch = Scratch::with(&with_error());
    let annotation = |variable: &str, value: &std::path::Path| {
        let mut command = command(&scratch.at("packages"));
        command.args(["check", "tides", "--format", "github"]).env(variable, value);
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        out.strip_prefix("::error file=").unwrap().split_once(',').unwrap().0.to_owned()
    };
    assert_eq!(annotation("UNUSED", scratch.path()), "tides/provider.jadpo");
    for variable in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
        assert_eq!(annotation(variable, scratch.path()), "packages/tides/provider.jadpo");
        assert_eq!(annotation(variable, &scratch.at("elsewhere")), "tides/provider.jadpo");
    }
}

#[test]
fn exits_are_those_of_every_other_format() {
    for format in ["concise", "sarif", "github", "gitlab", "junit"] {
        for (fixture, code) in [(CLEAN.to_owned(), 0), (with_error(), 1)] {
            let scratch = Scratch::with(&fixture);
            let ran = jadpo(scratch.path(), ["check", "--format", format, "--color", "always"]);
            assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{format}");
            assert!(!ran.out.contains('\u{1b}'), "{format}");
        }
    }
}

//! What each format makes of texts that its readers would trip over.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use insta::assert_snapshot;
use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::catalogue::pages;
use jadpo_analysis::diagnostics::codes::{app, base};
use jadpo_analysis::diagnostics::{Diagnostic, Edit, Fix, Position, Range, Related, Severity};
use serde_json::Value;

use super::{concise, fingerprint, github, gitlab, junit, sarif};

/// Every character with a meaning somewhere: in XML, JSON, workflow commands, URIs, terminals, SARIF messages.
const AWKWARD: &str = "100% of \"a\" & 'b' <c> ]]> \u{1F30A} e\u{301} \u{1}\u{1b}[31m\u{7f}\r\n\ttab, ::error::x {0} {y} [z](1)\u{fffe}";

fn range(start: (u32, u32), end: (u32, u32)) -> Range {
    let position = |(line, column)| Position { line, column, offset: line * 100 + column };
    Range { start: position(start), end: position(end) }
}

fn awkward() -> Diagnostic {
    Diagnostic {
        code: base::NAME_DUPLICATE,
        severity: Severity::Error,
        message: AWKWARD.to_owned(),
        file: "ü b/a:b,c%d\"<&.jadpo".to_owned(),
        range: range((3, 5), (3, 9)),
        label: String::new(),
        related: vec![Related {
            message: "the first\none".to_owned(),
            file: "app.jadpo".to_owned(),
            range: range((1, 1), (2, 4)),
        }],
        help: Some("50%\nor less".to_owned()),
        fixes: vec![Fix {
            title: "write `{0}`".to_owned(),
            safe: true,
            edits: vec![
                Edit { file: "b.jadpo".to_owned(), range: range((2, 2), (2, 2)), text: "\u{1F30A}\n".into() },
                Edit { file: "a.jadpo".to_owned(), range: range((1, 1), (1, 2)), text: String::new() },
            ],
        }],
    }
}

fn plain(severity: Severity, file: &str, start: (u32, u32), end: (u32, u32)) -> Diagnostic {
    Diagnostic {
        code: app::POLL_UNHEARD,
        severity,
        message: "nobody hears `level`".to_owned(),
        file: file.to_owned(),
        range: range(start, end),
        label: "here".to_owned(),
        related: Vec::new(),
        help: None,
        fixes: Vec::new(),
    }
}

fn report() -> Report {
    let diagnostics = vec![
        plain(Severity::Warning, "app.jadpo", (1, 1), (2, 2)),
        plain(Severity::Note, "app.jadpo", (9, 1), (9, 3)),
        awkward(),
        plain(Severity::Error, "ü b/a:b,c%d\"<&.jadpo", (4, 1), (4, 3)),
    ];
    Report { diagnostics, files: 3, declarations: 7, on_workers: Vec::new() }
}

fn clean() -> Report {
    Report { diagnostics: Vec::new(), files: 1, declarations: 1, on_workers: Vec::new() }
}

#[test]
fn concise_is_one_line_each() {
    let text = concise::report(&report());
    assert_snapshot!(text);
    assert_eq!(text.lines().count(), 4);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    assert_eq!(concise::report(&clean()), "");
}

#[test]
fn github_escapes_what_would_end_a_command_or_a_property() {
    let text = github::report(&report());
    assert_snapshot!(text);
    // What the runner reads from each line is what was said.
    let commands: Vec<_> = text.lines().map(read_command).collect();
    assert_eq!(commands.len(), 4);
    let (name, properties, message) = &commands[2];
    assert_eq!(*name, "error");
    assert_eq!(properties[0], ("file".to_owned(), awkward().file));
    let line = "\napp.jadpo:1:1: the first\none";
    assert_eq!(*message, format!("{AWKWARD}\nhelp: 50%\nor less{line}"));
    assert!(commands.iter().all(|(.., message)| !message.is_empty()));
    // A range of several lines has no columns.
    assert!(commands[0].1.iter().all(|(key, _)| !key.starts_with("col") && !key.starts_with("endCol")));
    assert_eq!(github::report(&clean()), "");
}

/// A command as the runner takes it apart: at the first `::` behind the properties, at `,`, at the first `=`.
fn read_command(line: &str) -> (&str, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let unescaped = |text: &str, escapes: &[(&str, &str)]| {
        escapes.iter().fold(text.to_owned(), |text, (escape, c)| text.replace(escape, c))
    };
    let property =
        |text| unescaped(text, &[("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]);
    let properties = properties.split(',').map(|pair| pair.split_once('=').unwrap());
    (
        name,
        properties.map(|(key, value)| (key.to_owned(), property(value))).collect(),
        unescaped(message, &[("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]),
    )
}

#[test]
fn gitlab_is_a_list_of_issues() {
    let text = gitlab::report(&report());
    let issues: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_snapshot!(serde_json::to_string_pretty(&issues[2]).unwrap());
    let severities: Vec<_> = issues.iter().map(|issue| issue["severity"].as_str().unwrap()).collect();
    assert_eq!(severities, ["minor", "info", "major", "major"]);
    for issue in &issues {
        for key in ["description", "check_name", "fingerprint", "severity"] {
            assert!(!issue[key].as_str().unwrap().is_empty(), "{key} of {issue}");
        }
        assert!(!issue["location"]["path"].as_str().unwrap().starts_with("./"));
        assert!(issue["location"]["lines"]["begin"].as_u64() <= issue["location"]["lines"]["end"].as_u64());
    }
    assert_eq!(gitlab::report(&clean()), "[]\n");
}

#[test]
fn fingerprints_differ_and_stay_when_lines_move() {
    let before = report().diagnostics;
    let all = fingerprint::of_all(&before);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    let mut moved = before.clone();
    for diagnostic in &mut moved {
        diagnostic.range = range((90, 1), (91, 1));
        diagnostic.severity = Severity::Error;
    }
    assert_eq!(fingerprint::of_all(&moved), all);
    // They are kept by services between releases of the command, so they are written down here.
    assert_eq!(all[0], "c9cffb786c4768dd9d036f56be564cae");
    let mut renamed = before;
    renamed[0].file = "other.jadpo".to_owned();
    assert_ne!(fingerprint::of_all(&renamed)[0], all[0]);
}

#[test]
fn junit_is_well_formed_whatever_it_holds() {
    let files: Vec<String> = ["app.jadpo", "fine.jadpo", "ü b/a:b,c%d\"<&.jadpo"].map(str::to_owned).into();
    let text = junit::report(&report(), &files);
    assert_snapshot!(text);
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    let cases: Vec<_> = root.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let names: Vec<_> = cases.iter().map(|case| case.attribute("name").unwrap()).collect();
    assert_eq!(names, files);
    let failures: Vec<_> = root.descendants().filter(|node| node.has_tag_name("failure")).collect();
    for suite in root.descendants().filter(|node| node.tag_name().name().starts_with("testsuite")) {
        assert_eq!(suite.attribute("tests"), Some("3"));
        assert_eq!(suite.attribute("failures"), Some("1"));
    }
    assert_eq!(failures.len(), 1);
    // All but the characters that XML can't hold comes back.
    let readable = AWKWARD.replace(['\u{1}', '\u{1b}', '\u{fffe}'], "\u{fffd}");
    assert_eq!(failures[0].attribute("message").unwrap(), readable + " (and 1 more)");
    assert_eq!(failures[0].text().unwrap().lines().count(), 2);
    assert!(cases[0].text().is_some() && !cases[0].children().any(|node| node.has_tag_name("failure")));
    roxmltree::Document::parse(&junit::report(&clean(), &[])).unwrap();
    // What stands in no file that was checked has a case too.
    let lost = Report { diagnostics: vec![plain(Severity::Error, ".", (1, 1), (1, 1))], ..clean() };
    assert!(junit::report(&lost, &[]).contains("tests=\"1\" failures=\"1\""));
}

#[test]
fn sarif_has_what_its_schema_requires() {
    let log: Value = serde_json::from_str(&sarif::report(&report())).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), pages().len());
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[key]["text"].as_str().unwrap().is_empty(), "{key} of {}", rule["id"]);
        }
    }
    let results = run["results"].as_array().unwrap();
    // Which rule it is moves with each new code, and is compared by name below.
    let mut shown = results[2].clone();
    shown["ruleIndex"] = Value::Null;
    assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        hold(result);
    }
    let none: Value = serde_json::from_str(&sarif::report(&clean())).unwrap();
    assert_eq!(none["runs"][0]["results"], Value::Array(Vec::new()));
}

/// Every place and text beneath `value` is one that the standard allows.
#[track_caller]
fn hold(value: &Value) {
    match value {
        Value::Object(object) => {
            if let Some(uri) = object.get("uri") {
                let uri = uri.as_str().unwrap();
                let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
                assert!(uri.chars().all(is_allowed) && !uri.starts_with('/'), "{uri}");
            }
            if let (Some(start), Some(end)) = (object.get("startLine"), object.get("endLine")) {
                let place =
                    |line: &Value, column: &str| (line.as_u64().unwrap(), object[column].as_u64().unwrap());
                let (start, end) = (place(start, "startColumn"), place(end, "endColumn"));
                assert!(start <= end && start.0 >= 1 && start.1 >= 1, "{object:?}");
            }
            for key in ["fixes", "relatedLocations", "artifactChanges", "replacements"] {
                assert!(object.get(key).is_none_or(|list| !list.as_array().unwrap().is_empty()), "{key}");
            }
            object.values().for_each(hold);
        }
        Value::Array(list) => list.iter().for_each(hold),
        _ => {}
    }
}

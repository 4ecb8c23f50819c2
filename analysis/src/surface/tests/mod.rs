//! Tests of surfaces: one edit of one package goes in, what it means in both directions comes out.
#![allow(clippy::unwrap_used, reason = "a test that can't go on should stop")]

mod check;
mod compare;
mod generated;
mod manual;
mod provider;
mod refactors;
mod rows;
mod text;
mod truth;

use super::diff::diff;
use super::entry::Surface;
use super::json;
use crate::tests::{brief, open};

/// A package whose types travel every way: `Read`, `Written`, `Both` and `Kept` as they are called, `Level` as a setting.
const PACKAGE: &str = r#"//- /provider.jadpo
provider feed {
    version: "1.2.0"
    base_url: "https://api.feed.example"
    settings: {
        api_key: Secret
        currency: Text { default: "usd"  max_length: 5 }
        level: Level
        region: Text? { min_length: 2 }
    }
    auth: bearer(settings.api_key)
    max_concurrent: 8
    polls: { state: { call: fetch_state  every: 5m  emits: Kept } }
}

operation fetch_state { method: GET  path: "/state"  output: Answer }

public operation list { method: GET  path: "/list"  output: List<Map<Text, Read?>> }

public operation put { method: POST  path: "/put"  input: Written  output: Both }

public operation send { method: POST  path: "/send"  input: Both }

public type Read = Object {
    ra: Int
    rb: Text?
    rc: Decimal optional
    rd: List<Map<Text, Text?>>
    re: Text { max_length: 20 }
    rf: ReadSide
}
public type ReadSide = Enum { rbuy  rsell }

public type Written = Object {
    wa: Int
    wb: Text?
    wc: Decimal optional
    wd: List<Map<Text, Text?>>
    we: Text { max_length: 20 }
    wf: WrittenSide
}
public type WrittenSide = Enum { wbuy  wsell }

public type Both = Object { ba: Int  bb: Text?  be: Text { max_length: 20 }  bf: BothSide }
public type BothSide = Enum { bbuy  bsell }

public type Kept = Event {
    ka: Int
    kb: Text?
    kc: Decimal optional
    ke: Text { max_length: 20 }
    kf: KeptSide
    kg: OpenSide
}
type Answer = Object {
    ka: Int
    kb: Text?
    kc: Decimal optional
    ke: Text { max_length: 20 }
    kf: KeptSide
    kg: OpenSide
}
public type KeptSide = Enum { kbuy  ksell }
public type OpenSide = Enum { obuy  osell  unknown as other }

public type Level = Enum { low  high }
public type Symbol = Text { max_length: 12 }
public type Names = List<Text>
"#;

/// The surface of the one package of a fixture.
#[track_caller]
fn surface_of(fixture: &str) -> Surface {
    let workspace = open(fixture);
    let surface = workspace.surfaces().pop().unwrap().surface;
    let surface = surface.unwrap_or_else(|| panic!("the package is not right:\n{}", brief(fixture)));
    Surface::clone(&surface)
}

/// The digest of a whole surface.
fn digest(surface: &Surface) -> String {
    let value: serde_json::Value = serde_json::from_str(&json::write(surface)).unwrap();
    value["digest"].to_string()
}

/// A difference, a line for each change: what it means, its kind and the sentence.
fn differences(old: &Surface, new: &Surface) -> String {
    let lines: Vec<_> = diff(old, new)
        .iter()
        .map(|change| format!("{} {}: {}", change.class.text(), change.kind.row().name, change.says))
        .collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}

/// The package after texts in it have become others, wherever they stand.
#[track_caller]
fn edited(edits: &[(&str, &str)]) -> String {
    let mut text = PACKAGE.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "`{from}` must stand in the package");
        text = text.replace(from, to);
    }
    text
}

/// What an edit of the package means, each change as its class and its kind, and what its undoing means.
#[track_caller]
fn check(from: &str, to: &str, means: &[&str], undone: &[&str]) {
    check_all(&[(from, to)], means, undone);
}

/// The same for several edits at once.
#[track_caller]
fn check_all(edits: &[(&str, &str)], means: &[&str], undone: &[&str]) {
    let (old, new) = (surface_of(PACKAGE), surface_of(&edited(edits)));
    let kinds = |old: &Surface, new: &Surface| {
        let changes = diff(old, new);
        changes.iter().map(|it| format!("{} {}", it.class.text(), it.kind.row().name)).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&old, &new), means, "{edits:?}:\n{}", differences(&old, &new));
    assert_eq!(kinds(&new, &old), undone, "undoing {edits:?}:\n{}", differences(&new, &old));
}

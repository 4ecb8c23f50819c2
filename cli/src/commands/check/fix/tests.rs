//! What is repaired, what isn't, and that nothing becomes worse.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use insta::assert_snapshot;
use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::catalogue::pages;
use jadpo_analysis::diagnostics::{Edit, Position, Range};
use jadpo_analysis::system::fixture;

use super::{Plan, counted, edits, plan};

fn fixed_in(fixture: &str, root: &str) -> (Plan, Workspace) {
    let mut workspace = Workspace::open(Arc::new(fixture::parse(fixture)), Path::new(root));
    let plan = plan(&mut workspace, Path::new(root));
    assert!(plan.complete);
    (plan, workspace)
}

/// What was done, the texts that changed, and what is left.
fn check(fixture: &str) -> String {
    let (plan, workspace) = fixed_in(fixture, "/");
    let mut out = String::new();
    for fixed in &plan.fixed {
        writeln!(out, "{}:{}: {} [{}]", fixed.file, fixed.position.line, fixed.title, fixed.code).unwrap();
    }
    for file in &plan.files {
        writeln!(out, "--- {}\n{}", file.file, file.after.trim_end()).unwrap();
    }
    for left in workspace.check().diagnostics {
        writeln!(out, "left: {}:{}: {} [{}]", left.file, left.range.start.line, left.message, left.code)
            .unwrap();
    }
    out
}

#[test]
fn repairs_that_need_no_choice_are_made() {
    let fixture = r"
//- /app.jadpo
app trading { }

type Order = Object { price: Decimla  amount: Imt, note: Txet }
";
    assert_snapshot!(check(fixture), @"
    app.jadpo:3: write `Decimal` [type.unknown]
    app.jadpo:3: write `Int` [type.unknown]
    app.jadpo:3: write `Text` [type.unknown]
    app.jadpo:3: remove the comma [syntax.comma_unneeded]
    --- app.jadpo
    app trading { }

    type Order = Object { price: Decimal  amount: Int note: Text }
    ");
}

/// An app whose connection names its package wrongly, so that the rest of the connection can't be judged.
fn with_connection(rest: &str) -> String {
    format!(
        r#"
//- /app.jadpo
app quay {{ }}

store main {{ engine: sqlite("quay.db") }}

connection gauge {{ package: tidse  {rest} }}

subscriber log_level {{ on: tides.LevelChanged }}
//- /tides/provider.jadpo
provider tides {{
    base_url: "https://api.tides.example"
    settings: {{ api_key: Secret }}
    polls: {{ level: {{ call: fetch_level  every: 5m  emits: LevelChanged }} }}
}}

operation fetch_level {{ method: GET  path: "/level"  output: Level }}

type Level = Object {{ height: Decimal }}

public type LevelChanged = Event {{ height: Decimal }}
"#
    )
}

#[test]
fn one_that_brings_others_to_light_is_made_with_theirs() {
    let settings = r#"settings: { api_kye: env("KEY") }  polls: { levle: 10m }"#;
    assert_snapshot!(check(&with_connection(settings)), @r#"
    app.jadpo:5: write `tides` [connection.package_unknown]
    app.jadpo:5: write `api_key` [connection.key_invalid]
    app.jadpo:5: write `level` [connection.key_invalid]
    --- app.jadpo
    app quay { }

    store main { engine: sqlite("quay.db") }

    connection gauge { package: tides  settings: { api_key: env("KEY") }  polls: { level: 10m } }

    subscriber log_level { on: tides.LevelChanged }
    "#);
}

#[test]
fn one_that_brings_a_choice_to_light_is_not_made() {
    assert_snapshot!(
        check(&with_connection("")),
        @"left: app.jadpo:5: there is no package `tidse` [connection.package_unknown]"
    );
}

#[test]
fn nothing_wrong_changes_nothing() {
    assert_snapshot!(check("//- /app.jadpo\napp trading { }\n"), @"");
}

#[test]
fn what_stands_outside_the_directory_is_left_alone() {
    let app = "//- /w/app/app.jadpo\napp trading { packages: [\"../feed\"] }\n\ntype T = Txet\n";
    let feed =
        "//- /w/feed/provider.jadpo\nprovider feed { base_url: \"https://a.example\" }\n\ntype T = Txet\n";
    let (plan, workspace) = fixed_in(&format!("{app}{feed}"), "/w/app");
    let files: Vec<_> = plan.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(files, ["app.jadpo"]);
    assert_eq!(workspace.check().diagnostics.len(), 1);
    let (plan, _) = fixed_in(feed, "/w/feed");
    assert_eq!(plan.files.len(), 1);
}

#[test]
fn a_file_through_a_link_counts_where_it_stands() {
    let (plan, _) = fixed_in(
        "//- /w/app.jadpo\napp trading { }\n//- /w/linked.jadpo link:../v/real.jadpo\n//- /v/real.jadpo\ntype T = Txet\n",
        "/w",
    );
    assert!(plan.files.is_empty());
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let text = "\u{feff}app trading { }\r\n\r\ntype T = Object {\r\n    a: Txet,\n    b: Imt\r\n}\r\n";
    let (plan, _) = fixed_in(&format!("//- /app.jadpo\n{text}"), "/");
    assert_eq!(*plan.files[0].before, *text);
    assert_eq!(*plan.files[0].after, *text.replace("Txet,", "Text").replace("Imt", "Int"));
}

#[test]
fn no_example_of_the_catalogue_becomes_worse() {
    let mut made = 0;
    for page in pages() {
        let mut workspace = Workspace::open(Arc::new(fixture::parse(page.wrong)), Path::new("/"));
        let before = workspace.check().diagnostics;
        let plan = plan(&mut workspace, Path::new("/"));
        let after = workspace.check().diagnostics;
        assert!(plan.complete, "{}", page.code);
        assert!(after.len() + plan.fixed.len().min(1) <= before.len(), "{}", page.code);
        assert!(after.iter().all(|it| before.iter().any(|old| old.code == it.code)), "{}", page.code);
        assert_eq!(plan.fixed.is_empty(), plan.files.is_empty(), "{}", page.code);
        if plan.fixed.is_empty() {
            assert_eq!(counted(&before), counted(&after), "{}", page.code);
        }
        let again = super::plan(&mut workspace, Path::new("/"));
        assert!(again.fixed.is_empty(), "{}: {:?}", page.code, again.fixed);
        made += plan.fixed.len();
    }
    assert!(made > 20, "only {made} repairs were made");
}

fn edit(start: u32, end: u32, text: &str) -> Edit {
    let position = |offset| Position { offset, line: 1, column: offset + 1 };
    Edit {
        file: "a".to_owned(),
        range: Range { start: position(start), end: position(end) },
        text: text.to_owned(),
    }
}

#[test]
fn edits_that_touch_are_not_made_together() {
    let together = |one: (u32, u32), other: (u32, u32)| {
        let mut places = edits::Places::default();
        assert!(places.take(&[edit(one.0, one.1, "x")]));
        places.take(&[edit(other.0, other.1, "y")])
    };
    assert!(together((0, 2), (3, 4)));
    assert!(together((3, 4), (0, 2)));
    for (one, other) in
        [((0, 2), (1, 3)), ((0, 2), (2, 3)), ((1, 1), (1, 1)), ((0, 9), (4, 4)), ((2, 3), (0, 2))]
    {
        assert!(!together(one, other), "{one:?} {other:?}");
    }
    assert!(
        !edits::Places::default().take(&[edit(0, 2, ""), edit(1, 3, "")]),
        "a repair that contradicts itself"
    );
    assert!(!edits::Places::default().take(&[]));
    let mut places = edits::Places::default();
    assert!(!places.take(&[edit(0, 1, ""), edit(5, 6, ""), edit(6, 7, "")]));
    assert!(places.take(&[edit(1, 2, "")]), "what was refused holds no place");
}

#[test]
fn edits_keep_what_is_around_them() {
    let applied = |text: &str, list: &[Edit]| edits::applied(text, &list.iter().collect::<Vec<_>>());
    assert_eq!(applied("abc", &[edit(2, 2, "x"), edit(0, 1, "")]), "bxc");
    assert_eq!(applied("a\r\nb\n", &[edit(3, 3, "x\ny\r\n")]), "a\r\nx\r\ny\r\nb\n");
    assert_eq!(applied("a\nb\r\n", &[edit(2, 2, "x\n")]), "a\nx\nb\r\n");
    assert_eq!(applied("\u{feff}a", &[edit(0, 0, "x\n")]), "\u{feff}x\na");
    assert!(!edits::fits("aé", &edit(2, 3, "x")), "inside a character");
    assert!(!edits::fits("a", &edit(0, 9, "x")), "beyond the end");
    assert!(!edits::fits("a", &edit(0, 1, "a")), "nothing to do");
}

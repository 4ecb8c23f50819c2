//! Comparisons of workspaces: which packages, which places, and what of an app is hit.

use std::fmt::Write;

use super::{PACKAGE, edited, surface_of};
use crate::surface::json;
use crate::surface::{Accept, Against, Document};
use crate::tests::open;

/// An app over the package: two connections, of which one has an interval and a cap of its own.
const APP: &str = r#"//- /app.jadpo
app trading { }
store main { engine: sqlite("t.db") }
connection one { package: feed  settings: { api_key: env("K")  level: low  currency: "eur" } }
connection two {
    package: feed
    settings: { api_key: env("K")  level: low }
    max_concurrent: 6
    polls: { state: 10m }
}
subscriber keep { on: feed.Kept  from: [one]  uses: [origin] }
subscriber tell { on: feed.Kept  from: [two] }
subscriber note { on: Noted  uses: [two]  emits: [Noted]  store: main }
type Noted = Event { side: feed.ReadSide }
"#;

fn project(edits: &[(&str, &str)]) -> String {
    format!("{APP}{}", edited(edits).replace("//- /", "//- /p/"))
}

/// What edits of the package hit in the app, a line for each change.
#[track_caller]
fn hits(edits: &[(&str, &str)]) -> String {
    let (old, new) = (open(&project(&[])), open(&project(edits)));
    let comparison = new.compare_surfaces(Against::Workspace(&old));
    let mut out = String::new();
    for found in comparison.packages.iter().flat_map(|package| &package.changes) {
        let hits = &found.hits;
        let name = found.change.kind.row().name;
        writeln!(
            out,
            "{name} {:?} {:?} {:?} {:?}",
            hits.connections, hits.polls, hits.subscribers, hits.types
        )
        .unwrap();
    }
    let left = &comparison.untouched;
    write!(out, "not {:?} {:?} {:?} {:?}", left.connections, left.polls, left.subscribers, left.types)
        .unwrap();
    out
}

#[test]
fn an_event_hits_whom_it_is_delivered_to() {
    insta::assert_snapshot!(hits(&[("ka: Int", "ka: Bool")]), @r#"
type_changed {"one", "two"} {"one.state", "two.state"} {"keep", "tell"} {}
not {} {} {"note"} {"Noted"}
"#);
}

#[test]
fn a_type_within_an_event_hits_the_same() {
    insta::assert_snapshot!(hits(&[("kbuy  ksell", "kbuy  ksell  kmore")]), @r#"
variant_added {"one", "two"} {"one.state", "two.state"} {"keep", "tell"} {}
not {} {} {"note"} {"Noted"}
"#);
}

#[test]
fn an_operation_hits_whose_code_may_call_it() {
    insta::assert_snapshot!(hits(&[("public operation list", "public operation list_all")]), @r#"
operation_renamed {"one", "two"} {} {"keep", "note"} {}
not {} {"one.state", "two.state"} {"tell"} {"Noted"}
"#);
}

#[test]
fn a_type_that_the_apps_own_types_hold_hits_these_too() {
    insta::assert_snapshot!(hits(&[("rbuy  rsell", "rbuy  rsell  rmore")]), @r#"
variant_added {"one", "two"} {} {"keep", "note"} {"Noted"}
not {} {"one.state", "two.state"} {"tell"} {}
"#);
}

#[test]
fn a_setting_hits_the_connections_that_give_it_or_miss_it() {
    insta::assert_snapshot!(hits(&[("currency: Text", "currency: Int"), ("default: \"usd\"  max_length: 5", "default: 1")]), @r#"
type_changed {"one"} {} {} {}
not {"two"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
    insta::assert_snapshot!(hits(&[("region: Text? { min_length: 2 }", "region: Text { min_length: 2 }")]), @r#"
presence_tightened {"one", "two"} {} {} {}
not {} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
    insta::assert_snapshot!(hits(&[("\"usd\"", "\"chf\"")]), @r#"
default_changed {"two"} {} {} {}
not {"one"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
}

#[test]
fn an_action_is_hit_by_what_it_may_call_and_by_what_it_answers() {
    let actions = "action ask { uses: [one] }\naction show { output: feed.Read }\naction list { output: List<Noted> }\n";
    let acted = |edits: &[(&str, &str)]| {
        let with = |edits| open(&format!("{}\n//- /actions.jadpo\n{actions}", project(edits)));
        let comparison = with(edits).compare_surfaces(Against::Workspace(&with(&[])));
        let hits = comparison.packages[0].changes[0].hits.actions.iter().cloned();
        (
            hits.collect::<Vec<_>>().join(" "),
            comparison.untouched.actions.into_iter().collect::<Vec<_>>().join(" "),
        )
    };
    let pair = |hit: &str, left: &str| (hit.to_owned(), left.to_owned());
    assert_eq!(acted(&[("wa: Int", "wa: Bool")]), pair("ask", "list show"));
    assert_eq!(acted(&[("rbuy  rsell", "rbuy  rsell  rmore")]), pair("ask list show", ""));
    assert_eq!(acted(&[("ra: Int", "ra: Int  rz: Int")]), pair("ask show", "list"));
    assert_eq!(acted(&[("max_concurrent: 8", "max_concurrent: 7")]), pair("", "ask list show"));
}

#[test]
fn a_cap_hits_the_connections_above_it() {
    insta::assert_snapshot!(hits(&[("max_concurrent: 8", "max_concurrent: 5")]), @r#"
max_concurrent_lowered {"two"} {} {} {}
not {"one"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
    insta::assert_snapshot!(hits(&[("max_concurrent: 8", "max_concurrent: 7")]), @r#"
max_concurrent_lowered {} {} {} {}
not {"one", "two"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
}

#[test]
fn an_interval_hits_the_polls_without_one_of_their_own() {
    insta::assert_snapshot!(hits(&[("every: 5m", "every: 1m")]), @r#"
poll_every_changed {} {"one.state"} {} {}
not {"one", "two"} {"two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
}

#[test]
fn a_poll_that_goes_hits_those_who_hear_it() {
    insta::assert_snapshot!(hits(&[("    polls: { state: { call: fetch_state  every: 5m  emits: Kept } }\n", "")]), @r#"
poll_removed {"two"} {"one.state", "two.state"} {"keep", "tell"} {}
not {"one"} {} {"note"} {"Noted"}
"#);
}

#[test]
fn an_addition_hits_the_code_that_the_compiler_may_then_refuse() {
    insta::assert_snapshot!(hits(&[("ra: Int", "ra: Int  rz: Int")]), @r#"
field_added_required {} {} {"keep", "note"} {}
not {"one", "two"} {"one.state", "two.state"} {"tell"} {"Noted"}
"#);
    insta::assert_snapshot!(hits(&[("max_concurrent: 8", "max_concurrent: 9")]), @r#"
max_concurrent_raised {} {} {} {}
not {"one", "two"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
    // No Rust names a setting.
    insta::assert_snapshot!(hits(&[("level: Level\n", "level: Level\n        z: Text?\n")]), @r#"
field_added_optional {} {} {} {}
not {"one", "two"} {"one.state", "two.state"} {"keep", "note", "tell"} {"Noted"}
"#);
}

#[test]
fn what_an_app_keeps_of_a_package_may_be_unreadable_after_an_addition() {
    let through = "type Row = Object { side: feed.ReadSide }\ntype Noted = Event { rows: List<Row> }\n";
    for app in [APP.to_owned(), APP.replace("type Noted = Event { side: feed.ReadSide }\n", through)] {
        let with =
            |edits: &[(&str, &str)]| open(&format!("{app}{}", edited(edits).replace("//- /", "//- /p/")));
        let kept = |edits: &[(&str, &str)]| {
            let comparison = with(edits).compare_surfaces(Against::Workspace(&with(&[])));
            let [found] = &comparison.packages[0].changes[..] else { panic!("one change") };
            (found.change.class.text(), found.hits.kept.iter().cloned().collect::<Vec<_>>())
        };
        assert_eq!(kept(&[("rbuy  rsell", "rbuy")]), ("addition", vec!["Noted".to_owned()]));
        assert_eq!(kept(&[("rbuy  rsell", "rbuy  rsell  rmore")]), ("breaking", vec![]));
        assert_eq!(kept(&[("wbuy  wsell", "wbuy")]), ("breaking", vec![]));
    }
}

/// Every package of a comparison in a line, and each change with its places.
fn told(comparison: &crate::surface::packages::Comparison) -> String {
    let mut out = String::new();
    for package in &comparison.packages {
        let versions = format!("{:?} -> {:?} least {}", package.from, package.to, package.least);
        writeln!(out, "{} in {:?}: {versions}, honest: {}", package.name, package.dir, package.honest)
            .unwrap();
        for found in &package.changes {
            let place = |site: &Option<crate::surface::packages::Site>| match site {
                Some(site) => format!("{}:{}:{}", site.file, site.range.start.line, site.range.start.column),
                None => "-".to_owned(),
            };
            writeln!(out, "  {}: {} | {}", found.change.says, place(&found.old), place(&found.new)).unwrap();
        }
    }
    write!(out, "not compared {:?}, failed {:?}", comparison.uncompared, comparison.failed).unwrap();
    out
}

const EDITS: &[(&str, &str)] = &[
    ("ra: Int", "ra: Bool"),
    ("every: 5m", "every: 1m"),
    ("        level: Level\n", ""),
    ("public operation send", "public operation dispatch"),
    ("unknown as other", "unknown as other  omore"),
];

#[test]
fn places_are_told_in_manifests_and_in_the_accepted_surface() {
    let text = format!("{}//- /surface.json\n{}", edited(EDITS), json::write(&surface_of(PACKAGE)));
    insta::assert_snapshot!(told(&open(&text).compare_surfaces(Against::Accepted)), @r#"
feed in "": Some("1.2.0") -> Some("1.2.0") least 2.0.0, honest: false
  poll `state` runs every 1m, was 5m: surface.json:32:9 | provider.jadpo:11:14
  setting `level` was removed: surface.json:45:9 | -
  operation `send` was renamed to `dispatch`: surface.json:17:5 | provider.jadpo:20:18
  variant `omore` of `OpenSide` was added: - | provider.jadpo:62:62
  field `ra` of `Read` is now `Bool`, was `Int`: surface.json:134:11 | provider.jadpo:23:5
not compared [], failed []
"#);
}

#[test]
fn places_are_told_in_another_workspace() {
    let old = open(PACKAGE);
    insta::assert_snapshot!(told(&open(&edited(EDITS)).compare_surfaces(Against::Workspace(&old))), @r#"
feed in "": Some("1.2.0") -> Some("1.2.0") least 2.0.0, honest: false
  poll `state` runs every 1m, was 5m: provider.jadpo:12:14 | provider.jadpo:11:14
  setting `level` was removed: provider.jadpo:7:9 | -
  operation `send` was renamed to `dispatch`: provider.jadpo:21:18 | provider.jadpo:20:18
  variant `omore` of `OpenSide` was added: - | provider.jadpo:62:62
  field `ra` of `Read` is now `Bool`, was `Int`: provider.jadpo:24:5 | provider.jadpo:23:5
not compared [], failed []
"#);
}

#[test]
fn places_are_told_in_a_document() {
    let text = format!("{{\"version\": 1}}\n{}", json::write(&surface_of(PACKAGE)));
    assert!(Document::read_all(&text).is_err());
    let documents = Document::read_all(&text["{\"version\": 1}".len()..]).unwrap();
    insta::assert_snapshot!(told(&open(&edited(EDITS)).compare_surfaces(Against::Documents(&documents))), @r#"
feed in "": Some("1.2.0") -> Some("1.2.0") least 2.0.0, honest: false
  poll `state` runs every 1m, was 5m: :33:9 | provider.jadpo:11:14
  setting `level` was removed: :46:9 | -
  operation `send` was renamed to `dispatch`: :18:5 | provider.jadpo:20:18
  variant `omore` of `OpenSide` was added: - | provider.jadpo:62:62
  field `ra` of `Read` is now `Bool`, was `Int`: :135:11 | provider.jadpo:23:5
not compared [], failed []
"#);
}

const TWO: &str = r#"//- /app.jadpo
app a { }
//- /one/provider.jadpo
provider one { base_url: "https://one.example" }
//- /two/provider.jadpo
provider two { base_url: "https://two.example" }
"#;

#[test]
fn packages_come_go_and_are_renamed() {
    let compare = |old: &str, new: &str| told(&open(new).compare_surfaces(Against::Workspace(&open(old))));
    let one = &TWO[..TWO.find("//- /two").unwrap()];
    insta::assert_snapshot!(compare(TWO, one), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
two in "two": Some("0.1.0") -> None least 0.2.0, honest: false
  package `two` was removed: two/provider.jadpo:1:10 | -
not compared [], failed []
"#);
    insta::assert_snapshot!(compare(one, TWO), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
two in "two": None -> Some("0.1.0") least 0.1.0, honest: true
  package `two` was added: - | two/provider.jadpo:1:10
not compared [], failed []
"#);
    insta::assert_snapshot!(compare(TWO, &TWO.replace("provider two", "provider three")), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
three in "two": Some("0.1.0") -> Some("0.1.0") least 0.2.0, honest: false
  package `two` was renamed to `three`: two/provider.jadpo:1:10 | two/provider.jadpo:1:10
not compared [], failed []
"#);
    insta::assert_snapshot!(compare(TWO, &TWO.replace("/two/", "/deep/two/")), @r#"
two in "deep/two": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
not compared [], failed []
"#);
    insta::assert_snapshot!(compare(TWO, &TWO.replace("provider two {", "provider two { timeout: 0s ")), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
not compared [], failed [("two", "it has errors")]
"#);
    insta::assert_snapshot!(compare(&TWO.replace("provider two {", "provider two { timeout: 0s "), TWO), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
not compared [], failed [("two", "it had errors then")]
"#);
}

#[test]
fn a_package_alone_says_nothing_of_others() {
    let surface = |text: &str| json::write(&surface_of(text));
    let two = "//- /provider.jadpo\nprovider two { base_url: \"https://two.example\" }\n";
    let text = format!("\u{feff}{}{}", surface(PACKAGE), surface(two));
    let documents = Document::read_all(&text).unwrap();
    insta::assert_snapshot!(told(&open(two).compare_surfaces(Against::Documents(&documents))), @r#"
two in "": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
not compared [], failed []
"#);
    let other = two.replace("two", "three");
    let comparison = open(&other).compare_surfaces(Against::Documents(&documents));
    insta::assert_snapshot!(told(&comparison), @r#"not compared ["three"], failed []"#);
    assert!(!comparison.is_ok());
}

#[test]
fn a_package_of_which_nothing_is_known_was_not_added() {
    let one = open(&TWO[..TWO.find("//- /two").unwrap()]);
    let knows = |dir: &std::path::Path| !dir.ends_with("two");
    insta::assert_snapshot!(told(&open(TWO).compare_surfaces(Against::Part(&one, &knows))), @r#"
one in "one": Some("0.1.0") -> Some("0.1.0") least 0.1.0, honest: true
not compared ["two"], failed []
"#);
}

#[test]
fn one_of_two_is_no_other_one_renamed_where_the_second_has_errors() {
    let broken = TWO.replace("provider two {", "provider two { timeout: 0s ");
    let three = "//- /app.jadpo\napp a { }\n//- /three/provider.jadpo\nprovider three { base_url: \"https://three.example\" }\n";
    let kinds = |old: &str, new: &str| {
        let comparison = open(new).compare_surfaces(Against::Workspace(&open(old)));
        let changes = comparison.packages.into_iter().flat_map(|package| package.changes);
        changes.map(|it| it.change.says).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&broken, three), ["package `three` was added", "package `one` was removed"]);
    assert_eq!(kinds(three, &broken), ["package `one` was added", "package `three` was removed"]);
}

#[test]
fn packages_without_an_accepted_surface_are_left_out() {
    insta::assert_snapshot!(told(&open(TWO).compare_surfaces(Against::Accepted)), @r#"not compared ["one", "two"], failed []"#);
}

#[test]
fn accepting_writes_what_check_is_content_with() {
    let accept = |text: &str| {
        let workspace = open(text);
        let packages = workspace.surfaces();
        workspace.accept(&packages[0])
    };
    let Accept::Write(text) = accept(PACKAGE) else { panic!("there is nothing yet") };
    let beside = |edits: &[(&str, &str)]| format!("{}//- /surface.json\n{text}", edited(edits));
    assert_eq!(accept(&beside(&[])), Accept::Kept);
    assert!(matches!(accept(&beside(&[("ra: Int", "ra: Int  rz: Int")])), Accept::Write(_)));
    insta::assert_debug_snapshot!(accept(&beside(&[("ra: Int", "ra: Bool")])), @r#"
Unversioned {
    from: "1.2.0",
    to: "1.2.0",
    least: "2.0.0",
    breaks: [
        "field `ra` of `Read` is now `Bool`, was `Int`",
    ],
}
"#);
    assert!(matches!(
        accept(&beside(&[("ra: Int", "ra: Bool"), ("\"1.2.0\"", "\"2.0.0\"")])),
        Accept::Write(_)
    ));
    assert_eq!(accept(&beside(&[("ra: Int", "ra: Itn")])), Accept::Broken);
    assert!(matches!(accept(&format!("{PACKAGE}//- /surface.json\n{{")), Accept::Unread(_)));
}

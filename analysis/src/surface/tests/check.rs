//! What `check` says of a package with a `surface.json`.

use super::{PACKAGE, edited, surface_of};
use crate::surface::json;
use crate::tests::incremental::Logged;
use crate::tests::{brief, check};

/// The package after edits, beside the accepted surface of the package before them.
fn accepted(edits: &[(&str, &str)]) -> String {
    format!("{}//- /surface.json\n{}", edited(edits), json::write(&surface_of(PACKAGE)))
}

#[test]
fn what_was_accepted_is_clean() {
    assert_eq!(brief(&accepted(&[])), "clean");
    // Nothing that apps must know of: another interval, another default.
    assert_eq!(brief(&accepted(&[("every: 5m", "every: 6m"), ("\"usd\"", "\"eur\"")])), "clean");
}

#[test]
fn a_break_is_an_error_with_both_places() {
    insta::assert_snapshot!(check(&accepted(&[("ra: Int", "ra: Int?")])), @r#"
[surface.breaking] error: apps that use `feed` 1.2.0 break: field `ra` of `Read` may now be missing or none: `Int?`, was `Int`
     ╭─[ provider.jadpo:2:14 ]
     │
   2 │     version: "1.2.0"
     │              ───┬───
     │                 ╰───── this says that nothing breaks; 2.0.0 would say it
     │
  24 │     ra: Int?
     │     ─┬
     │      ╰── field `ra` of `Read` may now be missing or none: `Int?`, was `Int`
     │
     ├─[ surface.json:134:11 ]
     │
 134 │           "ra": "Int",
     │           ──┬─
     │             ╰─── as accepted
     │
     │ Help: give it version 2.0.0 or later; `jadpo surface diff` shows every change
─────╯
  fix: write "2.0.0" (a choice)
"#);
}

#[test]
fn each_break_is_shown_with_its_places() {
    let text = accepted(&[
        ("ka", "kx"),
        ("kb", "ky"),
        ("ra: Int", "ra: Bool"),
        ("wa: Int", "wa: Bool"),
        ("ba: Int", "ba: Bool"),
        ("max_concurrent: 8", "max_concurrent: 7"),
        ("polls: { state:", "polls: { status:"),
        ("low  high", "high"),
    ]);
    let found = crate::tests::open(&text).check().diagnostics;
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    insta::assert_snapshot!(diagnostic.message, @"apps that use `feed` 1.2.0 break: `max_concurrent` was lowered to 7, was 8; poll `state` was renamed to `status`; field `ba` of `Both` is now `Bool`, was `Int`; and 6 more");
    assert_eq!(diagnostic.related.iter().filter(|it| it.file == "surface.json").count(), 9);
}

#[test]
fn many_breaks_are_one_diagnostic() {
    let edits = [
        ("ra: Int", "ra: Int?"),
        ("    rb: Text?\n", ""),
        (
            "every: 5m  emits: Kept",
            "every: 5m  emits: Kept }  more: { call: fetch_state  every: 5m  emits: Kept",
        ),
        ("max_concurrent: 8", "max_concurrent: 7"),
        ("wbuy  wsell", "wbuy"),
    ];
    insta::assert_snapshot!(brief(&accepted(&edits)), @r#"
provider.jadpo:2:14 surface.breaking apps that use `feed` 1.2.0 break: `max_concurrent` was lowered to 7, was 8; field `rb` of `Read` was removed; field `ra` of `Read` may now be missing or none: `Int?`, was `Int`; and 1 more
  fix: write "2.0.0" (a choice)
"#);
}

#[test]
fn a_break_with_a_new_major_version_is_to_be_accepted() {
    insta::assert_snapshot!(brief(&accepted(&[("ra: Int", "ra: Int?"), ("\"1.2.0\"", "\"2.0.0\"")])), @"provider.jadpo:2:14 surface.stale `surface.json` of `feed` doesn't know yet: field `ra` of `Read` may now be missing or none: `Int?`, was `Int`");
}

#[test]
fn an_addition_is_to_be_accepted() {
    insta::assert_snapshot!(brief(&accepted(&[("ra: Int", "ra: Int  rz: Int")])), @"provider.jadpo:2:14 surface.stale `surface.json` of `feed` doesn't know yet: field `rz` of `Read` was added, and is required");
}

#[test]
fn without_a_version_the_name_of_the_package_is_the_place() {
    let old = edited(&[("    version: \"1.2.0\"\n", "")]);
    let new = edited(&[("    version: \"1.2.0\"\n", ""), ("ra: Int", "ra: Bool")]);
    insta::assert_snapshot!(brief(&format!("{new}//- /surface.json\n{}", json::write(&surface_of(&old)))), @"provider.jadpo:1:10 surface.breaking apps that use `feed` 0.1.0 break: field `ra` of `Read` is now `Bool`, was `Int`");
}

#[test]
fn a_package_with_errors_is_not_compared() {
    insta::assert_snapshot!(brief(&accepted(&[("ra: Int", "ra: Itn")])), @"
provider.jadpo:24:9 type.unknown there is no type `Itn`
  fix: write `Int`
");
    insta::assert_snapshot!(brief(&accepted(&[("ra: Int", "ra: Int { max_length: 3 }")])), @"provider.jadpo:24:15 type.constraint_invalid `Int` takes no key `max_length`");
}

#[test]
fn a_surface_that_cannot_be_read_is_an_error_at_its_place() {
    let text = json::write(&surface_of(PACKAGE)).replace("\"ba\": \"Int\"", "\"ba\": 3");
    insta::assert_snapshot!(brief(&format!("{PACKAGE}//- /surface.json\n{text}")), @"surface.json:66:5 file.surface_invalid the accepted surface can't be read: invalid type: integer `3`, expected a string");
    insta::assert_snapshot!(brief(&format!("{PACKAGE}//- /surface.json hex:ff\n")), @"surface.json:1:1 file.surface_invalid the accepted surface can't be read: it is not UTF-8");
}

#[test]
fn a_comment_rereads_no_surface() {
    let mut logged = Logged::open(&accepted(&[("public type Read =", "// Here.\npublic type Read =")]));
    insta::assert_snapshot!(logged.edit("provider.jadpo", "// Here.", "// There."), @"file_items");
}

#[test]
fn documentation_inside_a_declaration_compares_nothing_anew() {
    let mut logged = Logged::open(&accepted(&[("    ra: Int\n", "    /// Here.\n    ra: Int\n")]));
    insta::assert_snapshot!(logged.edit("provider.jadpo", "/// Here.", "/// There."), @"check, file_items, is_broken, parse, type_signature");
}

#[test]
fn a_field_compares_the_surfaces_anew() {
    let mut logged = Logged::open(&accepted(&[]));
    insta::assert_snapshot!(logged.edit("provider.jadpo", "ra: Int", "ra: Bool"), @"changes, check x2, file_diagnostics, file_items, is_broken, line_index x2, links, operation_entry, parse, surface, type_entry, type_signature");
}

#[test]
fn a_setting_compares_the_entry_of_the_provider() {
    let mut logged = Logged::open(&accepted(&[]));
    insta::assert_snapshot!(logged.edit("provider.jadpo", "\"usd\"", "\"eur\""), @"changes, check, file_diagnostics, file_items, is_broken, parse, provider_entry, provider_signature, surface");
}

#[test]
fn a_mistake_says_nothing_of_the_surface() {
    let mut logged = Logged::open(&accepted(&[]));
    insta::assert_snapshot!(logged.edit("provider.jadpo", "ra: Int", "ra: Imt"), @"check x2, file_diagnostics, file_items, is_broken, is_sound, line_index, links, lookup, may_be, nearest_to, parse, type_graph, type_signature");
}

#[test]
fn a_package_without_an_accepted_surface_never_makes_one() {
    let mut logged = Logged::open(PACKAGE);
    insta::assert_snapshot!(logged.edit("provider.jadpo", "ra: Int", "ra: Bool"), @"check x2, file_items, is_broken, links, parse, type_signature");
}

//! A case for each row of the table about the provider and its operations, with its undoing.

use super::{check, differences, edited, surface_of};

const NOTHING: &[&str] = &[];

#[test]
fn a_setting_is_added_removed_or_renamed() {
    let removed = &["breaking field_removed"];
    check(
        "        level: Level\n",
        "        level: Level\n        z: Text\n",
        &["breaking field_added_required"],
        removed,
    );
    check(
        "        level: Level\n",
        "        level: Level\n        z: Text?\n",
        &["addition field_added_optional"],
        removed,
    );
    check(
        "        level: Level\n",
        "        level: Level\n        z: Int { default: 1 }\n",
        &["addition field_added_optional"],
        removed,
    );
    check("currency: Text", "money: Text", &["breaking field_renamed"], &["breaking field_renamed"]);
}

#[test]
fn a_setting_must_be_given_or_not() {
    let (looser, tighter) = (&["addition presence_loosened"], &["breaking presence_tightened"]);
    check("level: Level", "level: Level?", looser, tighter);
    check("level: Level", "level: Level { default: low }", looser, tighter);
    check("region: Text? { min_length: 2 }", "region: Text { min_length: 2 }", tighter, looser);
    let note = &["note default_changed"];
    check("default: \"usd\"", "default: \"eur\"", note, note);
    check("currency: Text { default: \"usd\"", "currency: Text? { default: \"eur\"", note, note);
    check(
        "currency: Text { default: \"usd\"  max_length: 5 }",
        "currency: Text? { max_length: 5 }",
        note,
        note,
    );
    check("api_key: Secret", "api_key: Secret?", looser, tighter);
}

#[test]
fn a_setting_takes_other_values() {
    let (looser, tighter) = (&["addition constraint_loosened"], &["breaking constraint_tightened"]);
    check("  max_length: 5 }", "  max_length: 6 }", looser, tighter);
    check("region: Text? { min_length: 2 }", "region: Text?", looser, tighter);
    let changed = &["breaking type_changed"];
    check("region: Text? { min_length: 2 }", "region: Int?", changed, changed);
    check("api_key: Secret", "api_key: Text", changed, changed);
}

#[test]
fn auth_is_known_by_its_kind() {
    let changed = &["breaking auth_changed"];
    check("bearer(settings.api_key)", "header(\"X-Key\", settings.api_key)", changed, changed);
    check("bearer(settings.api_key)", "none", changed, changed);
    check("bearer(settings.api_key)", "bearer(\"{settings.api_key}x\")", NOTHING, NOTHING);
}

#[test]
fn polls_are_told_apart() {
    let second = "emits: Kept }  more: { call: fetch_state  every: 1h  emits: Kept } }";
    check("emits: Kept } }", second, &["addition poll_added"], &["breaking poll_removed"]);
    check("polls: { state:", "polls: { status:", &["breaking poll_renamed"], &["breaking poll_renamed"]);
    check("every: 5m", "every: 1m", &["note poll_every_changed"], &["note poll_every_changed"]);
    check("fetch_state", "fetch_all", NOTHING, NOTHING);
    let other = "emits: Other } }\n}\npublic type Other = Event { ka: Int }\ntype Unused = Object { a: Int";
    check(
        "emits: Kept } }\n",
        other,
        &["breaking poll_emits_changed", "addition type_added"],
        &["breaking poll_emits_changed", "breaking type_removed"],
    );
}

#[test]
fn the_cap_is_raised_or_lowered() {
    check(
        "max_concurrent: 8",
        "max_concurrent: 9",
        &["addition max_concurrent_raised"],
        &["breaking max_concurrent_lowered"],
    );
    check(
        "    max_concurrent: 8\n",
        "",
        &["addition max_concurrent_removed"],
        &["breaking max_concurrent_added"],
    );
}

#[test]
fn operations_are_known_by_their_names() {
    let more = "public operation list {";
    check(
        more,
        "public operation more { method: GET  path: \"/x\" }\npublic operation list {",
        &["addition operation_added"],
        &["breaking operation_removed"],
    );
    check(
        more,
        "public operation list_all {",
        &["breaking operation_renamed"],
        &["breaking operation_renamed"],
    );
    check(
        "output: List<Map<Text, Read?>> }",
        "output: List<Map<Text, Read?>>  decode: read_list }",
        &["breaking decode_added"],
        &["breaking decode_removed"],
    );
}

#[test]
fn what_the_app_decodes_it_writes() {
    let decoded = ("output: List<Map<Text, Read?>> }", "output: List<Map<Text, Read?>>  decode: read_list }");
    let old = surface_of(&edited(&[decoded]));
    let new = surface_of(&edited(&[decoded, ("    ra: Int\n", "    ra: Int\n    rz: Int\n")]));
    insta::assert_snapshot!(differences(&old, &new), @"breaking field_added_required: field `rz` of `Read` was added, and is required");
}

#[test]
fn a_package_has_a_name() {
    check("provider feed", "provider food", &["breaking package_renamed"], &["breaking package_renamed"]);
}

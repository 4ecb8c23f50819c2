//! What no app can see changes nothing, the digest included.

use super::{PACKAGE, differences, digest, edited, surface_of};

/// Both ways, an edit is none.
#[track_caller]
fn unseen(edits: &[(&str, &str)]) {
    let (old, new) = (surface_of(PACKAGE), surface_of(&edited(edits)));
    assert_eq!(differences(&old, &new), "nothing");
    assert_eq!(differences(&new, &old), "nothing");
    assert_eq!(digest(&old), digest(&new), "{edits:?}");
}

#[test]
fn moving_and_splitting_files() {
    unseen(&[
        ("public type Read = ", "//- /deep/er/types.jadpo\npublic type Read = "),
        ("public type Kept = ", "//- /b.jadpo\npublic type Kept = "),
    ]);
}

#[test]
fn reordering() {
    unseen(&[
        ("    ra: Int\n    rb: Text?\n", "    rb: Text?\n    ra: Int\n"),
        ("rbuy  rsell", "rsell  rbuy"),
    ]);
    unseen(&[
        ("        api_key: Secret\n", ""),
        ("        level: Level\n", "        level: Level\n        api_key: Secret\n"),
    ]);
}

#[test]
fn documentation_and_comments() {
    unseen(&[
        ("public type Read = ", "/// Read it.\n// Or not.\npublic type Read = "),
        ("    ra: Int\n", "    /// The first.\n    ra: Int\n"),
    ]);
}

#[test]
fn renaming_what_is_private() {
    unseen(&[("Answer", "Whatever")]);
    unseen(&[("fetch_state", "ask")]);
}

#[test]
fn private_names_for_public_things() {
    unseen(&[
        ("level: Level", "level: Grade"),
        ("public type Symbol", "type Grade = Level\npublic type Symbol"),
    ]);
    let money = "currency: Text { default: \"usd\"  max_length: 5 }";
    unseen(&[
        (money, "currency: Money { default: \"usd\" }"),
        ("public type Symbol", "type Money = Text { max_length: 5 }\npublic type Symbol"),
    ]);
}

#[test]
fn paths_methods_timeouts_and_addresses() {
    unseen(&[
        ("\"/list\"", "\"/v2/list\""),
        ("method: GET  path: \"/state\"", "method: GET  path: \"/s\"  timeout: 5s"),
    ]);
    unseen(&[
        ("https://api.feed.example", "https://feed.example/v2"),
        ("version: \"1.2.0\"", "version: \"1.2.1\"  timeout: 5s  retry: { attempts: 5 }"),
    ]);
    unseen(&[(
        "method: POST  path: \"/send\"",
        "method: PUT  path: \"/send\"  idempotency_key: header(\"Key\")",
    )]);
}

#[test]
fn names_on_the_wire() {
    unseen(&[("    auth:", "    field_case: camel\n    auth:"), ("ra: Int", "ra: Int as \"A\"")]);
    unseen(&[("ka: Int", "ka: Int as \"A\"")]);
    unseen(&[("ba: Int", "ba: Int as \"A\""), ("rbuy ", "rbuy as \"BUY\" "), ("wbuy ", "wbuy as \"BUY\" ")]);
}

#[test]
fn where_an_answer_is_read() {
    unseen(&[("re: Text { max_length: 20 }", "re: Text { max_length: 20 } at \"/deep/e\"")]);
    unseen(&[("output: List<Map<Text, Read?>> }", "output: List<Map<Text, Read?>>  at: \"/data\" }")]);
}

#[test]
fn a_public_alias_in_place_of_what_it_stands_for() {
    let (old, new) = (
        surface_of(PACKAGE),
        surface_of(&edited(&[(
            "rd: List<Map<Text, Text?>>",
            "rd: List<Map<Text, Text?>>\n    rz: List<Text>",
        )])),
    );
    let alias =
        surface_of(&edited(&[("rd: List<Map<Text, Text?>>", "rd: List<Map<Text, Text?>>\n    rz: Names")]));
    assert_eq!(differences(&new, &alias), "nothing");
    assert_ne!(differences(&old, &alias), "nothing");
}

#[test]
fn an_alias_that_changes_is_told_once() {
    let fields = [(
        "rd: List<Map<Text, Text?>>",
        "rd: List<Map<Text, Text?>>\n    rx: Names\n    ry: Names optional\n    rz: Map<Text, Names>",
    )];
    let old = surface_of(&edited(&fields));
    let new = surface_of(&edited(&[fields[0], ("Names = List<Text>", "Names = List<Text>?")]));
    insta::assert_snapshot!(differences(&old, &new), @"breaking presence_loosened: type `Names` may now be missing or none: `List<Text>?`, was `List<Text>`");
}

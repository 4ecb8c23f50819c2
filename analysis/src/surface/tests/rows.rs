//! A case for each row of the table about types and each way that values travel, with its undoing.

use super::{PACKAGE, check, check_all, differences, edited, surface_of};

const NOTHING: &[&str] = &[];

#[test]
fn a_field_is_added_or_removed() {
    let removed = &["breaking field_removed"];
    let breaks = &["breaking field_added_required"];
    check("    ra: Int\n", "    ra: Int\n    rz: Int\n", &["addition field_added_required"], removed);
    check("    wa: Int\n", "    wa: Int\n    wz: Int\n", breaks, removed);
    check("ba: Int", "ba: Int  bz: Int", breaks, removed);
    check("    ka: Int\n", "    ka: Int\n    kz: Int\n", breaks, removed);
}

#[test]
fn a_field_that_may_be_none_is_added() {
    let (adds, removed) = (&["addition field_added_nullable"], &["breaking field_removed"]);
    check("    ra: Int\n", "    ra: Int\n    rz: Int?\n", adds, removed);
    check("    wa: Int\n", "    wa: Int\n    wz: Int?\n", adds, removed);
    check("ba: Int", "ba: Int  bz: Int?", adds, removed);
    // An event that was kept before holds no such key, which only `optional` allows.
    check("    ka: Int\n", "    ka: Int\n    kz: Int?\n", &["breaking field_added_nullable"], removed);
}

#[test]
fn a_field_that_may_be_missing_is_added() {
    let (adds, removed) = (&["addition field_added_optional"], &["breaking field_removed"]);
    check("    ra: Int\n", "    ra: Int\n    rz: Int optional\n", adds, removed);
    check("    wa: Int\n", "    wa: Int\n    wz: Int optional\n", adds, removed);
    check("ba: Int", "ba: Int  bz: Int optional", adds, removed);
    check("    ka: Int\n", "    ka: Int\n    kz: Int? optional\n", adds, removed);
}

#[test]
fn a_field_is_renamed() {
    let renamed = &["breaking field_renamed"];
    for field in ["ra: Int", "wa: Int", "ba: Int", "ka: Int"] {
        check(field, &field.replace("a:", "x:"), renamed, renamed);
    }
}

#[test]
fn a_field_may_be_none_or_missing() {
    let (looser, tighter) = (&["breaking presence_loosened"], &["addition presence_tightened"]);
    check("ra: Int", "ra: Int?", looser, tighter);
    check("ra: Int", "ra: Int optional", looser, tighter);
    check("rb: Text?", "rb: Text? optional", looser, tighter);
    let (looser, tighter) = (&["addition presence_loosened"], &["breaking presence_tightened"]);
    check("wa: Int", "wa: Int?", looser, tighter);
    check("wa: Int", "wa: Int optional", looser, tighter);
    check("wc: Decimal optional", "wc: Decimal? optional", looser, tighter);
    let (looser, tighter) = (&["breaking presence_loosened"], &["breaking presence_tightened"]);
    check("ba: Int", "ba: Int?", looser, tighter);
    check("ka: Int", "ka: Int?", looser, tighter);
    check("ka: Int", "ka: Int optional", looser, tighter);
}

#[test]
fn absent_in_another_form_concerns_only_what_is_kept() {
    check("rb: Text?", "rb: Text optional", NOTHING, NOTHING);
    check("wb: Text?", "wb: Text optional", NOTHING, NOTHING);
    check("bb: Text?", "bb: Text optional", NOTHING, NOTHING);
    let swapped = &["breaking presence_swapped"];
    check("kb: Text?", "kb: Text optional", swapped, swapped);
}

#[test]
fn nesting_keeps_the_direction() {
    let tighter = "List<Map<Text, Text>>";
    check(
        "rd: List<Map<Text, Text?>>",
        &format!("rd: {tighter}"),
        &["addition presence_tightened"],
        &["breaking presence_loosened"],
    );
    check(
        "wd: List<Map<Text, Text?>>",
        &format!("wd: {tighter}"),
        &["breaking presence_tightened"],
        &["addition presence_loosened"],
    );
    check(
        "List<Map<Text, Read?>>",
        "List<Map<Text, Read>>",
        &["addition presence_tightened"],
        &["breaking presence_loosened"],
    );
    check(
        "List<Map<Text, Read?>>",
        "List<Map<Text, Read?>>?",
        &["breaking presence_loosened"],
        &["addition presence_tightened"],
    );
    check(
        "List<Map<Text, Read?>>",
        "List<Map<Date, Read?>>",
        &["breaking type_changed"],
        &["breaking type_changed"],
    );
    // One edit, in which something is looser and something tighter, is another type.
    check(
        "rd: List<Map<Text, Text?>>",
        "rd: List<Map<Text, Text>>?",
        &["breaking type_changed"],
        &["breaking type_changed"],
    );
}

#[test]
fn a_type_is_changed() {
    let changed = &["breaking type_changed"];
    for field in ["ra: Int", "wa: Int", "ba: Int", "ka: Int"] {
        check(field, &field.replace("Int", "Decimal"), changed, changed);
        check(field, &field.replace("Int", "List<Int>"), changed, changed);
        check(field, &field.replace("Int", "Names"), changed, changed);
        check(field, &field.replace("Int", "Text?"), changed, changed);
    }
    check("re: Text { max_length: 20 }", "re: Symbol", changed, changed);
    check("input: Both }", "input: Written }", changed, changed);
    check("output: Both }", "output: Read }", changed, changed);
    check("  output: Both }", " }", changed, changed);
    check("  input: Both }", " }", changed, changed);
    check("Symbol = Text { max_length: 12 }", "Symbol = Text", changed, changed);
    check("Symbol = Text { max_length: 12 }", "Symbol = Int { max: 12 }", changed, changed);
    check("Names = List<Text>", "Names = List<Int>", changed, changed);
    check("Level = Enum { low  high }", "Level = Text { max_length: 4 }", changed, changed);
}

#[test]
fn a_constraint_is_loosened_or_tightened() {
    for (to, is_looser) in [
        (" { max_length: 21 }", true),
        ("", true),
        (" { max_length: 19 }", false),
        (" { max_length: 20  min_length: 1 }", false),
        (" { max_length: 20  pattern: \"[a-z]+\" }", false),
    ] {
        let row = if is_looser { ["loosened", "tightened"] } else { ["tightened", "loosened"] };
        let both = |classes: [&str; 2]| [0, 1].map(|at| format!("{} constraint_{}", classes[at], row[at]));
        let classes = |looser: &'static str, tighter: &'static str| {
            if is_looser { [looser, tighter] } else { [tighter, looser] }
        };
        for (field, classes) in [
            ("re", classes("breaking", "addition")),
            ("we", classes("addition", "breaking")),
            ("be", classes("breaking", "breaking")),
            ("ke", classes("breaking", "breaking")),
        ] {
            let [forth, back] = both(classes);
            check(
                &format!("{field}: Text {{ max_length: 20 }}"),
                &format!("{field}: Text{to}"),
                &[&forth],
                &[&back],
            );
        }
    }
}

#[test]
fn constraints_of_every_kind_are_compared() {
    let (looser, tighter) = (&["addition constraint_loosened"], &["breaking constraint_tightened"]);
    check("wa: Int", "wa: Int { min: 1 }", tighter, looser);
    check("wa: Int", "wa: Int { max: 1 }", tighter, looser);
    check("wc: Decimal ", "wc: Decimal { min: 0.5 } ", tighter, looser);
    check("wd: List<Map<Text, Text?>>", "wd: List<Map<Text, Text?>> { max_items: 3 }", tighter, looser);
    check("wd: List<Map<Text, Text?>>", "wd: List<Map<Text, Text?>> { min_items: 3 }", tighter, looser);
    // What every value fulfils is no constraint.
    check("wd: List<Map<Text, Text?>>", "wd: List<Map<Text, Text?>> { min_items: 0 }", NOTHING, NOTHING);
    let swapped = &["breaking constraint_changed"];
    check("we: Text { max_length: 20 }", "we: Text { min_length: 20 }", swapped, swapped);
    check_all(
        &[
            ("wa: Int", "wa: Int { min: 1  max: 9 }"),
            ("we: Text { max_length: 20 }", "we: Text { max_length: 20 } optional"),
        ],
        &["breaking constraint_tightened", "addition presence_loosened"],
        &["addition constraint_loosened", "breaking presence_tightened"],
    );
}

#[test]
fn numbers_are_compared_by_value() {
    let old = surface_of(&edited(&[("wc: Decimal ", "wc: Decimal { min: 9  max: 10 } ")]));
    let same = surface_of(&edited(&[("wc: Decimal ", "wc: Decimal { min: 9.0  max: 10.00 } ")]));
    let looser = surface_of(&edited(&[("wc: Decimal ", "wc: Decimal { min: -10  max: 100 } ")]));
    assert_eq!(differences(&old, &same), "nothing");
    insta::assert_snapshot!(differences(&old, &looser), @"addition constraint_loosened: field `wc` of `Written` takes more values: `Decimal { min: -10 max: 100 } optional`, was `Decimal { min: 9 max: 10 } optional`");
}

#[test]
fn a_pattern_that_is_replaced_takes_other_texts() {
    let old = surface_of(&edited(&[("we: Text { max_length: 20 }", "we: Text { pattern: \"a+\" }")]));
    let new = surface_of(&edited(&[("we: Text { max_length: 20 }", "we: Text { pattern: \"a*\" }")]));
    insta::assert_snapshot!(differences(&old, &new), @r#"breaking constraint_changed: field `we` of `Written` takes other values: `Text { pattern: "a*" }`, was `Text { pattern: "a+" }`"#);
}

#[test]
fn a_variant_is_added_or_removed() {
    let cases = [
        ("rbuy  rsell", ["breaking", "addition"]),
        ("wbuy  wsell", ["addition", "breaking"]),
        ("bbuy  bsell", ["breaking", "breaking"]),
        ("kbuy  ksell", ["breaking", "breaking"]),
        ("low  high", ["addition", "breaking"]),
    ];
    for (variants, [added, removed]) in cases {
        let (added, removed) = (format!("{added} variant_added"), format!("{removed} variant_removed"));
        check(variants, &format!("{variants}  more"), &[&added], &[&removed]);
    }
}

#[test]
fn a_removed_variant_that_the_catch_all_keeps_leaves_events_readable() {
    check("obuy  osell", "obuy  osell  omore", &["breaking variant_added"], &["addition variant_caught"]);
    check(
        "kbuy  ksell",
        "kbuy  ksell  others as other",
        &["breaking variant_added"],
        &["breaking variant_removed"],
    );
    check(
        "rbuy  rsell",
        "rbuy  rsell  others as other",
        &["breaking variant_added"],
        &["addition variant_removed"],
    );
    check(
        "wbuy  wsell",
        "wbuy  wsell  others as other",
        &["addition variant_added"],
        &["breaking variant_removed"],
    );
}

#[test]
fn a_variant_is_renamed() {
    let renamed = &["breaking variant_renamed"];
    check("rbuy", "rbought", renamed, renamed);
    check("wbuy", "wbought", renamed, renamed);
    check("unknown as other", "others as other", renamed, renamed);
    // What stores keep tells whether it is the same variant.
    check("kbuy", "kbought as \"kbuy\"", renamed, renamed);
    check(
        "kbuy  ksell",
        "ksell  kbought as \"kbuy\"  more",
        &["breaking variant_renamed", "breaking variant_added"],
        &["breaking variant_renamed", "breaking variant_removed"],
    );
    check(
        "kbuy  ksell",
        "ksell  kbought  more",
        &["breaking variant_removed", "breaking variant_added", "breaking variant_added"],
        &["breaking variant_removed", "breaking variant_removed", "breaking variant_added"],
    );
    check("low", "lowest", renamed, renamed);
}

#[test]
fn what_is_stored_for_a_variant_matters_where_it_is_stored() {
    let stored = &["breaking variant_stored_otherwise"];
    check("kbuy ", "kbuy as \"B\" ", stored, stored);
    check("low ", "low as \"L\" ", stored, stored);
    check("rbuy ", "rbuy as \"B\" ", NOTHING, NOTHING);
    check("wbuy ", "wbuy as \"B\" ", NOTHING, NOTHING);
    check("unknown as other", "unknown", &["breaking type_changed"], &["breaking type_changed"]);
}

#[test]
fn types_are_known_by_their_names() {
    check(
        "public type Names",
        "public type More = Object { a: Int }\npublic type Names",
        &["addition type_added"],
        &["breaking type_removed"],
    );
    // Whoever names it in Rust is told once; the field that has it is not told again.
    check("ReadSide", "Direction", &["breaking type_renamed"], &["breaking type_renamed"]);
    check(
        "Written",
        "Given",
        &["breaking type_renamed", "breaking type_renamed"],
        &["breaking type_renamed", "breaking type_renamed"],
    );
    check("public type Names = List<Text>\n", "", &["breaking type_removed"], &["addition type_added"]);
    check("public type Names", "type Names", &["breaking type_removed"], &["addition type_added"]);
    check(
        "public type Read = Object",
        "public type Read = Event",
        &["addition event_gained"],
        &["breaking event_lost"],
    );
}

#[test]
fn another_name_for_a_type_is_that_type() {
    let (added, removed) = (&["addition type_added"], &["breaking type_removed"]);
    for (name, body) in
        [("ReadSide", "Enum {"), ("Read", "Object {"), ("Symbol", "Text {"), ("Names", "List<Text>")]
    {
        let edit = format!("public type {name} = More\npublic type More = {body}");
        check(&format!("public type {name} = {body}"), &edit, added, removed);
    }
    // Whoever holds it may say so by either name.
    check_all(
        &[
            ("public type ReadSide = ", "public type ReadSide = More\npublic type More = "),
            (": ReadSide", ": More"),
        ],
        added,
        removed,
    );
    // What changes besides is told at the name that apps know.
    check(
        "public type ReadSide = Enum { ",
        "public type ReadSide = More\npublic type More = Enum { rmore ",
        &["addition type_added", "breaking variant_added"],
        &["breaking type_removed", "addition variant_removed"],
    );
    let changed = &["addition type_added", "breaking type_changed"];
    let undone = &["breaking type_removed", "breaking type_changed"];
    // A list of it is another type.
    check("public type Read = ", "public type Read = List<More>\npublic type More = ", changed, undone);
}

#[test]
fn only_the_uses_that_apps_have_count() {
    // The type becomes an input in the same change: nobody writes it yet.
    let edits = [
        ("    ra: Int\n", "    ra: Int\n    rz: Int\n"),
        (
            "public operation list",
            "public operation make { method: POST  path: \"/x\"  input: Read }\npublic operation list",
        ),
    ];
    check_all(
        &edits,
        &["addition operation_added", "addition field_added_required"],
        &["breaking operation_removed", "breaking field_removed"],
    );
}

#[test]
fn a_package_is_the_same_as_itself() {
    let surface = surface_of(PACKAGE);
    assert_eq!(differences(&surface, &surface.clone()), "nothing");
}

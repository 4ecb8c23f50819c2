//! The edits on which tools for other languages are known to go wrong, each told once and for what it is.

use super::{check, check_all};

#[test]
fn a_record_that_moves_to_another_file_is_nothing() {
    check("public type Both = ", "//- /other.jadpo\npublic type Both = ", &[], &[]);
}

#[test]
fn a_record_that_is_renamed_with_the_same_structure_is_one_change() {
    check("BothSide", "Side", &["breaking type_renamed"], &["breaking type_renamed"]);
}

#[test]
fn a_type_that_holds_itself_and_is_renamed_is_one_change() {
    let node = "public type Node = Object { next: Node?  kids: List<Node> }\npublic type Symbol";
    let named = node.replace("Node", "Knot");
    let (old, new) = (
        super::surface_of(&super::edited(&[("public type Symbol", node)])),
        super::surface_of(&super::edited(&[("public type Symbol", &named)])),
    );
    insta::assert_snapshot!(super::differences(&old, &new), @"breaking type_renamed: type `Node` was renamed to `Knot`");
}

#[test]
fn a_field_that_is_renamed_is_one_change() {
    check("    wa: Int\n", "    amount: Int\n", &["breaking field_renamed"], &["breaking field_renamed"]);
}

#[test]
fn a_tightened_constraint_is_seen() {
    check(
        "we: Text { max_length: 20 }",
        "we: Text { max_length: 5 }",
        &["breaking constraint_tightened"],
        &["addition constraint_loosened"],
    );
}

#[test]
fn a_required_input_with_a_default_is_an_addition() {
    let setting = "level: Level\n        limit: Int { default: 5 }";
    check("level: Level", setting, &["addition field_added_optional"], &["breaking field_removed"]);
}

#[test]
fn enums_are_judged_by_their_direction() {
    check("wbuy  wsell", "wbuy", &["breaking variant_removed"], &["addition variant_added"]);
    check("rbuy  rsell", "rbuy", &["addition variant_removed"], &["breaking variant_added"]);
}

#[test]
fn nullability_is_judged_by_the_direction_of_declared_types_too() {
    check("bf: BothSide", "bf: BothSide?", &["breaking presence_loosened"], &["breaking presence_tightened"]);
    check("rf: ReadSide", "rf: ReadSide?", &["breaking presence_loosened"], &["addition presence_tightened"]);
    check(
        "wf: WrittenSide",
        "wf: WrittenSide?",
        &["addition presence_loosened"],
        &["breaking presence_tightened"],
    );
}

#[test]
fn a_break_beside_a_harmless_change_of_the_same_type_is_not_lost() {
    check_all(
        &[("    ra: Int\n", "    rz: Bool\n")],
        &["breaking field_removed", "addition field_added_required"],
        &["breaking field_removed", "addition field_added_required"],
    );
}

#[test]
fn new_files_alone_are_additions() {
    check(
        "public type Symbol",
        "public type More = Object { a: Int }\n//- /new.jadpo\npublic operation more { method: GET  path: \"/more\"  output: More }\npublic type Symbol",
        &["addition operation_added", "addition type_added"],
        &["breaking operation_removed", "breaking type_removed"],
    );
}

#[test]
fn changes_of_type_are_never_compatible_by_accident() {
    let changed = &["breaking type_changed"];
    for (from, to) in [
        ("ra: Int", "ra: Text"),
        ("ra: Int", "ra: Bytes"),
        ("wc: Decimal ", "wc: List<Decimal> "),
        ("ra: Int", "ra: Both"),
    ] {
        check(from, to, changed, changed);
    }
}

#[test]
fn an_operation_gone_is_told_beside_its_types() {
    check_all(
        &[
            ("public operation send { method: POST  path: \"/send\"  input: Both }\n\n", ""),
            ("ba: Int", "ba: Int  bz: Bool"),
        ],
        &["breaking operation_removed", "breaking field_added_required"],
        &["addition operation_added", "breaking field_removed"],
    );
}

//! The edges of the language, one line each: what is fine, and the one problem of what is not.

use insta::assert_snapshot;

use crate::check::{checked, codes, problems, repaired};

fn fine(text: &str) {
    assert_eq!(problems(text), "", "{text}");
}

#[test]
fn any_word_may_be_a_variant() {
    fine("type Step = Enum { action  schedule  batch as \"BATCH\" }");
    fine("type Kind = Enum { type  kind as \"k\" }");
    fine("type Kind = Enum {\noperation\nprovider\n}");
    fine("type A = Enum { other  rest as other }");
    fine("type Tsunami = Enum { no as 0  yes as 1 }");
    fine("type A = Enum { as  as as \"as\"  public  optional }");
}

#[test]
fn modifiers_are_told_from_fields_by_what_follows() {
    fine("type A = Object { optional: Text optional  as: Int as \"as\" }");
    fine("type A = Object { a: Int as \"x\" optional }");
    fine("type A = Object { a: Int optional optional as \"x\" at \"/y\" }");
    fine("type A = Object { at: Text at \"/status/indicator\" }");
}

#[test]
fn a_wire_name_is_told_from_a_field_by_its_string() {
    fine("type A = Event { wire_name: Text }");
    fine("type A = Event { wire_name: \"a\"  wire_name: \"b\"  occurred_at: Instant }");
    fine(
        "type A = Event {\n    /// The name that the provider uses.\n    wire_name: \"a.b\"\n    occurred_at: Instant\n}",
    );
}

#[test]
fn no_keyword_is_reserved() {
    fine("type type = Text\noperation operation { method: GET  path: \"/\"  output: type }");
    fine("type Date = Object { year: Int }\ntype Event = Object { id: Text }");
    fine("type A = store\nstore main { engine: sqlite(\"x.db\") }");
    fine("provider a { type: store  store: type { app: route } }");
}

#[test]
fn values_have_these_forms() {
    fine("provider a { auth: header(\"X-Key\", settings.key,) }");
    fine("operation a { changes: true }");
    fine("operation a { method: GET  path: \"/\"  query: { \"filter[state]\": \"open\"  \"q\": \"x\" } }");
    fine("type Symbol = Text { max_length: 12 }\ntype Rates = Map<Symbol, Decimal>");
    fine("provider a { timeout: 9_000ms  retry:  every: { } lists: [[], [a, { b: c }]] }");
    fine("provider a { settings: { key: Text? { default: \"x\" } } }");
}

#[test]
fn line_ends_and_a_byte_order_mark_are_no_matter() {
    fine("\u{feff}provider a {\r\n    base_url: \"https://x.example\"\r\n}\r\n");
    fine("");
    fine("\u{feff}");
    fine("// nothing but a comment");
}

#[test]
fn commas_between_entries_go() {
    let text = "provider a { base_url: \"https://x.example\", timeout: 10s, }";
    assert_eq!(codes(text), ["comma_unneeded", "comma_unneeded"]);
    assert_eq!(repaired(text), "provider a { base_url: \"https://x.example\" timeout: 10s }");
    assert_eq!(codes("type A = Object { a: Int, b: Map<Text, Int> }"), ["comma_unneeded"]);
    assert_eq!(repaired("type A = Enum { a, b, c }"), "type A = Enum { a b c }");
}

#[test]
fn docs_stand_before_what_they_document() {
    assert_snapshot!(problems("type A = Object {\n    x: Int\n    /// nothing follows\n}"), @r#"doc_unattached "/// nothing follows": this documentation stands before nothing that it could document -> "// nothing follows""#);
    assert_snapshot!(problems("type A = Object { x: Int }\n/// nothing follows"), @r#"doc_unattached "/// nothing follows": this documentation stands before nothing that it could document -> "// nothing follows""#);
    assert_snapshot!(problems("type A = Text /// the a\ntype B = Int"), @r#"doc_unattached "/// the a": documentation stands on a line of its own, before what it documents -> "/// the a\ntype A = Text""#);
    assert_snapshot!(problems("provider a {\n    base_url: /// odd\n    \"x\"\n}"), @r#"doc_unattached "/// odd": documentation stands on a line of its own, before what it documents -> "/// odd\n    base_url:""#);
    assert_snapshot!(problems("type A =\n    /// the object\n    Object { x: Int }"), @r#"doc_unattached "/// the object": this documentation stands before nothing that it could document -> "// the object""#);
    let text = "type A = Object {\n    x: Int /// the x\n    y: Int\n}";
    assert_eq!(codes(text), ["doc_unattached"]);
    assert_eq!(repaired(text), "type A = Object {\n    /// the x\n    x: Int\n    y: Int\n}");
    let tree = &checked(&repaired(text)).declarations[0].1;
    assert!(format!("{tree:?}").contains("docs: [\"the x\"]"));
    assert_eq!(repaired("type A = Text\n/// a\n/// b\n"), "type A = Text\n// a\n// b\n");
}

#[test]
fn a_shape_has_a_name() {
    assert_snapshot!(problems("type A = Object { page: Object { id: Text } }"), @r#"inline_shape "Object": `Object` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = Object { state: Enum { open  closed } optional  b: Int }"), @r#"inline_shape "Enum": `Enum` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = Object { pages: List<Object> }"), @r#"inline_shape "Object": `Object` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = List<Object>"), @r#"inline_shape "Object": `Object` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = B<c, Enum> { min: 1 }"), @r#"inline_shape "Enum": `Enum` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = List<List<Event>?>"), @r#"inline_shape "Event": `Event` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("operation a { input: Object { id: Text } }"), @r#"inline_shape "Object": `Object` opens the body of a type declaration and nothing else"#);
    assert_snapshot!(problems("type A = Object"), @r#"expected "": expected `{`, found the end of the declaration"#);
}

#[test]
fn names_are_no_strings() {
    let text = "type Stock = Enum { \"in stock\"  sold }";
    assert_snapshot!(problems(text), @r#"name_quoted "\"in stock\"": a variant has a name, and "in stock" is a string -> "in_stock as \"in stock\"""#);
    assert_eq!(repaired(text), "type Stock = Enum { in_stock as \"in stock\"  sold }");
    let text = "type A = Object { \"content-type\": Text optional  b: Int }";
    assert_snapshot!(problems(text), @r#"name_quoted "\"content-type\"": a field has a name, and "content-type" is a string -> "content_type: Text optional as \"content-type\"""#);
    assert_eq!(repaired(text), "type A = Object { content_type: Text optional as \"content-type\"  b: Int }");
}

#[test]
fn public_stands_before_three_keywords() {
    let text = "public store main { engine: sqlite(\"x.db\") }\npublic deployable d { target: native }";
    assert_eq!(codes(text), ["public_misplaced", "public_misplaced"]);
    assert_eq!(repaired(text), text.replace("public ", ""));
    fine("public type A = Text\npublic operation b { }\npublic action c { }");
}

#[test]
fn a_list_of_routes_names_them() {
    assert_snapshot!(problems("deployable a { target: native  routes: [POST \"/orders\"] }"), @r#"expected "\"/orders\"": expected `,` or `]`, found `"/orders"`"#);
}

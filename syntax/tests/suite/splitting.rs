//! Where declarations begin and end, whatever is in them.

use jadpo_syntax::{parse, split};

use crate::check::{codes, problems};

/// Keyword, name and text of each chunk.
fn chunks(text: &str) -> Vec<String> {
    let split = split(text);
    let said = split.chunks.iter().map(|chunk| {
        let public = if chunk.public { "public " } else { "" };
        let keyword = chunk.keyword.map_or("?", |keyword| keyword.text());
        format!("{public}{keyword} {}", chunk.name.as_deref().unwrap_or("?"))
    });
    said.collect()
}

#[test]
fn a_declaration_inside_braces_is_recognised_by_its_head() {
    assert_eq!(
        chunks("type Side = Enum { buy  sell\n\ntype Prices = Object { }"),
        ["type Side", "type Prices"]
    );
    assert_eq!(
        chunks("provider a { b: { c: [d\npublic operation x { }"),
        ["provider a", "public operation x"]
    );
    assert_eq!(chunks("type A = Enum { operation  connection  provider }"), ["type A"]);
    assert_eq!(chunks("provider a { x: store  y: type  route: b }"), ["provider a"]);
}

#[test]
fn a_type_goes_on_across_lines() {
    assert_eq!(chunks("type A = package\n.B { min: 1 }\ntype C = Text"), ["type A", "type C"]);
    assert_eq!(chunks("type A = package.\nB\n{ min: 1 }"), ["type A"]);
    assert_eq!(chunks("type A = List\n<\nText\n>\n?\n{ min: 1 }"), ["type A"]);
}

#[test]
fn half_a_declaration_ends_before_the_next() {
    assert_eq!(chunks("type\ntype A = Text"), ["type ?", "type A"]);
    assert_eq!(chunks("type A\ntype B = Text"), ["type A", "type B"]);
    assert_eq!(chunks("type A =\npublic type B = Text"), ["type A", "public type B"]);
    assert_eq!(chunks("operation\noperation x { }"), ["operation ?", "operation x"]);
    assert_eq!(chunks("operation x\nstore y { }"), ["operation x", "store y"]);
    assert_eq!(
        chunks("type A = Text type B = Int operation c { } store d { }"),
        ["type A", "type B", "operation c", "store d"]
    );
}

#[test]
fn slips_in_a_keyword_are_repaired() {
    assert_eq!(chunks("operaton x { }"), ["operation x"]);
    assert_eq!(chunks("public opreation x { }"), ["public operation x"]);
    assert_eq!(chunks("Type A = Text"), ["type A"]);
    assert_eq!(chunks("A = Text"), ["type A"]);
    assert_eq!(chunks("gadget x { }"), ["? x"]);
}

#[test]
fn chunks_hold_their_docs_and_nothing_after() {
    let text =
        "// a file\n\n/// One.\n// between\n/// Two.\ntype A = Text // after\n\n/// Three.\nstore b { }\n";
    let split = split(text);
    let parts: Vec<&str> = split.chunks.iter().map(|chunk| chunk.span.text(text)).collect();
    assert_eq!(parts, ["/// One.\n// between\n/// Two.\ntype A = Text", "/// Three.\nstore b { }"]);
    let docs: Vec<_> = parts.iter().map(|part| parse(part).declaration.unwrap().docs).collect();
    assert_eq!(docs, [vec!["One.", "Two."], vec!["Three."]]);
}

#[test]
fn a_chunk_is_read_alone_as_in_its_file() {
    let text = "/// A.\ntype A = Objet { x: Int optional }\nprovider b { c: 1h30m  d: [ }\noperaton x { }\n}\nstore y {";
    let file = jadpo_syntax::parse_file(text);
    let split = split(text);
    let mut problems = split.problems;
    for (chunk, (offset, declaration)) in split.chunks.iter().zip(&file.declarations) {
        let parsed = parse(chunk.span.text(text));
        assert_eq!((*offset, Some(declaration)), (chunk.span.start, parsed.declaration.as_ref()));
        assert_eq!(Some(declaration.keyword), chunk.keyword);
        assert_eq!(declaration.name.as_ref().map(|name| &name.text), chunk.name.as_ref());
        problems.extend(parsed.problems.into_iter().map(|problem| problem.offset_by(chunk.span.start)));
    }
    assert_eq!(problems, file.problems);
}

#[test]
fn between_declarations_only_trivia_is_fine() {
    assert_eq!(
        problems("hello\ntype A = Text"),
        "expected \"hello\": expected a declaration, found `hello`\n"
    );
    assert_eq!(codes("type A = Text\n\u{200b}\ntype B = Text"), ["character_invalid"]);
    assert_eq!(codes("@"), ["character_invalid"]);
    assert_eq!(codes("// hidden \u{202e} text"), ["character_invalid"]);
}

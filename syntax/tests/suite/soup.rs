//! Any text at all: nothing is lost, nothing panics, nothing takes long.

use std::time::{Duration, Instant};

use jadpo_syntax::TokenKind;
use proptest::prelude::*;

use crate::check::{checked, codes, without_spans};

fn word() -> impl Strategy<Value = String> {
    let parts = [
        "type ",
        "public ",
        "operation ",
        "provider ",
        "Object ",
        "Enum ",
        "Event ",
        "optional ",
        "as ",
        "at ",
        "other ",
        "wire_name",
        "a",
        "B",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        ":",
        "=",
        ",",
        ".",
        "?",
        "\"x\"",
        "\"open\n",
        "\\",
        "\"\\d\\u{41}\"",
        "5m",
        "1h30m",
        "-",
        "// comment\n",
        "/// doc\n",
        "////\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "\0",
        "\u{feff}",
        "\u{200b}",
        "é",
        "🪙",
        "/",
        "'",
        ";",
        "\u{a0}",
    ];
    prop_oneof![9 => prop::sample::select(parts.map(str::to_owned).to_vec()), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(words in prop::collection::vec(word(), 0..60)) {
        let text = words.concat();
        let file = checked(&text);
        let tokens = jadpo_syntax::tokens(&text);
        let mut end = 0;
        for token in &tokens {
            prop_assert_eq!(token.span.start, end);
            prop_assert!(token.span.end > end);
            end = token.span.end;
        }
        let inside = |offset: u32, tree: &jadpo_syntax::tree::Declaration| {
            let span = tree.span.offset_by(offset);
            text.get(span.start as usize..span.end as usize).is_some()
        };
        prop_assert!(file.declarations.iter().all(|(offset, tree)| inside(*offset, tree)));
        // Each declaration is read alone as it is in its file.
        let split = jadpo_syntax::split(&text);
        let mut problems = split.problems;
        let mut alone = Vec::new();
        for chunk in &split.chunks {
            let parsed = jadpo_syntax::parse(chunk.span.text(&text));
            let named = parsed.declaration.as_ref().map(|tree| tree.keyword);
            prop_assert_eq!(named, chunk.keyword);
            alone.extend(parsed.declaration.map(|tree| (chunk.span.start, tree)));
            problems.extend(parsed.problems.into_iter().map(|problem| problem.offset_by(chunk.span.start)));
        }
        problems.sort_by_key(|problem| problem.span);
        prop_assert_eq!(&alone, &file.declarations);
        prop_assert_eq!(&problems, &file.problems);
        // Every line of docs is in the tree, or a problem is shown.
        let docs = tokens.iter().filter(|token| token.kind == TokenKind::Doc).count();
        let kept: usize = file.declarations.iter().map(|(_, tree)| without_spans(tree).matches("docs: [\"").count()).sum();
        prop_assert!(docs == 0 || kept > 0 || !file.problems.is_empty());
    }
}

fn within(limit: Duration, text: &str) -> Vec<&'static str> {
    // What else the machine does may hold one try up, and hardly each of three.
    for _ in 0..3 {
        let start = Instant::now();
        let codes = codes(text);
        if start.elapsed() < limit {
            return codes;
        }
    }
    panic!("more than {limit:?} for {} bytes, each of three times", text.len());
}

#[test]
fn depth_is_bounded() {
    let limit = Duration::from_secs(5);
    for open in ["List<", "{", "[", "(", "a: {", "a: [", "a: f(", "Map<Text, "] {
        let deep = open.repeat(20_000);
        assert_eq!(within(limit, &format!("type A = Object {{ x: {deep}")), ["nested_too_deep"], "{open}");
        assert_eq!(
            within(limit, &format!("provider a {{ x: {deep} }}\ntype B = Text")),
            ["nested_too_deep"],
            "{open}"
        );
    }
    let nested =
        |depth: usize| format!("provider a {{ x: {}{} }}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    assert_eq!(codes(&nested(64)), [""; 0]);
    assert_eq!(codes(&nested(65)), ["nested_too_deep"]);
    let blocks = |depth: usize| format!("provider a {}{}", "{ x: ".repeat(depth), "}".repeat(depth));
    assert_eq!(codes(&blocks(64)), [""; 0]);
    assert_eq!(codes(&blocks(65)), ["nested_too_deep"]);
    let types = |depth: usize| format!("type A = {}B{}", "List<".repeat(depth), ">".repeat(depth));
    assert_eq!(codes(&types(64)), [""; 0]);
    assert_eq!(codes(&types(65)), ["nested_too_deep"]);
}

#[test]
fn long_lines_take_time_in_proportion() {
    let limit = Duration::from_secs(5);
    for part in [
        "a: 1 ",
        "a b ",
        "\"x\" ",
        "= ",
        "a = b ",
        "[ ",
        "{ } ",
        "} ",
        "@ ",
        ": ",
        ", ",
        "/ ",
        "\\",
        "a.",
        "type A = B ",
        "'",
        "'a' ",
        "/* ",
        "/**/",
        "é",
        "\u{200b}",
        "a-",
        "5-",
        "\"",
        "/// d\n",
        "\u{200b} ",
        "public ",
        "type ",
        "// \u{202e}\n",
    ] {
        let text = part.repeat(200_000 / part.len());
        within(limit, &format!("provider a {{ {text}"));
        within(limit, &format!("type A = Enum {{ {text} }}"));
        within(limit, &text);
    }
    let fields = "type A = Object { a: List<Int ".to_owned() + &"b: List<Int ".repeat(200);
    assert!(!within(limit, &fields).contains(&"nested_too_deep"));
}

#[test]
fn texts_that_end_anywhere_are_read() {
    let text = "/// d\npublic type A = Event { wire_name: \"a\\u{41}\"  b: List<Map<C, D>>? { min: 1h } as \"x\" }\n\
        provider p { q: f(\"g\", [h.i, {}]) } // end";
    for end in 0..=text.len() {
        let cut = checked(&text[..end]);
        assert!(cut.problems.len() <= 2, "{:?}: {:?}", &text[..end], cut.problems);
    }
}

//! Numbers, strings and characters.

use insta::assert_snapshot;
use jadpo_syntax::tree::{Body, Number, ValueKind};

use crate::check::{checked, codes, problems, repaired};

fn value(written: &str) -> ValueKind {
    let file = checked(&format!("provider a {{ x: {written} }}"));
    let Body::Block(block) = &file.declarations[0].1.body else { panic!("{written}") };
    block.entries[0].value.clone().unwrap().kind
}

fn number(written: &str) -> Number {
    match value(written) {
        ValueKind::Number(number) => number.number,
        other => panic!("{written} is {other:?}"),
    }
}

fn string(written: &str) -> String {
    match value(written) {
        ValueKind::String(text) => text.value.into(),
        other => panic!("{written} is {other:?}"),
    }
}

/// What the edit makes of a number that is none.
fn nearest(written: &str) -> String {
    let frame = |inner: &str| format!("provider a {{ x: {inner}  y: 1 }}");
    let text = frame(written);
    assert_eq!(codes(&text), ["number_invalid"], "{written}");
    let repaired = repaired(&text);
    let repaired = repaired.trim_start_matches("provider a { x: ").trim_end_matches("  y: 1 }");
    if repaired == written { "?".to_owned() } else { repaired.to_owned() }
}

#[test]
fn numbers_are_judged() {
    assert_eq!(number("9_000"), Number::Int(9_000));
    assert_eq!(number("-5"), Number::Int(-5));
    assert_eq!(number("0.25"), Number::Decimal("0.25".into()));
    assert_eq!(number("-1_000.50"), Number::Decimal("-1000.50".into()));
    assert_eq!(number("500ms"), Number::Duration(Some(500)));
    assert_eq!(number("90s"), Number::Duration(Some(90_000)));
    assert_eq!(number("5m"), Number::Duration(Some(300_000)));
    assert_eq!(number("2h"), Number::Duration(Some(7_200_000)));
    assert_eq!(number("30d"), Number::Duration(Some(2_592_000_000)));
    assert_eq!(number("9_000ms"), Number::Duration(Some(9_000)));
    assert_eq!(number("99999999999999999999d"), Number::Duration(None));
    assert_eq!(number("512KiB"), Number::Size(Some(512 << 10)));
    assert_eq!(number("8MiB"), Number::Size(Some(8 << 20)));
    assert_eq!(number("1GiB"), Number::Size(Some(1 << 30)));
    assert_eq!(number("99999999999999999999GiB"), Number::Size(None));
    assert_eq!(number("1h30m"), Number::Invalid);
}

#[test]
fn what_is_no_number_gets_the_nearest() {
    for (written, near) in [
        ("1h30m", "90m"),
        ("1m30s", "90s"),
        ("1.5m", "90s"),
        ("0.5s", "500ms"),
        ("1.5h", "90m"),
        ("5min", "5m"),
        ("10sec", "10s"),
        ("24hours", "24h"),
        ("2w", "14d"),
        ("10S", "10s"),
        ("8MB", "8MiB"),
        ("8mb", "8MiB"),
        ("512K", "512KiB"),
        ("1.5GB", "1536MiB"),
        ("2TB", "2048GiB"),
        ("2048B", "2KiB"),
        ("1e3", "1000"),
        ("1.5e3", "1500"),
        ("1e-3", "0.001"),
        ("-2E2", "-200"),
        ("0x10", "16"),
        ("1_", "1"),
        ("1__0", "10"),
        ("5.", "5"),
        ("-8MiB", "8MiB"),
        ("5M", "5MiB"),
        ("5µs", "?"),
        ("1.2.3", "?"),
        ("2026-11-30", "?"),
        ("1e99", "?"),
        ("9abc", "?"),
        ("340282366920938463463374607431768211456", "?"),
    ] {
        assert_eq!(nearest(written), near, "{written}");
    }
}

#[test]
fn escapes_are_resolved() {
    assert_eq!(string(r#""a\"b\\c\n\r\t\u{1FA99}""#), "a\"b\\c\n\r\t🪙");
    assert_eq!(string(r#""\d+""#), r"\d+");
    assert_eq!(string("\"plain // no comment\""), "plain // no comment");
    assert_eq!(string("\"\u{200b}\""), "\u{200b}");
}

#[test]
fn unknown_escapes_get_the_nearest() {
    assert_snapshot!(problems(r#"type A = Text { pattern: "\d+\.\d" }"#), @r#"
    escape_unknown "\\d": `\d` is no escape -> "\\"
    escape_unknown "\\.": `\.` is no escape -> "\\"
    escape_unknown "\\d": `\d` is no escape -> "\\"
    "#);
    assert_eq!(
        repaired(r#"type A = Text { pattern: "\d+\.\d" }"#),
        r#"type A = Text { pattern: "\\d+\\.\\d" }"#
    );
    assert_eq!(
        repaired(r#"type A = Text { pattern: "\u0041 \x41" }"#),
        r#"type A = Text { pattern: "\u{41} \u{41}" }"#
    );
    assert_snapshot!(problems(r#"type A = Text { pattern: "\u{110000} \u{D800} \u{} \u" }"#), @r#"
    escape_unknown "\\u{110000}": `\u{110000}` is no escape
    escape_unknown "\\u{D800}": `\u{D800}` is no escape
    escape_unknown "\\u": `\u` is no escape
    escape_unknown "\\u": `\u` is no escape
    "#);
}

#[test]
fn characters_outside_strings_are_few() {
    assert_snapshot!(problems("operation tip { method: GET  path: \"/x\" \u{200b}  output: Decimal }"), @r#"character_invalid "\u{200b}": the invisible character U+200B stands here -> """#);
    assert_snapshot!(problems("operation ti\u{200b}p { method: GET }"), @r#"character_invalid "\u{200b}": `tip` has the invisible character U+200B in it -> "tip""#);
    assert_snapshot!(problems("operation tip { method:\u{a0}GET }"), @r#"character_invalid "\u{a0}": the invisible character U+00A0 stands here -> " ""#);
    assert_snapshot!(problems("type A = Object { prénom: Text }"), @r#"character_invalid "é": `é` can't stand in the name `prénom`"#);
    assert_snapshot!(problems("type A = Object { 名前: Text }"), @r#"character_invalid "名": `名` can't stand in the name `名前`"#);
    assert_snapshot!(problems("type A = Object { content-type: Text }"), @r#"character_invalid "-": `-` can't stand in the name `content-type`"#);
    assert_snapshot!(problems("type A = Object { a: Int; b: Int }"), @r#"character_invalid ";": `;` is no part of the language -> """#);
    assert_snapshot!(problems("type A = Object { a: Int | Text }"), @r#"character_invalid "|": `|` is no part of the language"#);
    assert_snapshot!(problems("type A = Object { a: @ b: Int }"), @r#"character_invalid "@": `@` is no part of the language"#);
    assert_snapshot!(problems("type A = Object { a: 'x' }"), @r#"character_invalid "'x'": a string stands between double quotes -> "\"x\"""#);
    assert_snapshot!(problems("type A = Text { pattern: \"a\0b\" }"), @r#"character_invalid "\0": a string can't hold the character U+0000"#);
    assert_snapshot!(problems("type A = \0 Text"), @r#"character_invalid "\0": the invisible character U+0000 stands here -> """#);
    assert_snapshot!(problems("type A = Text /* no */"), @r#"character_invalid "/* no */": a comment begins with `//` and ends with its line"#);
    assert_eq!(repaired("operation ti\u{200b}p { method:\u{a0}GET }"), "operation tip { method: GET }");
    assert_eq!(problems("// an emoji of several: 👨‍👩‍👧\ntype A = Text"), "");
}

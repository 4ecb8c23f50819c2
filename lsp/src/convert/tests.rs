//! Positions there and back, in both encodings.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;

/// `$0` in the text is the place; asks for its position and that the position leads back.
#[track_caller]
fn check(marked: &str, encoding: Encoding, line: u32, character: u32) {
    let offset = marked.find("$0").unwrap();
    let plain = marked.replacen("$0", "", 1);
    let text = Text::as_sent(&plain, encoding);
    let position = Position { line, character };
    assert_eq!(text.position(u32::try_from(offset).unwrap()), position, "position of byte {offset}");
    assert_eq!(text.offset(position) as usize, offset, "byte of {position:?}");
}

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

const TIP: &str = "operation tip { method: GET  path: \"/🪙/é/tip\"  output: $0Decimaal }";

#[test]
fn columns_count_utf16_units_unless_bytes_were_agreed() {
    let before = TIP.find("$0").unwrap();
    let units = u32::try_from(TIP[..before].encode_utf16().count()).unwrap();
    check(TIP, Encoding::Utf16, 0, units);
    check(TIP, Encoding::Utf8, 0, u32::try_from(before).unwrap());
    assert_eq!(
        before - 3,
        usize::try_from(units).unwrap(),
        "the coin is 4 bytes and 2 units, the accent 2 and 1"
    );
}

#[test]
fn a_family_counts_each_of_its_parts() {
    check("👨‍👩‍👧$0x", Encoding::Utf16, 0, 8);
    check("👨‍👩‍👧$0x", Encoding::Utf8, 0, 18);
}

#[test]
fn wide_letters_are_one_unit_and_three_bytes() {
    check("名前: 漢$0字", Encoding::Utf16, 0, 5);
    check("名前: 漢$0字", Encoding::Utf8, 0, 11);
}

#[test]
fn tabs_and_invisible_characters_count_one() {
    check("\t\u{200b}$0x", Encoding::Utf16, 0, 2);
}

#[test]
fn every_line_end_of_the_protocol_ends_a_line() {
    check("a\nb$0", Encoding::Utf16, 1, 1);
    check("a\r\nb$0", Encoding::Utf16, 1, 1);
    check("a\rb$0", Encoding::Utf16, 1, 1);
    check("a\r\r\n$0b", Encoding::Utf16, 2, 0);
    check("a\n$0", Encoding::Utf16, 1, 0);
    check("$0", Encoding::Utf16, 0, 0);
}

#[test]
fn a_position_is_never_inside_a_line_end() {
    let text = Text::as_sent("ab\r\ncd", Encoding::Utf16);
    assert_eq!(text.position(3), at(0, 2));
    assert_eq!(text.offset(at(0, 3)), 2);
    assert_eq!(text.offset(at(0, u32::MAX)), 2);
}

#[test]
fn what_lies_outside_is_drawn_to_the_nearest_place() {
    let text = Text::as_sent("ab\n🪙", Encoding::Utf16);
    assert_eq!(text.offset(at(9, 9)), 7);
    assert_eq!(text.offset(at(u32::MAX, 0)), 7);
    assert_eq!(text.offset(at(1, 1)), 3, "the middle of a pair is its start");
    assert_eq!(text.position(5), at(1, 0), "the middle of a character is its start");
    assert_eq!(text.position(99), at(1, 2));
    assert_eq!(
        text.span(Range { start: at(1, 0), end: at(0, 1) }),
        Span::new(1, 3),
        "an inverted range is turned round"
    );
}

#[test]
fn a_bom_counts_only_where_the_editor_sent_it() {
    let text = "\u{feff}app x\n\u{feff}";
    assert_eq!(Text::on_disk(text, Encoding::Utf16).position(3), at(0, 0));
    assert_eq!(Text::on_disk(text, Encoding::Utf16).position(0), at(0, 0));
    assert_eq!(Text::on_disk(text, Encoding::Utf16).offset(at(0, 3)), 6);
    assert_eq!(Text::on_disk(text, Encoding::Utf16).position(12), at(1, 1));
    assert_eq!(Text::as_sent(text, Encoding::Utf16).position(3), at(0, 1));
}

#[test]
fn the_editor_chooses_among_what_the_server_knows() {
    let offer = |names: &[&'static str]| {
        let kinds: Vec<_> = names.iter().map(|name| PositionEncodingKind::new(name)).collect();
        Encoding::negotiate(&kinds)
    };
    assert_eq!(offer(&[]), Encoding::Utf16);
    assert_eq!(offer(&["utf-32", "utf-8", "utf-16"]), Encoding::Utf8);
    assert_eq!(offer(&["utf-16", "utf-8"]), Encoding::Utf16);
    assert_eq!(offer(&["utf-32"]), Encoding::Utf16);
}

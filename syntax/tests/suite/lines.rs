//! Lines and columns in every unit, there and back.

use jadpo_syntax::{LineIndex, Position};
use proptest::prelude::*;

fn position(line: u32, column: u32) -> Position {
    Position { line, column }
}

#[test]
fn columns_after_an_emoji() {
    let text = "operation tip { method: GET  path: \"/🪙/é/tip\"  output: Decimaal }";
    let at = u32::try_from(text.find("Decimaal").unwrap()).unwrap();
    let index = LineIndex::new(text);
    assert_eq!(at, 59);
    assert_eq!(index.scalar(text, at), position(1, 56));
    assert_eq!(index.utf16(text, at), position(0, 56));
    assert_eq!(index.utf8(text, at), position(0, 59));
}

#[test]
fn lines_end_in_any_way_and_positions_are_clamped() {
    let text = "a\r\nbc\n\rd";
    let index = LineIndex::new(text);
    assert_eq!(index.lines(), 4);
    assert_eq!(index.utf16(text, 2), position(0, 1), "between CR and LF is the end of the line");
    assert_eq!(index.utf16(text, 3), position(1, 0));
    assert_eq!(index.utf16(text, 99), position(3, 1));
    assert_eq!(index.offset_utf16(text, position(0, 9)), 1);
    assert_eq!(index.offset_utf16(text, position(9, 9)), 8);
    let inside = LineIndex::new("🪙x").offset_utf16("🪙x", position(0, 1));
    assert_eq!(inside, 0, "inside a pair is its start");
    assert_eq!(LineIndex::new("\u{feff}x").scalar("\u{feff}x", 3), position(1, 1));
}

#[test]
fn columns_far_along_a_line_are_counted_like_near_ones() {
    let text = format!("\u{feff}{}\n{}", "é🪙x".repeat(900), "🪙é".repeat(2_000));
    let index = LineIndex::new(&text);
    for (at, _) in text.char_indices().step_by(7) {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = &text[start..at];
        let utf16 = u32::try_from(before.encode_utf16().count()).unwrap();
        let scalars = u32::try_from(before.trim_start_matches('\u{feff}').chars().count()).unwrap();
        let offset = u32::try_from(at).unwrap();
        assert_eq!(index.utf16(&text, offset).column, utf16, "at {at}");
        assert_eq!(index.scalar(&text, offset).column, scalars + 1, "at {at}");
    }
}

proptest! {
    #[test]
    fn columns_of_long_lines_are_counted_alike(part in "[a-cé🪙\u{200d}\n]{1,40}", times in 1_usize..60, marks in 0_usize..3) {
        let text = format!("{}{}", "\u{feff}".repeat(marks), part.repeat(times));
        let index = LineIndex::new(&text);
        for (at, _) in text.char_indices() {
            let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
            let utf16 = index.utf16(&text, u32::try_from(at).unwrap());
            prop_assert_eq!(utf16.column as usize, line.encode_utf16().count());
            let scalar = index.scalar(&text, u32::try_from(at).unwrap());
            prop_assert_eq!(scalar.column as usize, line.trim_start_matches('\u{feff}').chars().count() + 1);
        }
    }

    #[test]
    fn there_and_back(text in "[a-cé🪙\u{200d}\t\r\n]{0,40}", at in 0_u32..60) {
        let index = LineIndex::new(&text);
        let utf16 = index.utf16(&text, at);
        let utf8 = index.utf8(&text, at);
        let scalar = index.scalar(&text, at);
        prop_assert_eq!(utf16.line, utf8.line);
        prop_assert_eq!(utf16.line + 1, scalar.line);
        let back = index.offset_utf16(&text, utf16);
        prop_assert_eq!(back, index.offset_utf8(&text, utf8));
        prop_assert!(text.is_char_boundary(back as usize));
        prop_assert_eq!(index.utf16(&text, back), utf16);
        let line = index.line_span(&text, utf16.line);
        prop_assert!(line.start <= back && back <= line.end);
    }
}

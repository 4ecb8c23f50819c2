//! Reads the engine's exact numbers: groups of four decimal digits, a weight, a sign, and how many places are shown.

use std::ops::RangeInclusive;

/// The number as plain decimal text.
pub fn text(raw: &[u8]) -> Result<String, String> {
    let words: Vec<i16> = raw.chunks_exact(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]])).collect();
    let [_, weight, sign, scale, groups @ ..] = &words[..] else {
        return Err("a number that is cut off".to_owned());
    };
    let negative = match sign.cast_unsigned() {
        0x0000 => false,
        0x4000 => true,
        0xC000 => return Ok("NaN".to_owned()),
        0xD000 => return Ok("Infinity".to_owned()),
        _ => return Ok("-Infinity".to_owned()),
    };
    let group = |at: i32| usize::try_from(at).ok().and_then(|at| groups.get(at)).copied().unwrap_or(0);
    let weight = i32::from(*weight);
    let digits = |groups: RangeInclusive<i32>| {
        groups.map(|at| format!("{:04}", group(at))).collect::<Vec<_>>().concat()
    };
    let whole = digits(0..=weight);
    let whole = whole.trim_start_matches('0');
    let scale = usize::try_from(*scale).unwrap_or(0);
    let groups_after = i32::try_from(scale.div_ceil(4)).unwrap_or(0);
    let mut places = digits(weight + 1..=weight + groups_after);
    places.truncate(scale);
    let sign = if negative { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    Ok(if places.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{places}") })
}

#[cfg(test)]
mod tests {
    use super::text;

    fn number(words: &[i16]) -> String {
        text(&words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>())
            .unwrap_or_else(|wrong| wrong)
    }

    #[test]
    fn groups_become_digits() {
        assert_eq!(number(&[0, 0, 0, 0]), "0");
        assert_eq!(number(&[1, 0, 0, 0, 60]), "60");
        assert_eq!(number(&[2, 1, 0, 0, 1, 2]), "10002");
        assert_eq!(number(&[1, 1, 0, 0, 12]), "120000");
        assert_eq!(number(&[2, 0, 0x4000, 2, 1, 500]), "-1.05");
        assert_eq!(number(&[1, -1, 0, 3, 10]), "0.001");
        assert_eq!(number(&[1, -2, 0, 8, 1]), "0.00000001");
        assert_eq!(number(&[0, 0, i16::MIN | 0x4000, 0]), "NaN");
        assert_eq!(number(&[0]), "a number that is cut off");
    }
}

//! Fills templates: texts with holes for settings and fields of the input.

use std::fmt::Write;

use crate::plan::{Part, Template};

/// What a hole is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hole {
    /// An optional field left out, or none.
    Absent,
    /// A scalar in canonical text.
    One(String),
    /// A list of them, which only a query takes.
    Many(Vec<String>),
}

/// Gives what a hole, which is no [`Part::Text`], is filled with.
pub type Fill<'a> = &'a dyn Fn(&Part) -> Hole;

/// The text of a template outside paths; `None` where a hole is absent.
pub fn text(template: &Template, fill: Fill<'_>) -> Result<Option<String>, String> {
    let mut filled = String::new();
    for part in &template.parts {
        match hole(part, fill) {
            Hole::Absent => return Ok(None),
            Hole::One(value) => filled.push_str(&value),
            Hole::Many(_) => return Err(format!("{} is a list", name(part))),
        }
    }
    Ok(Some(filled))
}

/// The values of one key of a query: none where a hole is absent, several where its only hole is a list.
pub fn query(template: &Template, fill: Fill<'_>) -> Result<Vec<String>, String> {
    match template.parts.as_slice() {
        [part] => Ok(match hole(part, fill) {
            Hole::Absent => Vec::new(),
            Hole::One(value) => vec![value],
            Hole::Many(values) => values,
        }),
        _ => Ok(text(template, fill)?.into_iter().collect()),
    }
}

/// The value of a header: a text of one line.
pub fn header(template: &Template, fill: Fill<'_>) -> Result<Option<String>, String> {
    let value = text(template, fill)?;
    match &value {
        Some(value) if value.chars().any(|char| char.is_control() && char != '\t') => {
            Err("a header's value holds a control character".to_owned())
        }
        _ => Ok(value),
    }
}

/// A path. Each hole is encoded as one segment or a part of one, and can't lead to another path than the template's: no
/// segment may end up empty by its holes, or be `.` or `..`.
pub fn path(template: &Template, fill: Fill<'_>) -> Result<String, String> {
    let mut path = String::new();
    // Segments as they are filled, with the hole that stands in each.
    let mut open_hole: Option<String> = None;
    for part in &template.parts {
        if let Part::Text(literal) = part {
            for char in literal.chars() {
                if char == '/' {
                    close_segment(&path, open_hole.take())?;
                }
                match char {
                    '#' => path.push_str("%23"),
                    _ => path.push(char),
                }
            }
            continue;
        }
        match hole(part, fill) {
            Hole::One(value) => path.push_str(&percent_encode(&value)),
            Hole::Absent => return Err(format!("{} is absent, and the path needs it", name(part))),
            Hole::Many(_) => return Err(format!("{} is a list", name(part))),
        }
        open_hole = Some(name(part));
    }
    close_segment(&path, open_hole)?;
    Ok(path)
}

/// All but letters, digits, `-`, `.`, `_` and `~`, byte by byte.
pub fn percent_encode(value: &str) -> String {
    let mut encoded = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes any text");
        }
    }
    encoded
}

/// How a hole is named to people.
pub fn name(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("{text:?}"),
        Part::Setting(name) => format!("settings.{name}"),
        Part::Input(name) => format!("input.{name}"),
    }
}

fn hole(part: &Part, fill: Fill<'_>) -> Hole {
    match part {
        Part::Text(text) => Hole::One(text.clone()),
        _ => fill(part),
    }
}

fn close_segment(path: &str, hole: Option<String>) -> Result<(), String> {
    let Some(hole) = hole else { return Ok(()) };
    match path.rsplit('/').next().unwrap_or_default() {
        "" => Err(format!("{hole} is empty, and the path needs it")),
        segment @ ("." | "..") => {
            Err(format!("{hole} makes the path's segment `{segment}`, which leads elsewhere"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holes by name: `none`, `list`, `empty`, else the name's own text.
    fn fill(part: &Part) -> Hole {
        match part {
            Part::Setting(name) | Part::Input(name) => match name.as_str() {
                "none" => Hole::Absent,
                "list" => Hole::Many(vec!["a".to_owned(), "b c".to_owned()]),
                "empty" => Hole::One(String::new()),
                name => Hole::One(name.to_owned()),
            },
            Part::Text(text) => Hole::One(text.clone()),
        }
    }

    /// Every second piece between bars is a hole.
    fn template(text: &str) -> Template {
        let parts =
            text.split('|').enumerate().filter(|(index, piece)| index % 2 == 1 || !piece.is_empty()).map(
                |(index, piece)| match index % 2 {
                    0 => Part::Text(piece.to_owned()),
                    _ => Part::Input(piece.to_owned()),
                },
            );
        Template { parts: parts.collect() }
    }

    #[track_caller]
    fn check_path(from: &str, expected: Result<&str, &str>) {
        let filled = path(&template(from), &fill);
        assert_eq!(filled.as_deref().map_err(String::as_str), expected, "{from}");
    }

    #[test]
    fn a_path_takes_a_value_as_one_segment_or_a_part_of_one() {
        check_path("/v1/prices", Ok("/v1/prices"));
        check_path("/v1/|a/b|/x", Ok("/v1/a%2Fb/x"));
        check_path("/v1/x-|é ?#%\\|", Ok("/v1/x-%C3%A9%20%3F%23%25%5C"));
        check_path("/v1/|a.b-c_d~e|", Ok("/v1/a.b-c_d~e"));
        check_path("/v1/x|empty|", Ok("/v1/x"));
        check_path("/a#b", Ok("/a%23b"));
    }

    #[test]
    fn a_value_cannot_lead_to_another_path() {
        check_path("/v1/|..|/x", Err("input... makes the path's segment `..`, which leads elsewhere"));
        check_path("/v1/|.|", Err("input.. makes the path's segment `.`, which leads elsewhere"));
        check_path("/v1/.|.|/x", Err("input.. makes the path's segment `..`, which leads elsewhere"));
        check_path("/v1/|empty|/x", Err("input.empty is empty, and the path needs it"));
        check_path("/v1/|empty|", Err("input.empty is empty, and the path needs it"));
        check_path("/v1/|%2e%2e|", Ok("/v1/%252e%252e"));
        check_path("/v1/|none|", Err("input.none is absent, and the path needs it"));
        check_path("/v1/|list|", Err("input.list is a list"));
    }

    #[track_caller]
    fn check_query(from: &str, expected: &[&str]) {
        assert_eq!(
            query(&template(from), &fill).as_deref(),
            Ok(expected.iter().map(|&text| text.to_owned()).collect::<Vec<_>>().as_slice())
        );
    }

    #[test]
    fn a_query_leaves_out_what_is_absent_and_repeats_lists() {
        check_query("", &[""]);
        check_query("usd", &["usd"]);
        check_query("|none|", &[]);
        check_query("x-|none|", &[]);
        check_query("|list|", &["a", "b c"]);
        check_query("x-|empty|", &["x-"]);
        assert_eq!(query(&template("x-|list|"), &fill), Err("input.list is a list".to_owned()));
    }

    #[test]
    fn a_header_is_one_line() {
        assert_eq!(header(&template("Bearer |token|"), &fill), Ok(Some("Bearer token".to_owned())));
        assert_eq!(header(&template("|none|"), &fill), Ok(None));
        assert_eq!(header(&template("|caffè|"), &fill), Ok(Some("caffè".to_owned())));
        let split = header(&template("|a\r\nX-Other: b|"), &fill);
        assert_eq!(split, Err("a header's value holds a control character".to_owned()));
    }
}

//! The manual's table is the table.

use crate::surface::table::{Class, Means, TABLE};

const PAGE: &str = include_str!("../../../../docs/language.md");

#[test]
fn the_manual_has_a_line_for_each_row() {
    let missing: Vec<_> =
        TABLE.iter().map(|row| line(row.name, row.means)).filter(|line| !PAGE.contains(line)).collect();
    assert!(missing.is_empty(), "docs/language.md lacks\n{}", missing.concat());
}

/// A row as the manual writes it.
fn line(name: &str, means: Means) -> String {
    let cell = |class: Option<Class>| class.map_or("–", Class::text);
    let Means { read, written, kept, given } = means;
    format!("| `{name}` | {} | {} | {} | {} |\n", cell(read), cell(written), cell(kept), cell(given))
}

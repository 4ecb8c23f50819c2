//! What a statement of the app may not do: end or leave the transaction of its boundary.

/// Statements that would end or leave the boundary's transaction, by their first word.
const OUTSIDE_OF_A_BOUNDARY: [&str; 10] =
    ["ATTACH", "BEGIN", "COMMIT", "DETACH", "END", "PRAGMA", "RELEASE", "ROLLBACK", "SAVEPOINT", "VACUUM"];

/// Why a statement of the app may not stand in a boundary, if it may not.
pub fn refused(sql: &str) -> Option<String> {
    let word = first_word(sql);
    let refused = OUTSIDE_OF_A_BOUNDARY.into_iter().find(|refused| word.eq_ignore_ascii_case(refused));
    refused.map(|word| format!("{word} can't stand in a boundary"))
}

fn first_word(sql: &str) -> &str {
    // The engine passes over all of this before a statement, a byte order mark and empty statements included.
    let passed_over = |c: char| c.is_whitespace() || c == ';' || c == '\u{feff}';
    let mut rest = sql.trim_start_matches(passed_over);
    loop {
        let after = match rest.get(..2) {
            Some("--") => rest.split_once('\n').map_or("", |(_, after)| after),
            Some("/*") => rest.split_once("*/").map_or("", |(_, after)| after),
            _ => break,
        };
        rest = after.trim_start_matches(passed_over);
    }
    rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default()
}

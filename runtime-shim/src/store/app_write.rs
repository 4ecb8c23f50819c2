//! What a statement of the app may not do: end or leave the transaction of its boundary.

/// Statements that would end or leave the boundary's transaction, or stay behind on its connection, by their first word; of
/// all engines, since one's words are no statements of another's.
const OUTSIDE_OF_A_BOUNDARY: [&str; 18] = [
    "ABORT",
    "ATTACH",
    "BEGIN",
    "COMMIT",
    "COPY",
    "DEALLOCATE",
    "DETACH",
    "DISCARD",
    "END",
    "LISTEN",
    "PRAGMA",
    "PREPARE",
    "RELEASE",
    "ROLLBACK",
    "SAVEPOINT",
    "START",
    "UNLISTEN",
    "VACUUM",
];

/// Why a statement of the app may not stand in a boundary, if it may not.
pub fn refused(sql: &str) -> Option<String> {
    // A comment within a comment ends only itself in one engine and both of them in another.
    let words = [first_word(sql, false), first_word(sql, true)];
    let is_one = |refused: &&str| words.iter().any(|word| word.eq_ignore_ascii_case(refused));
    let refused = OUTSIDE_OF_A_BOUNDARY.iter().find(|refused| is_one(refused));
    refused.map(|word| format!("{word} can't stand in a boundary"))
}

fn first_word(sql: &str, comments_nest: bool) -> &str {
    // The engine passes over all of this before a statement, a byte order mark and empty statements included.
    let passed_over = |c: char| c.is_whitespace() || c == ';' || c == '\u{feff}';
    let mut rest = sql.trim_start_matches(passed_over);
    loop {
        let after = match rest.get(..2) {
            Some("--") => rest.split_once('\n').map_or("", |(_, after)| after),
            Some("/*") if comments_nest => after_nested(rest),
            Some("/*") => rest[2..].split_once("*/").map_or("", |(_, after)| after),
            _ => break,
        };
        rest = after.trim_start_matches(passed_over);
    }
    rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default()
}

/// What follows a comment that others may stand in.
fn after_nested(text: &str) -> &str {
    let (mut depth, mut rest) = (0_usize, text);
    loop {
        let opens = rest.find("/*").unwrap_or(usize::MAX);
        let Some(closes) = rest.find("*/") else { return "" };
        if opens < closes {
            (depth, rest) = (depth + 1, &rest[opens + 2..]);
        } else {
            (depth, rest) = (depth.saturating_sub(1), &rest[closes + 2..]);
        }
        if depth == 0 {
            return rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn a_statement_is_known_by_its_first_word_in_every_engines_eyes() {
        for sql in [
            "commit",
            " ;\u{feff}-- why\n COMMIT",
            "/* a */ start transaction",
            "/* /* a */ Commit",
            "/* /* a */ */ Commit",
            "COPY t FROM STDIN",
        ] {
            assert!(refused(sql).is_some(), "{sql}");
        }
        for sql in ["", "/* COMMIT", "SELECT 1", "-- COMMIT", "ends", "/*/ COMMIT */ SELECT 1"] {
            assert_eq!(refused(sql), None, "{sql}");
        }
    }
}

//! The name that was probably meant.

/// The candidate nearest to `written`, or none when unsure.
///
/// Distance is Damerau-Levenshtein, at most a third of the longer name's length, rounded up; a candidate that
/// differs only in case or separators always matches, best of all. Of equally near ones the first wins. None is
/// offered that has nothing in common with what was written.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(written);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == written || candidate.is_empty() {
            continue;
        }
        let Some(distance) = distance(written, &folded, candidate) else { continue };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn distance(written: &str, folded: &str, candidate: &str) -> Option<usize> {
    if fold(candidate) == folded {
        return Some(0);
    }
    let longer = written.chars().count().max(candidate.chars().count());
    let distance = strsim::damerau_levenshtein(written, candidate);
    (distance <= longer.div_ceil(3) && distance < longer).then_some(distance)
}

/// Without case and separators.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KEYS: [&str; 5] = ["engine", "keep", "call", "every", "emits"];

    #[test]
    fn a_transposition_counts_one() {
        assert_eq!(nearest("egnine", KEYS), Some("engine"));
        assert_eq!(nearest("evrey", KEYS), Some("every"));
    }

    #[test]
    fn case_and_separators_always_match() {
        assert_eq!(nearest("MAX-CONCURRENT", ["timeout", "max_concurrent"]), Some("max_concurrent"));
        assert_eq!(nearest("FETCHPRICES", ["fetch_price", "fetch_prices"]), Some("fetch_prices"));
    }

    #[test]
    fn a_third_of_the_longer_name_rounded_up_is_the_limit() {
        assert_eq!(nearest("abcd", ["abxy"]), Some("abxy"));
        assert_eq!(nearest("abcd", ["axyz"]), None);
        assert_eq!(nearest("a", ["b"]), None, "nothing in common");
    }

    #[test]
    fn ties_go_to_the_first() {
        assert_eq!(nearest("call1", ["call2", "call3"]), Some("call2"));
    }
}

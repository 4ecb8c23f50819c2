//! The name that was probably meant.

/// The candidate nearest to `written`, or none when unsure.
///
/// Distance is Damerau-Levenshtein, at most a third of the longer name's length, rounded up; a candidate that
/// differs only in case or separators always matches, best of all. Of equally near ones the first wins. None is
/// offered that has nothing in common with what was written.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = Letters::of(written);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == written || candidate.is_empty() {
            continue;
        }
        if folded(candidate).eq(folded(written)) {
            return Some(candidate);
        }
        let longer = letters.count.max(candidate.chars().count());
        let nearer = best.map_or(usize::MAX, |(distance, _)| distance.saturating_sub(1));
        let at_most = longer.div_ceil(3).min(longer - 1).min(nearer);
        if letters.apart(candidate) > at_most {
            continue;
        }
        let distance = strsim::damerau_levenshtein(written, candidate);
        if distance <= at_most {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Without case and separators.
fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase)
}

/// How often each letter stands in a name, which tells most names apart without measuring their distance: a file whose
/// every name is misspelt would otherwise cost its square.
struct Letters {
    count: usize,
    of: [i32; BUCKETS],
}

/// Letters beyond share buckets, which can only make names look nearer than they are.
const BUCKETS: usize = 128;

impl Letters {
    fn of(name: &str) -> Self {
        let mut letters = Self { count: 0, of: [0; BUCKETS] };
        for letter in name.chars() {
            letters.count += 1;
            letters.of[letter as usize % BUCKETS] += 1;
        }
        letters
    }

    /// A distance that the true one is never below: a step of any kind brings at most one letter of each name nearer.
    fn apart(&self, other: &str) -> usize {
        let other = Self::of(other);
        let (mut surplus, mut lack) = (0, 0);
        for (here, there) in self.of.iter().zip(other.of) {
            surplus += usize::try_from(here - there).unwrap_or(0);
            lack += usize::try_from(there - here).unwrap_or(0);
        }
        surplus.max(lack)
    }
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
    fn the_bound_by_letters_never_hides_the_nearest() {
        let names =
            ["quotes", "qoutes", "metals", "mteals", "a", "ab", "ba", "é", "fetch_notes", "fetch_note"];
        for (written, name) in names.iter().flat_map(|written| names.map(|name| (*written, name))) {
            let distance = strsim::damerau_levenshtein(written, name);
            assert!(super::Letters::of(written).apart(name) <= distance, "{written} {name}");
        }
    }

    #[test]
    fn ties_go_to_the_first() {
        assert_eq!(nearest("call1", ["call2", "call3"]), Some("call2"));
    }
}

//! Which of two sets of named things are gone, which are new, and which only have another name.

use std::collections::BTreeMap;

/// More pairs than this are not looked at for new names: so much was rewritten that nobody would follow them.
const PAIRS_MAX: usize = 4_000_000;

/// What became of names that are not on both sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Matched<'s> {
    /// Gone.
    pub removed: Vec<&'s str>,
    /// New.
    pub added: Vec<&'s str>,
    /// The old name and the new one of what is alike and has no other like it on either side.
    pub renamed: Vec<(&'s str, &'s str)>,
}

/// Matches two sets by name, then by `alike`.
pub fn matched<'s, T>(
    old: &'s BTreeMap<String, T>,
    new: &'s BTreeMap<String, T>,
    alike: impl Fn((&str, &T), (&str, &T)) -> bool,
) -> Matched<'s> {
    let gone: Vec<_> = old.iter().filter(|(name, _)| !new.contains_key(*name)).collect();
    let come: Vec<_> = new.iter().filter(|(name, _)| !old.contains_key(*name)).collect();
    let mut partners: Vec<Vec<usize>> = vec![Vec::new(); gone.len()];
    let mut taken = vec![0_usize; come.len()];
    if gone.len().saturating_mul(come.len()) <= PAIRS_MAX {
        for (at, (name, thing)) in gone.iter().enumerate() {
            for (other, (new_name, new_thing)) in come.iter().enumerate() {
                if alike((name, thing), (new_name, new_thing)) {
                    partners[at].push(other);
                    taken[other] += 1;
                }
            }
        }
    }
    let mut found = Matched::default();
    let mut matched = vec![false; come.len()];
    for ((name, _), partners) in gone.iter().zip(&partners) {
        match partners[..] {
            [only] if taken[only] == 1 => {
                matched[only] = true;
                found.renamed.push((name, come[only].0));
            }
            _ => found.removed.push(name),
        }
    }
    let left = come.iter().zip(&matched).filter(|(_, matched)| !**matched);
    found.added = left.map(|((name, _), _)| name.as_str()).collect();
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::matched;

    fn said(old: &[(&str, u8)], new: &[(&str, u8)]) -> String {
        let map =
            |of: &[(&str, u8)]| of.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect::<BTreeMap<_, _>>();
        let (old, new) = (map(old), map(new));
        let found = matched(&old, &new, |(_, one), (_, other)| one == other);
        format!("-{:?} +{:?} {:?}", found.removed, found.added, found.renamed)
    }

    #[test]
    fn only_a_pair_without_rivals_is_a_new_name() {
        assert_eq!(said(&[("a", 1), ("b", 2)], &[("a", 9), ("c", 2)]), r#"-[] +[] [("b", "c")]"#);
        assert_eq!(said(&[("b", 2)], &[("c", 2), ("d", 2)]), r#"-["b"] +["c", "d"] []"#);
        assert_eq!(said(&[("a", 2), ("b", 2)], &[("c", 2)]), r#"-["a", "b"] +["c"] []"#);
        assert_eq!(said(&[("a", 1)], &[("b", 2)]), r#"-["a"] +["b"] []"#);
    }
}

//! The least version that is honest about a change, by Semantic Versioning.

use std::cmp::Ordering;

use super::table::Class;

/// A version, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    major: u64,
    minor: u64,
    patch: u64,
    /// What stands behind `-`; empty for a release.
    before: String,
}

/// The least version after `old` that may hold a change of this class; `old` itself where nothing changed.
pub fn least(old: &str, worst: Option<Class>) -> String {
    let (Some(version), Some(class)) = (Version::parse(old), worst) else { return old.to_owned() };
    let Version { major, minor, patch, .. } = version;
    if version.before_a_break() || !version.before.is_empty() && class != Class::Breaking {
        return format!("{major}.{minor}.{patch}");
    }
    match (class, major) {
        (Class::Breaking, 0) => format!("0.{}.0", minor.saturating_add(1)),
        (Class::Breaking, _) => format!("{}.0.0", major.saturating_add(1)),
        (Class::Addition, 1..) => format!("{major}.{}.0", minor.saturating_add(1)),
        (Class::Addition, 0) | (Class::Note, _) => format!("{major}.{minor}.{}", patch.saturating_add(1)),
    }
}

/// Whether `new` says that it may break what used `old`: by another major version or, below 1.0, another minor one.
pub fn says_break(old: &str, new: &str) -> bool {
    let (Some(old), Some(new)) = (Version::parse(old), Version::parse(new)) else { return false };
    match (old.major, new.major) {
        _ if old.before_a_break() && old.precedes(&new) => true,
        (0, 0) => new.minor > old.minor,
        (before, after) => after > before,
    }
}

/// Whether `version` is `least` or a later one.
pub fn reaches(version: &str, least: &str) -> bool {
    match (Version::parse(version), Version::parse(least)) {
        (Some(version), Some(least)) => !version.precedes(&least),
        _ => false,
    }
}

/// Whether a text is a version.
pub fn is_one(text: &str) -> bool {
    Version::parse(text).is_some()
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let text = text.split_once('+').map_or(text, |(text, _)| text);
        let (core, before) = text.split_once('-').unwrap_or((text, ""));
        let mut parts = core.split('.').map(|part| part.parse().ok());
        let version = Self {
            major: parts.next()??,
            minor: parts.next()??,
            patch: parts.next()??,
            before: before.to_owned(),
        };
        parts.next().is_none().then_some(version)
    }

    /// Whether it comes before a release that may break everything, and so may be broken itself.
    fn before_a_break(&self) -> bool {
        !self.before.is_empty() && self.patch == 0 && (self.minor == 0 || self.major == 0)
    }

    fn precedes(&self, other: &Self) -> bool {
        let core = |it: &Self| (it.major, it.minor, it.patch);
        match core(self).cmp(&core(other)) {
            Ordering::Equal => match (&*self.before, &*other.before) {
                ("", _) => false,
                (_, "") => true,
                (one, other) => precedence(one, other) == Ordering::Less,
            },
            order => order == Ordering::Less,
        }
    }
}

/// The order of two parts behind `-`: numbers by value and before words, words by their bytes, the shorter first.
fn precedence(one: &str, other: &str) -> Ordering {
    let key = |part: &str| match part.parse::<u64>() {
        Ok(number) => (0, number, String::new()),
        Err(_) => (1, 0, part.to_owned()),
    };
    one.split('.').map(key).cmp(other.split('.').map(key))
}

#[cfg(test)]
mod tests {
    use super::{Class, least, says_break};

    #[test]
    fn the_least_version_follows_the_worst_change() {
        let all = |old| {
            [None, Some(Class::Note), Some(Class::Addition), Some(Class::Breaking)]
                .map(|worst| least(old, worst))
        };
        assert_eq!(all("1.2.3"), ["1.2.3", "1.2.4", "1.3.0", "2.0.0"]);
        assert_eq!(all("0.2.3"), ["0.2.3", "0.2.4", "0.2.4", "0.3.0"]);
        assert_eq!(all("0.0.3"), ["0.0.3", "0.0.4", "0.0.4", "0.1.0"]);
        assert_eq!(all("2.0.0-rc.1"), ["2.0.0-rc.1", "2.0.0", "2.0.0", "2.0.0"]);
        assert_eq!(all("2.1.0-rc.1"), ["2.1.0-rc.1", "2.1.0", "2.1.0", "3.0.0"]);
        assert_eq!(all("1.2.3+build"), ["1.2.3+build", "1.2.4", "1.3.0", "2.0.0"]);
    }

    #[test]
    fn a_break_is_said_by_a_major_version_or_below_one_by_a_minor_one() {
        for (old, new) in [
            ("1.2.3", "2.0.0"),
            ("1.2.3", "2.0.0-rc.1"),
            ("1.2.3", "3.1.4"),
            ("0.2.3", "0.3.0"),
            ("0.2.3", "1.0.0"),
            ("2.0.0-rc.1", "2.0.0-rc.2"),
            ("2.0.0-rc.2", "2.0.0-rc.10"),
            ("2.0.0-rc.1", "2.0.0"),
        ] {
            assert!(says_break(old, new), "{old} {new}");
        }
        for (old, new) in [
            ("1.2.3", "1.2.3"),
            ("1.2.3", "1.9.0"),
            ("2.0.0", "1.0.0"),
            ("0.2.3", "0.2.4"),
            ("1.0.0", "0.9.0"),
            ("2.0.0-rc.2", "2.0.0-rc.1"),
            ("2.1.0-rc.1", "2.1.0"),
            ("2.0.0-rc.1", "2.0.0-rc.1"),
            ("x", "y"),
        ] {
            assert!(!says_break(old, new), "{old} {new}");
        }
    }
}

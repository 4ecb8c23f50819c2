//! Variants of Enums.

use super::matched::{Matched, matched};
use super::{Differ, Travel};
use crate::surface::entry::{Variants, Wire};
use crate::surface::spot::Spot;
use crate::surface::table::Kind;

impl Differ<'_> {
    /// The variants of an Enum; `at` says where one of them stands.
    pub(super) fn variants(
        &mut self,
        at: &dyn Fn(&str) -> Spot,
        old: &Variants,
        new: &Variants,
        travel: Travel,
    ) {
        self.catch_all(at, old, new, travel);
        let turned = |name: &str| {
            [old, new].iter().any(|side| side.other.as_deref() == Some(name))
                && [old, new].iter().any(|side| side.variants.contains_key(name))
        };
        let mut found = matched(&old.variants, &new.variants, |(name, old), (new_name, new)| {
            !turned(name) && !turned(new_name) && (old.is_none() || new.is_none() || old == new)
        });
        // A variant that took another name and another value in one edit is still one, where it is the only one.
        if let ([name], [new_name]) = (&found.removed[..], &found.added[..])
            && !turned(name)
            && !turned(new_name)
        {
            found =
                Matched { renamed: [found.renamed, vec![(name, new_name)]].concat(), ..Matched::default() };
        }
        for (name, new_name) in &found.renamed {
            self.push(Kind::VariantRenamed, travel, Some(at(name)), Some(at(new_name)), ["", new_name]);
        }
        for name in found.removed.iter().filter(|name| !turned(name)) {
            match &new.other {
                Some(other) => self.push(Kind::VariantCaught, travel, Some(at(name)), None, ["", other]),
                None => self.push(Kind::VariantRemoved, travel, Some(at(name)), None, ["", ""]),
            }
        }
        for name in found.added.iter().filter(|name| !turned(name)) {
            self.push(Kind::VariantAdded, travel, None, Some(at(name)), ["", ""]);
        }
        for (name, old) in &old.variants {
            if let (Some(old), Some(Some(new))) = (old, new.variants.get(name))
                && old != new
            {
                let texts = [old.to_string(), new.to_string()];
                let spots = (Some(at(name)), Some(at(name)));
                let texts = [&*texts[0], &*texts[1]];
                self.push(Kind::VariantStoredOtherwise, travel, spots.0, spots.1, texts);
            }
        }
    }

    /// The variant that keeps what no other has.
    fn catch_all(&mut self, at: &dyn Fn(&str) -> Spot, old: &Variants, new: &Variants, travel: Travel) {
        match (&old.other, &new.other) {
            (None, None) => {}
            (Some(old), Some(new)) if old == new => {}
            (Some(name), _) if new.variants.contains_key(name) => {
                let texts = ["other", "a variant without a value"];
                self.push(Kind::TypeChanged, travel, Some(at(name)), Some(at(name)), texts);
            }
            (_, Some(name)) if old.variants.contains_key(name) => {
                let texts = ["a variant without a value", "other"];
                self.push(Kind::TypeChanged, travel, Some(at(name)), Some(at(name)), texts);
            }
            (Some(old), Some(new)) => {
                self.push(Kind::VariantRenamed, travel, Some(at(old)), Some(at(new)), ["", new]);
            }
            (Some(old), None) => self.push(Kind::VariantRemoved, travel, Some(at(old)), None, ["", ""]),
            (None, Some(new)) => self.push(Kind::VariantAdded, travel, None, Some(at(new)), ["", ""]),
        }
    }
}

impl std::fmt::Display for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Int(int) => write!(f, "{int}"),
        }
    }
}

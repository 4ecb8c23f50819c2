//! The provider's entry: settings, the kind of `auth`, polls, and the cap on calls at once.

use super::matched::matched;
use super::uses::Found;
use super::{ALL, Differ};
use crate::prose::time_text;
use crate::surface::entry::{Setting, Surface, TypeEntry, Variants};
use crate::surface::shape::Shape;
use crate::surface::spot::Spot;
use crate::surface::table::Kind;
use crate::surface::travel::GIVEN;

/// What a setting's values are, whatever its type is called: no app names that type in Rust.
struct Values<'s> {
    nullable: bool,
    bare: Shape,
    variants: Option<&'s Variants>,
}

impl Differ<'_> {
    pub(super) fn provider(&mut self) {
        let (old, new) = (&self.old.provider, &self.new.provider);
        if old.auth != new.auth {
            self.push(Kind::AuthChanged, ALL, Some(Spot::Auth), Some(Spot::Auth), [&old.auth, &new.auth]);
        }
        self.cap(old.max_concurrent, new.max_concurrent);
        self.polls();
        self.settings();
    }

    fn cap(&mut self, old: Option<u64>, new: Option<u64>) {
        let text = |cap: Option<u64>| cap.map(|cap| cap.to_string()).unwrap_or_default();
        let kind = match (old, new) {
            (Some(old), Some(new)) if new > old => Kind::CapRaised,
            (Some(old), Some(new)) if new < old => Kind::CapLowered,
            (Some(_), None) => Kind::CapRemoved,
            (None, Some(_)) => Kind::CapAdded,
            _ => return,
        };
        let there = |cap: Option<u64>| cap.map(|_| Spot::MaxConcurrent);
        self.push(kind, ALL, there(old), there(new), [&text(old), &text(new)]);
    }

    fn polls(&mut self) {
        let (old, new) = (&self.old.provider.polls, &self.new.provider.polls);
        let spot = |name: &str| Some(Spot::Poll(name.to_owned()));
        let found = matched(old, new, |(_, old), (_, new)| {
            old.every_ms == new.every_ms && self.same_name(&old.emits, &new.emits)
        });
        for (name, new_name) in &found.renamed {
            self.push(Kind::PollRenamed, ALL, spot(name), spot(new_name), ["", new_name]);
        }
        for name in &found.removed {
            self.push(Kind::PollRemoved, ALL, spot(name), None, ["", ""]);
        }
        for name in &found.added {
            self.push(Kind::PollAdded, ALL, None, spot(name), ["", ""]);
        }
        for (name, old) in old {
            let Some(new) = new.get(name) else { continue };
            if !self.same_name(&old.emits, &new.emits) {
                self.push(Kind::PollEmitsChanged, ALL, spot(name), spot(name), [&old.emits, &new.emits]);
            }
            if old.every_ms != new.every_ms {
                let texts = [time_text(old.every_ms), time_text(new.every_ms)];
                self.push(Kind::PollEveryChanged, ALL, spot(name), spot(name), [&texts[0], &texts[1]]);
            }
        }
    }

    fn settings(&mut self) {
        let (old, new) = (&self.old.provider.settings, &self.new.provider.settings);
        let spot = |name: &str| Some(Spot::Setting(name.to_owned()));
        let found = matched(old, new, |(_, old), (_, new)| {
            old.default == new.default && old.variants == new.variants && self.alike(&old.ty, &new.ty)
        });
        for (name, new_name) in &found.renamed {
            self.push(Kind::FieldRenamed, GIVEN, spot(name), spot(new_name), ["", new_name]);
        }
        for name in &found.removed {
            self.push(Kind::FieldRemoved, GIVEN, spot(name), None, ["", ""]);
        }
        for name in &found.added {
            let required = is_required(&new[*name], &values(self.new, &new[*name]));
            let kind = if required { Kind::FieldAddedRequired } else { Kind::FieldAddedOptional };
            self.push(kind, GIVEN, None, spot(name), ["", ""]);
        }
        for (name, old) in old {
            if let Some(new) = new.get(name).filter(|new| *new != old) {
                self.setting(name, old, new);
            }
        }
    }

    fn setting(&mut self, name: &str, old: &Setting, new: &Setting) {
        let spot = || Some(Spot::Setting(name.to_owned()));
        let texts = [text(old), text(new)];
        let texts = [&*texts[0], &*texts[1]];
        let (was, is) = (values(self.old, old), values(self.new, new));
        let mut found = Found::default();
        match (&was.bare, &is.bare) {
            // A public type of both sides is reported at the type.
            (Shape::Name(old, _), Shape::Name(new, _))
                if was.variants.is_some() && is.variants.is_some() && !self.same_name(old, new)
                    || old == "Enum" && new == "Enum" =>
            {
                let (Some(before), Some(after)) = (was.variants, is.variants) else { return };
                let at = |_: &str| Spot::Setting(name.to_owned());
                self.variants(&at, before, after, GIVEN);
            }
            (old, new) => self.compare(old, new, &mut found),
        }
        if found.other {
            return self.push(Kind::TypeChanged, GIVEN, spot(), spot(), texts);
        }
        match (is_required(old, &was), is_required(new, &is)) {
            (true, false) => self.push(Kind::PresenceLoosened, GIVEN, spot(), spot(), texts),
            (false, true) => self.push(Kind::PresenceTightened, GIVEN, spot(), spot(), texts),
            (false, false) if old.default != new.default => {
                let value = |setting: &Setting| {
                    setting.default.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
                };
                self.push(Kind::DefaultChanged, GIVEN, spot(), spot(), [&value(old), &value(new)]);
            }
            _ => {}
        }
        let kind = match (found.rules.looser, found.rules.tighter) {
            (true, true) => Kind::ConstraintChanged,
            (true, false) => Kind::ConstraintLoosened,
            (false, true) => Kind::ConstraintTightened,
            (false, false) => return,
        };
        self.push(kind, GIVEN, spot(), spot(), texts);
    }
}

/// Whether a connection must give it.
fn is_required(setting: &Setting, values: &Values<'_>) -> bool {
    setting.default.is_none() && !values.nullable
}

/// A setting as one would write it.
fn text(setting: &Setting) -> String {
    let default = setting.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
    format!("{}{default}", setting.ty)
}

/// The most names in a row that are followed.
const NAMES_MAX: usize = 64;

/// A setting's values, its public newtypes and aliases followed. A public Enum keeps its name.
fn values<'s>(surface: &'s Surface, setting: &'s Setting) -> Values<'s> {
    let mut values =
        Values { nullable: false, bare: setting.ty.clone(), variants: setting.variants.as_ref() };
    for _ in 0..NAMES_MAX {
        let next = match &values.bare {
            Shape::Nullable(inner) => {
                values.nullable = true;
                (**inner).clone()
            }
            Shape::Name(name, _) => match surface.types.get(name) {
                Some(TypeEntry::Alias { of, .. } | TypeEntry::Newtype { of }) => of.clone(),
                Some(TypeEntry::Enum(variants)) => {
                    values.variants = Some(variants);
                    break;
                }
                _ => break,
            },
            _ => break,
        };
        values.bare = next;
    }
    values
}

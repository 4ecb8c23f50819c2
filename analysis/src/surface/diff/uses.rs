//! A type where it is used: whether it may be missing, what it is, and what constrains it, through lists and maps.

use std::cmp::Ordering;

use super::{Differ, Travel};
use crate::decimal::Decimal;
use crate::surface::entry::{Surface, TypeEntry};
use crate::surface::shape::{Key, Rules, Shape};
use crate::surface::spot::Spot;
use crate::surface::table::Kind;

/// How many names in a row are followed.
const NAMES_MAX: usize = 64;

/// Which way a set of values moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub looser: bool,
    pub tighter: bool,
}

impl Moved {
    fn note(&mut self, order: Ordering) {
        match order {
            Ordering::Less => self.tighter = true,
            Ordering::Equal => {}
            Ordering::Greater => self.looser = true,
        }
    }
}

/// What was found in two types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// They have nothing to do with each other.
    pub other: bool,
    /// Where there may be none, inside.
    pub none: Moved,
    /// Constraints.
    pub rules: Moved,
    /// How many names were followed.
    followed: usize,
}

impl Differ<'_> {
    /// Compares a type with what it has become; each with whether it may be missing.
    pub(super) fn used(
        &mut self,
        (old_spot, new_spot): (Spot, Spot),
        (old, old_optional): (&Shape, bool),
        (new, new_optional): (&Shape, bool),
        travel: Travel,
    ) {
        let written =
            |shape: &Shape, optional: bool| format!("{shape}{}", if optional { " optional" } else { "" });
        let texts = [&*written(old, old_optional), &*written(new, new_optional)];
        let ((old_null, old), (new_null, new)) = match (old, new) {
            // What a name of both sides stands for is reported at that name.
            (Shape::Name(one, _), Shape::Name(other, _)) if self.same_name(one, other) => {
                ((false, old), (false, new))
            }
            _ => (bare(self.old, old), bare(self.new, new)),
        };
        let mut found = Found::default();
        self.compare(old, new, &mut found);
        let level = |optional: bool, null: bool| u8::from(optional) + u8::from(null);
        found.none.note(level(new_optional, new_null).cmp(&level(old_optional, old_null)));
        let mut push = |kind| self.push(kind, travel, Some(old_spot.clone()), Some(new_spot.clone()), texts);
        if found.other || found.none.looser && found.none.tighter {
            return push(Kind::TypeChanged);
        }
        if found.none.looser {
            push(Kind::PresenceLoosened);
        } else if found.none.tighter {
            push(Kind::PresenceTightened);
        } else if old_optional != new_optional {
            push(Kind::PresenceSwapped);
        }
        match found.rules {
            Moved { looser: true, tighter: true } => push(Kind::ConstraintChanged),
            Moved { looser: true, .. } => push(Kind::ConstraintLoosened),
            Moved { tighter: true, .. } => push(Kind::ConstraintTightened),
            Moved { .. } => {}
        }
    }

    /// Compares two types as far as their names are only names.
    pub(super) fn compare(&self, old: &Shape, new: &Shape, found: &mut Found) {
        match (old, new) {
            (Shape::Name(old, rules), Shape::Name(new, new_rules)) if self.same_name(old, new) => {
                constraints(rules, new_rules, &mut found.rules);
            }
            (Shape::List(old, rules), Shape::List(new, new_rules)) => {
                constraints(rules, new_rules, &mut found.rules);
                self.compare(old, new, found);
            }
            (Shape::Map(key, value), Shape::Map(new_key, new_value)) => {
                self.compare(key, new_key, found);
                self.compare(value, new_value, found);
            }
            (Shape::Nullable(old), Shape::Nullable(new)) => self.compare(old, new, found),
            _ => self.compare_behind_names(old, new, found),
        }
    }

    fn compare_behind_names(&self, old: &Shape, new: &Shape, found: &mut Found) {
        let (old_target, new_target) = (alias(self.old, old), alias(self.new, new));
        if old_target.is_some() || new_target.is_some() {
            found.followed += 1;
            if found.followed > NAMES_MAX {
                found.other = true;
                return;
            }
            return self.compare(old_target.unwrap_or(old), new_target.unwrap_or(new), found);
        }
        match (old, new) {
            (Shape::Nullable(old), new) => {
                found.none.tighter = true;
                self.compare(old, new, found);
            }
            (old, Shape::Nullable(new)) => {
                found.none.looser = true;
                self.compare(old, new, found);
            }
            _ => found.other = true,
        }
    }
}

/// What an alias stands for; `None` for any other type.
fn alias<'s>(surface: &'s Surface, shape: &Shape) -> Option<&'s Shape> {
    let Shape::Name(name, _) = shape else { return None };
    match surface.types.get(name)? {
        TypeEntry::Alias { of, recursive: false } => Some(of),
        _ => None,
    }
}

/// Whether there may be none, and the type otherwise, aliases of the whole followed.
fn bare<'s>(surface: &'s Surface, shape: &'s Shape) -> (bool, &'s Shape) {
    let mut shape = shape;
    let mut nullable = false;
    for _ in 0..NAMES_MAX {
        if let Shape::Nullable(inner) = shape {
            nullable = true;
            shape = inner;
        } else if let Some(target) = alias(surface, shape) {
            shape = target;
        } else {
            break;
        }
    }
    (nullable, shape)
}

/// Whether a value of a type may be none.
pub(super) fn is_nullable(surface: &Surface, shape: &Shape) -> bool {
    bare(surface, shape).0
}

/// Which way constraints moved.
pub(super) fn constraints(old: &Rules, new: &Rules, moved: &mut Moved) {
    let find =
        |rules: &Rules, key: Key| rules.iter().find(|rule| rule.key == key).map(|rule| rule.value.clone());
    for key in Key::ALL {
        match (find(old, key), find(new, key)) {
            (None, Some(_)) => moved.tighter = true,
            (Some(_), None) => moved.looser = true,
            (Some(old), Some(new)) if old != new => match (key, Decimal::parse(&old), Decimal::parse(&new)) {
                (Key::MinLength | Key::Min | Key::MinItems, Some(old), Some(new)) => {
                    moved.note(old.cmp(&new));
                }
                (Key::MaxLength | Key::Max | Key::MaxItems, Some(old), Some(new)) => {
                    moved.note(new.cmp(&old));
                }
                // Which texts another pattern takes can't be told.
                _ => *moved = Moved { looser: true, tighter: true },
            },
            _ => {}
        }
    }
}

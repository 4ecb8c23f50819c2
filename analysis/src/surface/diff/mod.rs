//! What changed between two surfaces, each edit once, and what it means for the apps that use the package.

mod matched;
mod objects;
mod provider;
mod uses;
mod variants;

use std::collections::BTreeMap;

use super::entry::{Operation, Surface, TypeEntry};
use super::shape::Shape;
use super::spot::Spot;
use super::table::{Class, Kind};
use super::travel::{READ, Travel, Travels, WRITTEN};
use matched::{Matched, matched};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its kind, the row of the table.
    pub kind: Kind,
    /// What it means for apps.
    pub class: Class,
    /// The ways that the values concerned travel; none for what isn't about values.
    pub travel: Travel,
    /// Where it was, unless it wasn't.
    pub old: Option<Spot>,
    /// Where it is, unless it isn't.
    pub new: Option<Spot>,
    /// One sentence.
    pub says: String,
}

impl Change {
    /// The ways that the values concerned travel, in words; none for what isn't about values.
    pub fn travels(&self) -> Vec<&'static str> {
        match self.old.as_ref().or(self.new.as_ref()) {
            Some(
                Spot::Setting(_)
                | Spot::Field { .. }
                | Spot::Variant { .. }
                | Spot::Input(_)
                | Spot::Output(_),
            ) => self.travel.words(),
            Some(Spot::Type(_)) if self.kind != Kind::TypeAdded => self.travel.words(),
            _ => Vec::new(),
        }
    }
}

impl Change {
    /// What of the app's Rust the compiler then refuses, whatever becomes of values; empty for nothing.
    pub fn rust(&self) -> &'static str {
        match self.old.as_ref().or(self.new.as_ref()) {
            // Settings stand in manifests and environments alone.
            Some(Spot::Setting(_)) => "",
            _ => self.kind.row().rust,
        }
    }
}

/// What changed from `old` to `new`: in the provider, then in operations, then in types, by name.
pub fn diff(old: &Surface, new: &Surface) -> Vec<Change> {
    let mut differ =
        Differ { old, new, travels: Travels::of(old), renamed: BTreeMap::new(), changes: Vec::new() };
    if old == new {
        return differ.changes;
    }
    let types = differ.matched_types();
    if old.package != new.package {
        let spot = |name: &String| Some(Spot::Package(name.clone()));
        differ.push(Kind::PackageRenamed, ALL, spot(&old.package), spot(&new.package), ["", &new.package]);
    }
    differ.provider();
    differ.operations();
    differ.types(&types);
    differ.changes
}

/// For what isn't about values every way counts, and all mean the same.
const ALL: Travel = WRITTEN;

pub(super) struct Differ<'s> {
    old: &'s Surface,
    new: &'s Surface,
    /// How the values of the old types travel: who uses the package uses it so.
    travels: Travels<'s>,
    /// The types whose names alone changed, by their old names.
    renamed: BTreeMap<&'s str, &'s str>,
    changes: Vec<Change>,
}

impl<'s> Differ<'s> {
    /// Notes a change of this kind, unless it means nothing on the ways that the values travel.
    fn push(
        &mut self,
        kind: Kind,
        travel: Travel,
        old: Option<Spot>,
        new: Option<Spot>,
        [was, is]: [&str; 2],
    ) {
        let Some(class) = kind.row().means.of(travel) else { return };
        let it = old.as_ref().or(new.as_ref()).map(Spot::to_string).unwrap_or_default();
        let says = kind.row().says.replace("{it}", &it);
        let says = fill(&says, was, is);
        self.changes.push(Change { kind, class, travel, old, new, says });
    }

    /// Whether an old type is called so now.
    fn same_name(&self, old: &str, new: &str) -> bool {
        let is_same = match self.renamed.get(old) {
            Some(renamed) => *renamed == new,
            None => old == new,
        };
        // What the name that both surfaces have stands for is reported there.
        is_same || self.new.stands_for(old, new) || self.old.stands_for(new, old)
    }

    /// Whether two types are written alike, but for names that changed.
    fn alike(&self, old: &Shape, new: &Shape) -> bool {
        match (old, new) {
            (Shape::Name(old, rules), Shape::Name(new, new_rules)) => {
                rules == new_rules && self.same_name(old, new)
            }
            (Shape::List(old, rules), Shape::List(new, new_rules)) => {
                rules == new_rules && self.alike(old, new)
            }
            (Shape::Map(key, value), Shape::Map(new_key, new_value)) => {
                self.alike(key, new_key) && self.alike(value, new_value)
            }
            (Shape::Nullable(old), Shape::Nullable(new)) => self.alike(old, new),
            _ => false,
        }
    }

    /// Which types are gone, which are new and which only have another name. Names within names come with further rounds.
    fn matched_types(&mut self) -> Matched<'s> {
        let mut rounds = 0..self.old.types.len();
        loop {
            let found = matched(&self.old.types, &self.new.types, |(name, entry), (new_name, new_entry)| {
                self.entries_alike(name, entry, new_name, new_entry)
            });
            let is_last = found.renamed.len() == self.renamed.len();
            self.renamed = found.renamed.iter().copied().collect();
            // Surfaces that name what they don't hold could go on forever, one name undoing another.
            if is_last || rounds.next().is_none() {
                return found;
            }
        }
    }

    fn entries_alike(&self, name: &str, old: &TypeEntry, new_name: &str, new: &TypeEntry) -> bool {
        let alike = |old: &Shape, new: &Shape| {
            self.alike(old, new) || *old == Shape::name(name) && *new == Shape::name(new_name) || {
                // A type that holds itself holds its own new name.
                let mut names = Vec::new();
                old.names(&mut names);
                names.contains(&name) && old.renamed(name, new_name) == *new
            }
        };
        match (old, new) {
            (TypeEntry::Object { fields }, TypeEntry::Object { fields: other })
            | (TypeEntry::Event { fields }, TypeEntry::Event { fields: other }) => {
                fields.len() == other.len()
                    && fields.iter().zip(other).all(|((name, one), (other_name, other))| {
                        name == other_name && one.optional == other.optional && alike(&one.ty, &other.ty)
                    })
            }
            (TypeEntry::Enum(one), TypeEntry::Enum(other)) => one == other,
            (TypeEntry::Newtype { of }, TypeEntry::Newtype { of: other }) => alike(of, other),
            (
                TypeEntry::Alias { of, recursive },
                TypeEntry::Alias { of: other, recursive: other_recursive },
            ) => recursive == other_recursive && alike(of, other),
            _ => false,
        }
    }

    fn operations(&mut self) {
        let (old, new) = (&self.old.operations, &self.new.operations);
        let alike = |old: &Operation, new: &Operation| {
            let shapes = |one: &Option<Shape>, other: &Option<Shape>| match (one, other) {
                (Some(one), Some(other)) => self.alike(one, other),
                (None, None) => true,
                _ => false,
            };
            old.decode == new.decode && shapes(&old.input, &new.input) && shapes(&old.output, &new.output)
        };
        let found = matched(old, new, |(_, old), (_, new)| alike(old, new));
        let spot = |name: &str| Some(Spot::Operation(name.to_owned()));
        for (name, new_name) in &found.renamed {
            self.push(Kind::OperationRenamed, ALL, spot(name), spot(new_name), ["", new_name]);
        }
        for name in &found.removed {
            self.push(Kind::OperationRemoved, ALL, spot(name), None, ["", ""]);
        }
        for name in &found.added {
            self.push(Kind::OperationAdded, ALL, None, spot(name), ["", ""]);
        }
        for (name, old) in old {
            if let Some(new) = new.get(name).filter(|new| *new != old) {
                self.operation(name, old, new);
            }
        }
    }

    fn operation(&mut self, name: &str, old: &Operation, new: &Operation) {
        let spot = || Some(Spot::Decode(name.to_owned()));
        if old.decode != new.decode {
            if let Some(decode) = &old.decode {
                self.push(
                    Kind::DecodeRemoved,
                    ALL,
                    spot(),
                    new.decode.as_ref().and_then(|_| spot()),
                    [decode, ""],
                );
            }
            if let Some(decode) = &new.decode {
                self.push(
                    Kind::DecodeAdded,
                    ALL,
                    old.decode.as_ref().and_then(|_| spot()),
                    spot(),
                    ["", decode],
                );
            }
        }
        let output = if old.decode.is_some() { READ | WRITTEN } else { READ };
        self.part(Spot::Input(name.to_owned()), [old.input.as_ref(), new.input.as_ref()], WRITTEN);
        self.part(Spot::Output(name.to_owned()), [old.output.as_ref(), new.output.as_ref()], output);
    }

    /// The input or the output of an operation.
    fn part(&mut self, spot: Spot, [old, new]: [Option<&Shape>; 2], travel: Travel) {
        let text = |shape: Option<&Shape>| shape.map_or_else(|| "nothing".to_owned(), Shape::to_string);
        match (old, new) {
            (None, None) => {}
            (Some(old), Some(new)) => {
                let at = (spot.clone(), spot);
                self.used(at, (old, false), (new, false), travel);
            }
            _ => {
                let there = |shape: Option<&Shape>| shape.map(|_| spot.clone());
                self.push(Kind::TypeChanged, travel, there(old), there(new), [&text(old), &text(new)]);
            }
        }
    }

    fn types(&mut self, found: &Matched<'s>) {
        let spot = |name: &str| Some(Spot::Type(name.to_owned()));
        for (name, new_name) in &found.renamed {
            self.push(
                Kind::TypeRenamed,
                self.travels.of_type(name),
                spot(name),
                spot(new_name),
                ["", new_name],
            );
        }
        for name in &found.removed {
            self.push(Kind::TypeRemoved, self.travels.of_type(name), spot(name), None, ["", ""]);
        }
        for name in &found.added {
            self.push(Kind::TypeAdded, ALL, None, spot(name), ["", ""]);
        }
        let (old, new) = (self.old, self.new);
        for (name, old) in &old.types {
            if let Some(new) = new.types.get(name).filter(|new| *new != old) {
                self.type_entry(name, old, new);
            }
        }
    }

    fn type_entry(&mut self, name: &str, old: &'s TypeEntry, new: &'s TypeEntry) {
        let travel = self.travels.of_type(name);
        let spot = || Spot::Type(name.to_owned());
        // A type in place of another name for it is the same to apps, and the other way round. An event is known by its
        // own name.
        if !(matches!(old, TypeEntry::Alias { .. }) && matches!(new, TypeEntry::Alias { .. })) {
            let bare = (self.old.behind(old), self.new.behind(new));
            if bare != (old, new) && !matches!(bare.0, TypeEntry::Event { .. }) && bare.0.is_like(bare.1) {
                return self.type_entry(name, bare.0, bare.1);
            }
        }
        if let (Some(fields), Some(new_fields)) = (old.fields(), new.fields()) {
            match (old, new) {
                (TypeEntry::Object { .. }, TypeEntry::Event { .. }) => {
                    self.push(Kind::EventGained, travel, Some(spot()), Some(spot()), ["", ""]);
                }
                (TypeEntry::Event { .. }, TypeEntry::Object { .. }) => {
                    self.push(Kind::EventLost, travel, Some(spot()), Some(spot()), ["", ""]);
                }
                _ => {}
            }
            return self.fields(name, fields, new_fields, travel);
        }
        match (old, new) {
            (TypeEntry::Enum(old), TypeEntry::Enum(new)) => {
                let at = |variant: &str| Spot::Variant { of: name.to_owned(), name: variant.to_owned() };
                self.variants(&at, old, new, travel);
            }
            (TypeEntry::Newtype { of }, TypeEntry::Newtype { of: new })
            | (TypeEntry::Alias { of, recursive: false }, TypeEntry::Alias { of: new, recursive: false })
            | (TypeEntry::Alias { of, recursive: true }, TypeEntry::Alias { of: new, recursive: true }) => {
                self.used((spot(), spot()), (of, false), (new, false), travel);
            }
            _ => {
                let texts = [what(old), what(new)];
                self.push(Kind::TypeChanged, travel, Some(spot()), Some(spot()), [&texts[0], &texts[1]]);
            }
        }
    }
}

/// What a type is, in a few words.
fn what(entry: &TypeEntry) -> String {
    match entry {
        TypeEntry::Object { .. } => "Object".to_owned(),
        TypeEntry::Event { .. } => "Event".to_owned(),
        TypeEntry::Enum(_) => "Enum".to_owned(),
        TypeEntry::Newtype { of } => format!("a type of its own over {of}"),
        TypeEntry::Alias { of, .. } => of.to_string(),
    }
}

/// A sentence with `{old}` and `{new}` filled in, once, so that what stands for one is never read for the other.
fn fill(says: &str, old: &str, new: &str) -> String {
    let fill_old = |part: &str| part.split("{old}").collect::<Vec<_>>().join(old);
    says.split("{new}").map(fill_old).collect::<Vec<_>>().join(new)
}

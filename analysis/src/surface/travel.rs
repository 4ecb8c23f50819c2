//! Which way the values of each public type travel between a package and the apps that use it.

use std::collections::{BTreeSet, HashMap};
use std::ops::BitOr;

use super::entry::{Surface, TypeEntry};
use super::shape::Shape;

/// The ways that values travel, together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Travel(u8);

/// Apps read them: outputs and events.
pub const READ: Travel = Travel(1);
/// Apps write them: inputs, and what they decode themselves.
pub const WRITTEN: Travel = Travel(2);
/// Stores keep them: events.
pub const KEPT: Travel = Travel(4);
/// Apps give them when they connect, in a manifest or an environment: settings.
pub const GIVEN: Travel = Travel(8);

impl Travel {
    /// Whether they travel this way, among others.
    pub fn goes(self, way: Self) -> bool {
        self.0 & way.0 != 0
    }

    /// The ways, in words.
    pub fn words(self) -> Vec<&'static str> {
        let ways = [(READ, "read"), (WRITTEN, "written"), (KEPT, "kept"), (GIVEN, "given")];
        ways.into_iter().filter(|(way, _)| self.goes(*way)).map(|(_, word)| word).collect()
    }
}

impl BitOr for Travel {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What brings values of a type to apps, or from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root<'s> {
    /// This operation.
    Operation(&'s str),
    /// This event.
    Event(&'s str),
    /// This setting.
    Setting(&'s str),
}

/// The ways of all public types of a surface.
pub struct Travels<'s> {
    of: HashMap<&'s str, Travel>,
    surface: &'s Surface,
}

impl<'s> Travels<'s> {
    /// The ways of the types of `surface`.
    pub fn of(surface: &'s Surface) -> Self {
        let mut travels = Self { of: HashMap::with_capacity(surface.types.len()), surface };
        for operation in surface.operations.values() {
            let output = if operation.decode.is_some() { READ | WRITTEN } else { READ };
            travels.spread_shape(operation.input.as_ref(), WRITTEN);
            travels.spread_shape(operation.output.as_ref(), output);
        }
        for (name, entry) in &surface.types {
            if matches!(entry, TypeEntry::Event { .. }) {
                travels.spread(name, READ | KEPT);
            }
        }
        for setting in surface.provider.settings.values() {
            travels.spread_shape(Some(&setting.ty), GIVEN);
        }
        travels
    }

    /// The ways of a type. One that nothing brings may be built and taken apart by whoever likes to.
    pub fn of_type(&self, name: &str) -> Travel {
        self.of.get(name).copied().unwrap_or(READ | WRITTEN)
    }

    fn spread_shape(&mut self, shape: Option<&'s Shape>, way: Travel) {
        let mut names = Vec::new();
        if let Some(shape) = shape {
            shape.names(&mut names);
        }
        for name in names {
            self.spread(name, way);
        }
    }

    fn spread(&mut self, name: &'s str, way: Travel) {
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            let Some(entry) = self.surface.types.get(name) else { continue };
            let known = self.of.entry(name).or_default();
            if *known | way == *known {
                continue;
            }
            *known = *known | way;
            entry.shapes().into_iter().for_each(|shape| shape.names(&mut waiting));
        }
    }
}

/// What brings each type of a surface to apps, or from them.
pub fn roots(surface: &Surface) -> HashMap<&str, Vec<Root<'_>>> {
    let mut roots: HashMap<&str, Vec<Root<'_>>> = HashMap::new();
    let mut reach = |root, names: Vec<_>| {
        for name in reached(surface, names) {
            roots.entry(name).or_default().push(root);
        }
    };
    for (name, operation) in &surface.operations {
        let mut names = Vec::new();
        operation.input.iter().chain(&operation.output).for_each(|shape| shape.names(&mut names));
        reach(Root::Operation(name), names);
    }
    for (name, entry) in &surface.types {
        if matches!(entry, TypeEntry::Event { .. }) {
            reach(Root::Event(name), vec![name]);
        }
    }
    for (name, setting) in &surface.provider.settings {
        let mut names = Vec::new();
        setting.ty.names(&mut names);
        reach(Root::Setting(name), names);
    }
    roots
}

/// The types of a surface that those of these names reach, themselves included.
pub fn reached<'s>(surface: &'s Surface, mut waiting: Vec<&'s str>) -> BTreeSet<&'s str> {
    let mut reached = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if let Some(entry) = surface.types.get(name)
            && reached.insert(name)
        {
            entry.shapes().into_iter().for_each(|shape| shape.names(&mut waiting));
        }
    }
    reached
}

//! What the declared types of a namespace hold of each other: cycles, boxes, what is read-only, what is exposed.
//!
//! A package's types name only its own, so each namespace is a graph of its own; an app's types lead out of theirs and
//! never back. It is built from names alone: an edit of a field's name, its constraints or its documentation never
//! reaches it.

use std::collections::HashMap;

use jadpo_syntax::tree::Keyword;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::db::Db;
use crate::graph::{self, Edges};
use crate::inputs::{Scope, ScopeKind};
use crate::items::{DeclSrc, Name};
use crate::model::{Type, TypeRef};
use crate::names;
use crate::resolve;
use crate::signature::{TypeSignature, operation_signature, type_signature};

/// How many types of a cycle are kept to be named.
const CYCLE_SHOWN_MAX: usize = 8;

/// What the graph says of one type.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct TypeFacts<'db> {
    /// The cycles of infinite size that one of its fields closes.
    pub cycles: Vec<Cycle<'db>>,
    /// Where the type has no `public`: what public declaration holds or names it.
    pub exposed_by: Option<DeclSrc<'db>>,
    /// Why its values can't be written: itself, for a field with `at`, or the type within that has one.
    pub read_only: Option<DeclSrc<'db>>,
}

/// A cycle of types that hold each other without end.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Cycle<'db> {
    /// Which field closes it; 0 for an alias.
    pub field: u32,
    /// The types from the one that the field names to the field's own; of a long cycle the first and the last.
    pub types: Vec<DeclSrc<'db>>,
    /// How many types of the cycle are left out before the last.
    pub left_out: usize,
}

/// The graph of a namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct TypeGraph<'db> {
    facts: FxHashMap<DeclSrc<'db>, TypeFacts<'db>>,
    /// The group of each type whose values would stand inside themselves in Rust.
    inline_groups: FxHashMap<DeclSrc<'db>, u32>,
    /// The group of each alias that reaches itself through aliases alone.
    alias_groups: FxHashMap<DeclSrc<'db>, u32>,
}

/// The types that a type names.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct Links<'db> {
    all: Vec<Link<'db>>,
    /// The types of packages that an app's type names.
    foreign: Vec<TypeRef>,
    has_at: bool,
    is_alias: bool,
    is_newtype: bool,
}

/// A type named in a field, an alias or a newtype.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Link<'db> {
    to: Name<'db>,
    field: u32,
    holds: Holds,
}

/// How the values of one type hold those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// Always one.
    Required,
    /// One or none, in place.
    Inline,
    /// Behind a list or a map.
    Apart,
}

/// What the graph says of a type. Who asks depends on this one answer.
#[salsa::tracked]
pub fn type_facts<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> TypeFacts<'db> {
    type_graph(db, decl.scope(db)).facts.get(&decl).cloned().unwrap_or_default()
}

impl<'db> TypeGraph<'db> {
    /// Whether Rust must box a value of `inner` in place inside one of `outer`.
    pub fn boxes(&self, outer: DeclSrc<'db>, inner: DeclSrc<'db>) -> bool {
        let group = |decl| self.inline_groups.get(&decl);
        group(outer).is_some() && group(outer) == group(inner)
    }

    /// Whether an alias reaches itself through aliases alone.
    pub fn is_recursive_alias(&self, alias: DeclSrc<'db>) -> bool {
        self.alias_groups.contains_key(&alias)
    }
}

#[salsa::tracked]
fn links<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Links<'db> {
    let signature = type_signature(db, decl);
    let mut links = Links {
        is_alias: matches!(signature, TypeSignature::Alias(_)),
        is_newtype: matches!(signature, TypeSignature::Newtype(_)),
        ..Links::default()
    };
    match signature {
        TypeSignature::Object(fields) | TypeSignature::Event { fields, .. } => {
            links.has_at = fields.iter().any(|field| field.at.is_some());
            for (at, field) in fields.iter().enumerate() {
                let holds = if field.optional { Holds::Inline } else { Holds::Required };
                let at = u32::try_from(at).unwrap_or(u32::MAX);
                if let Some(ty) = &field.ty {
                    link(db, ty, at, holds, &mut links);
                }
            }
        }
        TypeSignature::Alias(target) | TypeSignature::Newtype(target) => {
            if let Some(ty) = target {
                link(db, ty, 0, Holds::Required, &mut links);
            }
        }
        TypeSignature::Enum(_) | TypeSignature::Missing => {}
    }
    links
}

fn link<'db>(db: &'db dyn Db, ty: &Type, field: u32, holds: Holds, links: &mut Links<'db>) {
    match ty {
        Type::Named(named) if named.package.is_none() => {
            links.all.push(Link { to: Name::new(db, &*named.name), field, holds });
        }
        Type::Named(named) => links.foreign.push(named.clone()),
        Type::Nullable(inner) if holds == Holds::Required => link(db, inner, field, Holds::Inline, links),
        Type::Nullable(inner) => link(db, inner, field, holds, links),
        Type::List(item, _) => link(db, item, field, Holds::Apart, links),
        Type::Map(key, value) => {
            link(db, key, field, Holds::Apart, links);
            link(db, value, field, Holds::Apart, links);
        }
        _ => {}
    }
}

/// The graph of a namespace.
#[salsa::tracked]
pub fn type_graph(db: &dyn Db, scope: Scope) -> TypeGraph<'_> {
    Builder::new(db, scope).build()
}

struct Builder<'db> {
    db: &'db dyn Db,
    scope: Scope,
    /// In the order of files; of a name declared twice the first.
    types: Vec<DeclSrc<'db>>,
    numbers: FxHashMap<Name<'db>, u32>,
    links: Vec<&'db Links<'db>>,
    /// Which type each link of each leads to; `None` where none is declared.
    targets: Vec<Vec<Option<u32>>>,
}

impl<'db> Builder<'db> {
    fn new(db: &'db dyn Db, scope: Scope) -> Self {
        let (types, links, targets) = (Vec::new(), Vec::new(), Vec::new());
        let numbers = HashMap::with_capacity_and_hasher(names::count(db, scope), FxBuildHasher);
        let mut builder = Self { db, scope, types, numbers, links, targets };
        for decl in names::declared(db, scope, Keyword::Type) {
            let Some(name) = decl.name(db) else { continue };
            let number = u32::try_from(builder.types.len()).unwrap_or(u32::MAX);
            if *builder.numbers.entry(name).or_insert(number) == number {
                builder.types.push(decl);
                builder.links.push(self::links(db, decl));
            }
        }
        let target = |link: &Link<'db>| builder.numbers.get(&link.to).copied();
        let targets = builder.links.iter().map(|from| from.all.iter().map(target).collect());
        builder.targets = targets.collect();
        builder
    }

    fn build(self) -> TypeGraph<'db> {
        let mut graph = TypeGraph::default();
        self.cycles(&mut graph);
        self.read_only(&mut graph);
        self.exposed(&mut graph);
        graph.inline_groups = self.groups(|_, _, holds| holds != Holds::Apart);
        graph.alias_groups = self.groups(|from, to, _| from.is_alias && to.is_alias);
        graph
    }

    /// The links that lead to a declared type, as edges between numbers, and the field of each.
    fn edges(&self, wanted: impl Fn(&Links<'db>, &Links<'db>, Holds) -> bool) -> (Edges, Vec<Vec<u32>>) {
        let mut fields = Vec::with_capacity(self.links.len());
        let edges = self.links.iter().zip(&self.targets).map(|(from, targets)| {
            let known = from.all.iter().zip(targets).filter_map(|(link, to)| Some((link, (*to)?)));
            let kept = known.filter(|(link, to)| wanted(from, self.links[*to as usize], link.holds));
            let (to, field): (Vec<_>, Vec<_>) = kept.map(|(link, to)| (to, link.field)).unzip();
            fields.push(field);
            to
        });
        let edges = edges.collect();
        (edges, fields)
    }

    fn cycles(&self, graph: &mut TypeGraph<'db>) {
        // A name that stands for itself or nothing, as in `type A = A?`, has no meaning that could be written down, and
        // a block without constraints, as in `type A = A? { }`, adds none.
        let is_name = |links: &Links<'db>| links.is_alias || links.is_newtype;
        let (edges, fields) = self.edges(|from, to, holds| match holds {
            Holds::Required => true,
            Holds::Inline => is_name(from) && is_name(to),
            Holds::Apart => false,
        });
        for closing in graph::closing_edges(&edges) {
            let Some(last) = closing.cycle.last().map(|last| *last as usize) else { continue };
            let left_out = closing.cycle.len().saturating_sub(CYCLE_SHOWN_MAX);
            let shown = closing.cycle.len() - left_out - 1;
            let shown = closing.cycle[..shown].iter().chain(closing.cycle.last());
            let types = shown.map(|number| self.types[*number as usize]).collect();
            let cycle = Cycle { field: fields[last][closing.edge], types, left_out };
            graph.facts.entry(self.types[last]).or_default().cycles.push(cycle);
        }
    }

    /// Marks the types with a field that has `at`, and all that hold one of them.
    fn read_only(&self, graph: &mut TypeGraph<'db>) {
        let of_package =
            |named: &TypeRef| type_facts(self.db, resolve::find(self.db, self.scope, named)?.1).read_only;
        let first = |(decl, links): (&DeclSrc<'db>, &&Links<'db>)| {
            if links.has_at { Some(*decl) } else { links.foreign.iter().find_map(of_package) }
        };
        let mut why: Vec<Option<DeclSrc<'db>>> = self.types.iter().zip(&self.links).map(first).collect();
        let mut waiting: Vec<_> = (0..why.len()).filter(|number| why[*number].is_some()).collect();
        if waiting.is_empty() {
            return;
        }
        let holders = self.reversed();
        while let Some(number) = waiting.pop() {
            for holder in &holders[number] {
                if why[*holder].is_none() {
                    why[*holder] = why[number];
                    waiting.push(*holder);
                }
            }
        }
        for (decl, why) in self.types.iter().zip(why) {
            if why.is_some() {
                graph.facts.entry(*decl).or_default().read_only = why;
            }
        }
    }

    fn reversed(&self) -> Vec<Vec<usize>> {
        let mut holders = vec![Vec::new(); self.types.len()];
        let (edges, _) = self.edges(|_, _, _| true);
        for (from, to) in edges.iter().enumerate() {
            for to in to {
                holders[*to as usize].push(from);
            }
        }
        holders
    }

    /// Marks the private types that public ones and public operations reach, each with what names it.
    fn exposed(&self, graph: &mut TypeGraph<'db>) {
        let db = self.db;
        if self.scope.kind(db) == ScopeKind::App {
            return;
        }
        let (edges, _) = self.edges(|_, _, _| true);
        let is_public: Vec<bool> = self.types.iter().map(|decl| decl.public(db)).collect();
        let mut by: Vec<Option<DeclSrc<'db>>> = vec![None; self.types.len()];
        let mut waiting = Vec::new();
        let mut expose = |to: u32, exposing: DeclSrc<'db>, waiting: &mut Vec<usize>| {
            let to = to as usize;
            if !is_public[to] && by[to].is_none() {
                by[to] = Some(exposing);
                waiting.push(to);
            }
        };
        for operation in names::declared(db, self.scope, Keyword::Operation) {
            if !operation.public(db) {
                continue;
            }
            for name in operation_signature(db, operation).iter().flat_map(|it| it.named_types()) {
                let number = self.numbers.get(&Name::new(db, name));
                if let Some(number) = number {
                    expose(*number, operation, &mut waiting);
                }
            }
        }
        for (number, decl) in self.types.iter().enumerate() {
            if is_public[number] {
                for to in &edges[number] {
                    expose(*to, *decl, &mut waiting);
                }
            }
        }
        while let Some(number) = waiting.pop() {
            for to in &edges[number] {
                expose(*to, self.types[number], &mut waiting);
            }
        }
        for (decl, exposing) in self.types.iter().zip(by) {
            if exposing.is_some() {
                graph.facts.entry(*decl).or_default().exposed_by = exposing;
            }
        }
    }

    fn groups(
        &self,
        wanted: impl Fn(&Links<'db>, &Links<'db>, Holds) -> bool,
    ) -> FxHashMap<DeclSrc<'db>, u32> {
        let (edges, _) = self.edges(wanted);
        // Most namespaces have no alias of an alias.
        if edges.iter().all(Vec::is_empty) {
            return FxHashMap::default();
        }
        let found = graph::components(&edges);
        let cyclic = self.types.iter().zip(&found.of).zip(&found.cyclic).filter(|(_, cyclic)| **cyclic);
        cyclic.map(|((decl, group), _)| (*decl, *group)).collect()
    }
}

//! Names that a package's declarations give without declaring them: what the provider calls its events, and the
//! functions that decode answers.

use jadpo_syntax::tree::Keyword;
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::{DeclSrc, Name};
use crate::names;
use crate::signature::{TypeSignature, operation_signature, type_signature};

/// The first declaration that gives each name.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct First<'db> {
    by_name: FxHashMap<Name<'db>, DeclSrc<'db>>,
}

/// The event that has the `wire_name:` of this one, if it isn't the first that has it.
#[salsa::tracked(returns(copy))]
pub fn same_wire_name<'db>(db: &'db dyn Db, event: DeclSrc<'db>) -> Option<DeclSrc<'db>> {
    let name = wire_name(db, event)?;
    first_events(db, event.scope(db)).other(db, name, event)
}

/// The operation whose answer the function decodes that decodes this one's, if it isn't the first.
#[salsa::tracked(returns(copy))]
pub fn same_decoder<'db>(db: &'db dyn Db, operation: DeclSrc<'db>) -> Option<DeclSrc<'db>> {
    let name = decoder(db, operation)?;
    first_decoded(db, operation.scope(db)).other(db, name, operation)
}

#[salsa::tracked]
fn first_events(db: &dyn Db, scope: Scope) -> First<'_> {
    First::of(db, names::declared(db, scope, Keyword::Type), |decl| wire_name(db, decl))
}

#[salsa::tracked]
fn first_decoded(db: &dyn Db, scope: Scope) -> First<'_> {
    First::of(db, names::declared(db, scope, Keyword::Operation), |decl| decoder(db, decl))
}

fn wire_name<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<&'db str> {
    match type_signature(db, decl) {
        TypeSignature::Event { wire_name, .. } => wire_name.as_deref(),
        _ => None,
    }
}

fn decoder<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<&'db str> {
    operation_signature(db, decl)?.decode.as_deref()
}

impl<'db> First<'db> {
    fn of(
        db: &'db dyn Db,
        decls: impl Iterator<Item = DeclSrc<'db>>,
        name: impl Fn(DeclSrc<'db>) -> Option<&'db str>,
    ) -> Self {
        let mut by_name = FxHashMap::default();
        for decl in decls {
            if let Some(name) = name(decl) {
                by_name.entry(Name::new(db, name)).or_insert(decl);
            }
        }
        Self { by_name }
    }

    fn other(&self, db: &'db dyn Db, name: &str, decl: DeclSrc<'db>) -> Option<DeclSrc<'db>> {
        self.by_name.get(&Name::new(db, name)).copied().filter(|first| *first != decl)
    }
}

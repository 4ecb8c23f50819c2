//! The signature of an action.

use jadpo_syntax::tree::{Value, ValueKind};

use super::{is_broken, type_use};
use crate::db::Db;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Type;
use crate::values;

/// What others need to know of an action. Where it writes: [`crate::event_stores::written_store`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionSignature {
    /// Whether `input:` is given, rightly or not.
    pub has_input: bool,
    /// Whether a mistake that is reported elsewhere may be why something isn't given.
    pub unsure: bool,
    /// The type of `input:`; `None` where it isn't given or means nothing.
    pub input: Option<Type>,
    /// The type of `output:`; `None` where it isn't given or means nothing.
    pub output: Option<Type>,
    /// The app's events that it may emit, as written.
    pub emits: Vec<Box<str>>,
    /// The connections that it may call, as written.
    pub uses: Vec<Box<str>>,
    /// The batches and backfills that it may start, as written.
    pub starts: Vec<Box<str>>,
    /// Whether `store:` is given, rightly or not.
    pub says_store: bool,
    /// The store that it names.
    pub store: Option<Box<str>>,
}

/// The signature of an action; that of an empty one where its block could not be read.
#[salsa::tracked]
pub fn action_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> ActionSignature {
    let Some(fields) = decl.fields(db) else {
        return ActionSignature { unsure: true, ..ActionSignature::default() };
    };
    ActionSignature {
        has_input: fields.entry("input").is_some(),
        unsure: is_broken(db, decl) || fields.has_unknown_key(),
        input: type_of(fields, "input"),
        output: type_of(fields, "output"),
        emits: names_of(fields, "emits"),
        uses: names_of(fields, "uses"),
        starts: names_of(fields, "starts"),
        says_store: fields.entry("store").is_some(),
        store: fields.name("store").map(|store| store.text.clone()),
    }
}

/// The type that a key gives.
pub fn type_of(fields: Fields<'_>, key: &str) -> Option<Type> {
    match &fields.value(key)?.kind {
        ValueKind::Type(expr, block) => type_use::read(expr, block.as_ref()),
        _ => None,
    }
}

/// The names that a key lists.
fn names_of(fields: Fields<'_>, key: &str) -> Vec<Box<str>> {
    let name = |value: &Value| values::bare_name(value).map(|name| name.text.clone());
    fields.elements(key).iter().filter_map(name).collect()
}

//! What of an app uses packages: its subscribers, its actions, and the types that it names.

use crate::db::Db;
use crate::items::DeclSrc;
use crate::model::{Type, TypeRef};
use crate::signature::{TypeSignature, action_signature, subscriber_signature, type_signature};
use crate::values;

/// A subscriber, as far as packages concern it.
pub struct Subscriber<'db> {
    pub name: &'db str,
    pub on: &'db [TypeRef],
    from: Option<&'db [Box<str>]>,
    uses: Vec<&'db str>,
}

/// An action, as far as packages concern it.
pub struct Action<'db> {
    pub name: &'db str,
    /// The types that it takes and answers.
    pub types: Vec<&'db TypeRef>,
    uses: &'db [Box<str>],
}

impl<'db> Subscriber<'db> {
    /// The one that is declared there.
    pub fn of(db: &'db dyn Db, decl: DeclSrc<'db>) -> Self {
        let signature = subscriber_signature(db, decl);
        let uses = decl.fields(db).map(|fields| fields.elements("uses")).unwrap_or_default();
        Self {
            name: decl.name_text(db),
            on: &signature.on,
            from: signature.from.as_deref(),
            uses: uses.iter().filter_map(|value| values::bare_name(value).map(|name| &*name.text)).collect(),
        }
    }

    /// Whether it hears what comes through a connection.
    pub fn takes(&self, connection: &str) -> bool {
        self.from.is_none_or(|from| from.iter().any(|name| &**name == connection))
    }

    /// Whether its code may call through a connection, which may be the origin of what it hears.
    pub fn calls(&self, connection: &str, hears: bool) -> bool {
        self.uses.contains(&connection) || hears && self.uses.contains(&"origin")
    }
}

impl<'db> Action<'db> {
    /// The one that is declared there.
    pub fn of(db: &'db dyn Db, decl: DeclSrc<'db>) -> Self {
        let signature = action_signature(db, decl);
        let mut types = Vec::new();
        signature.input.iter().chain(&signature.output).for_each(|ty| named_in(ty, &mut types));
        Self { name: decl.name_text(db), types, uses: &signature.uses }
    }

    /// Whether its code may call through a connection.
    pub fn calls(&self, connection: &str) -> bool {
        self.uses.iter().any(|name| &**name == connection)
    }
}

/// The types that a type of the app names.
pub fn named_by<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<&'db TypeRef> {
    let mut named = Vec::new();
    match type_signature(db, decl) {
        TypeSignature::Object(fields) | TypeSignature::Event { fields, .. } => {
            let types = fields.iter().filter_map(|field| field.ty.as_ref());
            types.for_each(|ty| named_in(ty, &mut named));
        }
        TypeSignature::Alias(Some(ty)) | TypeSignature::Newtype(Some(ty)) => named_in(ty, &mut named),
        _ => {}
    }
    named
}

fn named_in<'t>(ty: &'t Type, named: &mut Vec<&'t TypeRef>) {
    match ty {
        Type::Named(name) => named.push(name),
        Type::List(inner, _) | Type::Nullable(inner) => named_in(inner, named),
        Type::Map(key, value) => {
            named_in(key, named);
            named_in(value, named);
        }
        _ => {}
    }
}

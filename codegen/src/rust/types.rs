//! Declared types: one Rust type each, with its documentation, and how its values are read and written.

use jadpo_analysis::model::{Field, Project, Type, TypeDef, TypeKind, TypeRef};

use super::docs::{docs, docs_and};
use super::print::{append, indented};
use super::usage::{Place, field_name, rust_type, type_name};
use super::{codec, enums, newtypes};

/// What every declared type can do.
pub const DERIVES: &str = "#[derive(Debug, Clone, PartialEq, Eq, Hash)]";

/// The same for scalars, which can be keys of maps.
pub const DERIVES_ORDERED: &str = "#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]";

/// What one declared type becomes.
#[derive(Default)]
pub struct Items {
    /// What a reader of the module wants to see.
    pub declared: String,
    /// How values are read and written.
    pub codec: String,
}

impl Items {
    /// Appends another type's.
    pub fn extend(&mut self, other: &Items) {
        append(&mut self.declared, &other.declared);
        self.codec.push_str(&other.codec);
    }
}

/// The items of a declared type.
pub fn declare(project: &Project, ty: &TypeRef, declared: &TypeDef) -> Items {
    match &declared.kind {
        TypeKind::Object { fields } | TypeKind::Event { fields, .. } => object(ty, &declared.doc, fields),
        TypeKind::Enum { variants, integers } => enums::declare(ty, &declared.doc, variants, *integers),
        TypeKind::Newtype(inner) => newtypes::declare(project, ty, &declared.doc, inner),
        TypeKind::Alias { target, recursive: false } => alias(ty, &declared.doc, target),
        TypeKind::Alias { target, recursive: true } => recursive_alias(ty, &declared.doc, target),
    }
}

fn object(ty: &TypeRef, doc: &str, fields: &[Field]) -> Items {
    let (name, docs) = (type_name(ty), docs(doc));
    let declared = fields.iter().map(|field| {
        let (docs, name) = (field_docs(field), field_name(&field.name));
        format!("{docs}pub {name}: {},\n", field_type(Place::of(ty), field))
    });
    let declared = indented(&declared.collect::<Vec<_>>().concat());
    let open = if declared.is_empty() { "{" } else { "{\n" };
    Items {
        declared: format!("{docs}{DERIVES}\npub struct {name} {open}{declared}}}\n"),
        codec: codec::object(&name, fields),
    }
}

fn field_docs(field: &Field) -> String {
    match &field.at {
        Some(at) => docs_and(&field.doc, &format!("Read at {at:?}.")),
        None => docs(&field.doc),
    }
}

fn field_type(place: Place<'_>, field: &Field) -> String {
    let ty = rust_type(place, &field.ty, field.boxed);
    if field.optional { format!("::core::option::Option<{ty}>") } else { ty }
}

fn alias(ty: &TypeRef, doc: &str, target: &Type) -> Items {
    let target = rust_type(Place::of(ty), target, false);
    let declared = format!("{}pub type {} = {target};\n", docs(doc), type_name(ty));
    Items { declared, codec: String::new() }
}

/// Rust has no alias of itself, so this one is a struct around what it stands for.
fn recursive_alias(ty: &TypeRef, doc: &str, target: &Type) -> Items {
    let (name, boxed) = (type_name(ty), holds_itself_directly(target));
    let inner = |place| rust_type(place, target, boxed);
    Items {
        declared: format!("{}{DERIVES}\npub struct {name}(pub {});\n", docs(doc), inner(Place::of(ty))),
        codec: codec::newtype(&name, &inner(Place::of_codec(ty)), target, &[]),
    }
}

fn holds_itself_directly(ty: &Type) -> bool {
    match ty {
        Type::Nullable(inner) => holds_itself_directly(inner),
        Type::Named(_) => true,
        _ => false,
    }
}

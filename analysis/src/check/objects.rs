//! Keys that take an Object of the app or of a package: `input:` and `record:`.

use jadpo_syntax::tree::ValueKind;

use super::types::type_use::{self, Place};
use super::{Check, places};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::resolve::{self, Kind};
use crate::signature::{read_type, type_signature, type_text};
use crate::type_graph::type_facts;

/// The Object that a key names, or a report of why it is none.
pub fn named<'db>(cx: &mut Check<'db>, fields: Fields<'_>, key: &str) -> Option<DeclSrc<'db>> {
    let value = fields.value(key)?;
    let ValueKind::Type(expr, block) = &value.kind else { return None };
    type_use::check(cx, expr, block.as_ref(), Place::Value);
    let ty = read_type(expr, block.as_ref())?;
    if let Some(decl) = object(cx.db, cx.scope, &ty) {
        return Some(decl);
    }
    let resolved = resolve::kind(cx.db, cx.scope, &ty).filter(|_| !cx.has_report_in(value.span))?;
    let written = type_text(&ty);
    let what = match &resolved.kind {
        _ if resolved.nullable => ", which may be null".to_owned(),
        kind if matches!(ty, Type::Named(_)) => format!(", which is {}", kind.text()),
        _ => String::new(),
    };
    let declared = match &ty {
        Type::Named(named) => resolve::find(cx.db, cx.scope, named),
        _ => None,
    };
    let declared = declared.map(|(_, decl)| names::name_place(cx.db, decl));
    let message = format!("`{key}` takes an Object, not `{written}`{what}");
    let finding = cx.report(fields.table.codes.value_invalid, value.span, message);
    match declared {
        Some(declared) => finding.related(declared, "declared here"),
        None => finding.help("declare an Object with a field for each value, and name it here"),
    };
    None
}

/// The Object that `input:` names, or a report of why it is none that a caller can give.
pub fn input<'db>(cx: &mut Check<'db>, fields: Fields<'_>) -> Option<DeclSrc<'db>> {
    let decl = named(cx, fields, "input")?;
    let db = cx.db;
    let Some(reads) = type_facts(db, decl).read_only else { return Some(decl) };
    let at = type_signature(db, reads).fields().iter().find(|field| field.at.is_some());
    let place = match at {
        Some(field) => places::field_place(db, reads, &field.name),
        None => names::name_place(db, reads),
    };
    let name = decl.name_text(db);
    let message = if reads == decl {
        format!("`{name}` can only be read, so it is no input")
    } else {
        format!("`{name}` holds `{}`, which can only be read, so it is no input", reads.name_text(db))
    };
    cx.report(fields.table.codes.value_invalid, fields.span("input"), message)
        .related(place, "read by `at`")
        .help("`at` says where a field is read in an answer; nothing says how it would be written");
    Some(decl)
}

/// The Object that a type is, through other names for it.
pub fn object<'db>(db: &'db dyn Db, scope: Scope, ty: &Type) -> Option<DeclSrc<'db>> {
    match resolve::kind(db, scope, ty)? {
        resolve::Resolved { nullable: false, kind: Kind::Object(decl) } => Some(decl),
        _ => None,
    }
}

/// The Object that a type is, as the app refers to it.
pub fn reference(db: &dyn Db, app: Scope, ty: &Type) -> Option<TypeRef> {
    let decl = object(db, app, ty)?;
    let home = decl.scope(db);
    let package = if home == app { None } else { Some(names::owner(db, home)?.name_text(db).to_owned()) };
    Some(TypeRef { package, name: decl.name_text(db).to_owned() })
}

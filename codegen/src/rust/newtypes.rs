//! Types with constraints of their own: whoever has a value of one knows that it keeps them.

use jadpo_analysis::model::{Project, Type, TypeKind, TypeRef};

use super::codec;
use super::docs::{docs, docs_and};
use super::print::{append, indented};
use super::types::{DERIVES, DERIVES_ORDERED, Items};
use super::usage::{Place, rust_type, type_name};
use crate::reach::find;

/// The items of a newtype.
pub fn declare(project: &Project, ty: &TypeRef, doc: &str, inner: &Type) -> Items {
    let (name, rust) = (type_name(ty), rust_type(Place::of(ty), inner, false));
    let constrained = codec::is_constrained(inner);
    let docs = if constrained {
        docs_and(doc, "Its constraints are checked where it is made and where it is read.")
    } else {
        docs(doc)
    };
    let mut methods = if constrained { checked(inner, &rust) } else { unchecked(&rust) };
    append(&mut methods, &get(inner, &rust));
    append(&mut methods, &method("The value within.", &format!("into_inner(self) -> {rust}"), "self.0"));
    let sort = sort(project, inner);
    let derives = if sort == Sort::Other { DERIVES } else { DERIVES_ORDERED };
    let declared =
        format!("{docs}{derives}\npub struct {name}({rust});\n\nimpl {name} {{\n{}}}\n", indented(&methods));
    let rust = rust_type(Place::of_codec(ty), inner, false);
    Items { declared, codec: codec::newtype(&name, &rust, inner, &can(sort, constrained)) }
}

fn method(docs: &str, signature: &str, body: &str) -> String {
    format!("/// {docs}\npub fn {signature} {{\n{}}}\n", indented(body))
}

fn unchecked(rust: &str) -> String {
    method("A value of this type.", &format!("new(value: {rust}) -> Self"), "Self(value)")
}

fn checked(inner: &Type, rust: &str) -> String {
    let (given, value) = match inner {
        Type::Text(_) => (format!("impl ::core::convert::Into<{rust}>"), "let value = value.into();\n"),
        _ => (rust.to_owned(), ""),
    };
    let signature = format!(
        "new(\n    value: {given},\n) -> ::core::result::Result<Self, ::jadpo_runtime::codec::ConstraintError>"
    );
    let body = format!(
        "{value}<Self as ::jadpo_runtime::codec::Constrained>::check(&value)?;\n::core::result::Result::Ok(Self(value))\n"
    );
    method("A value that keeps the constraints, or what was wanted instead.", &signature, &body)
}

fn get(inner: &Type, rust: &str) -> String {
    let (ty, value) = match inner {
        Type::Text(_) => ("&str".to_owned(), "&self.0"),
        _ if is_copy(inner) => (rust.to_owned(), "self.0"),
        _ => (format!("&{rust}"), "&self.0"),
    };
    method("The value within.", &format!("get(&self) -> {ty}"), value)
}

/// What the values of a newtype are in the end, which says what can be done with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Text,
    /// Another that one text can hold, or an enum.
    Scalar,
    Bytes,
    Email,
    /// What has no order.
    Other,
}

/// Follows aliases and newtypes, whose cycles are no types.
fn sort(project: &Project, ty: &Type) -> Sort {
    match ty {
        Type::Text(_) => Sort::Text,
        Type::Bytes(_) => Sort::Bytes,
        Type::Email => Sort::Email,
        Type::Named(named) => match find(project, named).map(|declared| &declared.kind) {
            Some(TypeKind::Newtype(ty) | TypeKind::Alias { target: ty, recursive: false }) => {
                sort(project, ty)
            }
            Some(TypeKind::Enum { .. }) => Sort::Scalar,
            _ => Sort::Other,
        },
        _ if is_scalar(ty) => Sort::Scalar,
        _ => Sort::Other,
    }
}

/// What else can be done with one, as the runtime's `newtype!` calls it.
fn can(sort: Sort, constrained: bool) -> Vec<&'static str> {
    let checked = constrained.then_some("checked");
    let key = (sort == Sort::Text).then_some("key");
    let shown = matches!(sort, Sort::Text | Sort::Scalar).then_some("shown");
    let sql = matches!(sort, Sort::Text | Sort::Scalar | Sort::Bytes).then_some("sql");
    [checked, key, shown, sql].into_iter().flatten().collect()
}

fn is_copy(ty: &Type) -> bool {
    is_scalar(ty) && !matches!(ty, Type::Text(_) | Type::Url)
}

fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Text(_)
        | Type::Int(_)
        | Type::Decimal(_)
        | Type::Bool
        | Type::Instant(_)
        | Type::DateTime
        | Type::Date
        | Type::Duration
        | Type::Uuid
        | Type::Url => true,
        Type::Email
        | Type::Bytes(_)
        | Type::Json
        | Type::Secret
        | Type::List(..)
        | Type::Map(..)
        | Type::Nullable(_)
        | Type::Named(_) => false,
    }
}

//! Types where they are used, as Rust.

use jadpo_analysis::model::{Type, TypeRef};
use proc_macro2::Ident;

use crate::names::{self, FREE, ident};

/// Where in the generated code a type is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place<'p> {
    /// Among the app's own types.
    App,
    /// Beside them, in a module of the generated code's own.
    Inner,
    /// In the module of this package.
    Package(&'p str),
    /// Beside that package's types, in a module of the generated code's own.
    InPackage(&'p str),
}

impl<'p> Place<'p> {
    /// The place where a type stands.
    pub fn of(ty: &'p TypeRef) -> Self {
        match &ty.package {
            Some(package) => Place::Package(package),
            None => Place::App,
        }
    }

    /// The place of the codecs of a type.
    pub fn of_codec(ty: &'p TypeRef) -> Self {
        match &ty.package {
            Some(package) => Place::InPackage(package),
            None => Place::Inner,
        }
    }

    /// The path of a declared type from here.
    pub fn path(self, ty: &TypeRef) -> String {
        let name = type_name(ty);
        match &ty.package {
            Some(package) if self == Place::Package(package) => name.to_string(),
            Some(package) if self == Place::InPackage(package) => format!("super::{name}"),
            Some(package) => format!("{}::{name}", self.module(package)),
            None if self == Place::App => name.to_string(),
            None => format!("super::{name}"),
        }
    }

    /// The path of a package's module from here.
    pub fn module(self, package: &str) -> String {
        let module = module_name(package);
        if self == Place::App { module.to_string() } else { format!("super::{module}") }
    }
}

/// The name of a declared type in its own module.
pub fn type_name(ty: &TypeRef) -> Ident {
    ident(&ty.name, if ty.package.is_some() { &names::IN_PACKAGE } else { &names::IN_APP })
}

/// The name of a package's module.
pub fn module_name(package: &str) -> Ident {
    ident(package, &names::IN_APP)
}

/// The name of a field.
pub fn field_name(field: &str) -> Ident {
    ident(field, &FREE)
}

/// A type as Rust; `boxed` where its values would hold themselves.
///
/// The box stands beneath any `Option`, so that an absent value costs no allocation.
pub fn rust_type(place: Place<'_>, ty: &Type, boxed: bool) -> String {
    if let Type::Nullable(inner) = ty {
        return format!("::core::option::Option<{}>", rust_type(place, inner, boxed));
    }
    if boxed {
        return format!("::std::boxed::Box<{}>", rust_type(place, ty, false));
    }
    let name = match ty {
        Type::Text(_) => "::std::string::String",
        Type::Int(_) => "i64",
        Type::Decimal(_) => "::jadpo_runtime::Decimal",
        Type::Bool => "bool",
        Type::Instant(_) => "::jadpo_runtime::Timestamp",
        Type::DateTime => "::jadpo_runtime::civil::DateTime",
        Type::Date => "::jadpo_runtime::civil::Date",
        Type::Duration => "::jadpo_runtime::SignedDuration",
        Type::Uuid => "::jadpo_runtime::Uuid",
        Type::Url => "::jadpo_runtime::Url",
        Type::Email => "::jadpo_runtime::Email",
        Type::Bytes(_) => "::std::vec::Vec<u8>",
        Type::Json => "::jadpo_runtime::Json",
        Type::Secret => "::jadpo_runtime::Secret",
        Type::List(item, _) => return format!("::std::vec::Vec<{}>", rust_type(place, item, false)),
        Type::Map(key, value) => {
            let (key, value) = (rust_type(place, key, false), rust_type(place, value, false));
            return format!("::std::collections::BTreeMap<{key}, {value}>");
        }
        Type::Nullable(inner) => return rust_type(place, inner, false),
        Type::Named(ty) => return place.path(ty),
    };
    name.to_owned()
}

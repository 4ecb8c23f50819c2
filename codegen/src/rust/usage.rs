//! Types where they are used, as Rust.

use jadpo_analysis::model::{Type, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

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
    pub fn path(self, ty: &TypeRef) -> TokenStream {
        let name = type_name(ty);
        match &ty.package {
            Some(package) if self == Place::Package(package) => quote!(#name),
            Some(package) if self == Place::InPackage(package) => quote!(super::#name),
            Some(package) => {
                let module = self.module(package);
                quote!(#module::#name)
            }
            None if self == Place::App => quote!(#name),
            None => quote!(super::#name),
        }
    }

    /// The path of a package's module from here.
    pub fn module(self, package: &str) -> TokenStream {
        let module = module_name(package);
        if self == Place::App { quote!(#module) } else { quote!(super::#module) }
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
pub fn rust_type(place: Place<'_>, ty: &Type, boxed: bool) -> TokenStream {
    if let Type::Nullable(inner) = ty {
        let inner = rust_type(place, inner, boxed);
        return quote!(::core::option::Option<#inner>);
    }
    if boxed {
        let inner = rust_type(place, ty, false);
        return quote!(::std::boxed::Box<#inner>);
    }
    match ty {
        Type::Text(_) => quote!(::std::string::String),
        Type::Int(_) => quote!(i64),
        Type::Decimal(_) => quote!(::jadpo_runtime::Decimal),
        Type::Bool => quote!(bool),
        Type::Instant(_) => quote!(::jadpo_runtime::Timestamp),
        Type::DateTime => quote!(::jadpo_runtime::civil::DateTime),
        Type::Date => quote!(::jadpo_runtime::civil::Date),
        Type::Duration => quote!(::jadpo_runtime::SignedDuration),
        Type::Uuid => quote!(::jadpo_runtime::Uuid),
        Type::Url => quote!(::jadpo_runtime::Url),
        Type::Email => quote!(::jadpo_runtime::Email),
        Type::Bytes(_) => quote!(::std::vec::Vec<u8>),
        Type::Json => quote!(::jadpo_runtime::Json),
        Type::Secret => quote!(::jadpo_runtime::Secret),
        Type::List(item, _) => {
            let item = rust_type(place, item, false);
            quote!(::std::vec::Vec<#item>)
        }
        Type::Map(key, value) => {
            let (key, value) = (rust_type(place, key, false), rust_type(place, value, false));
            quote!(::std::collections::BTreeMap<#key, #value>)
        }
        Type::Nullable(inner) => rust_type(place, inner, false),
        Type::Named(ty) => place.path(ty),
    }
}

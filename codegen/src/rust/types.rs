//! Declared types: one Rust type each, with its documentation, and how its values are read and written.

use jadpo_analysis::model::{Field, Type, TypeDef, TypeKind, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;

use super::docs::{docs, docs_and};
use super::usage::{Place, field_name, rust_type, type_name};
use super::{codec, enums, newtypes};

/// What one declared type becomes.
#[derive(Default)]
pub struct Items {
    /// What a reader of the module wants to see.
    pub declared: TokenStream,
    /// How values are read and written.
    pub codec: TokenStream,
}

impl Items {
    /// Appends another type's.
    pub fn extend(&mut self, other: Items) {
        self.declared.extend(other.declared);
        self.codec.extend(other.codec);
    }
}

/// The items of a declared type.
pub fn declare(ty: &TypeRef, declared: &TypeDef, is_ordered: bool) -> Items {
    let derives = derives(is_ordered);
    match &declared.kind {
        TypeKind::Object { fields } | TypeKind::Event { fields, .. } => {
            object(ty, &declared.doc, fields, &derives)
        }
        TypeKind::Enum { variants, integers } => enums::declare(ty, &declared.doc, variants, *integers),
        TypeKind::Newtype(inner) => newtypes::declare(ty, &declared.doc, inner, &derives),
        TypeKind::Alias { target, recursive: false } => alias(ty, &declared.doc, target),
        TypeKind::Alias { target, recursive: true } => recursive_alias(ty, &declared.doc, target, &derives),
    }
}

/// What every declared type can do; one that holds JSON has no order.
pub fn derives(is_ordered: bool) -> TokenStream {
    let order = is_ordered.then(|| quote!(PartialOrd, Ord,));
    quote!(#[derive(Debug, Clone, PartialEq, Eq, #order Hash)])
}

fn object(ty: &TypeRef, doc: &str, fields: &[Field], derives: &TokenStream) -> Items {
    let (name, docs) = (type_name(ty), docs(doc));
    let declared_fields = fields.iter().map(|field| {
        let (docs, name) = (field_docs(field), field_name(&field.name));
        let ty = field_type(Place::of(ty), field);
        quote!(#docs pub #name: #ty)
    });
    Items {
        declared: quote! {
            #docs
            #derives
            pub struct #name { #(#declared_fields,)* }
        },
        codec: codec::object(&name, fields),
    }
}

fn field_docs(field: &Field) -> TokenStream {
    match &field.at {
        Some(at) => docs_and(&field.doc, &format!("Read at {at:?}.")),
        None => docs(&field.doc),
    }
}

fn field_type(place: Place<'_>, field: &Field) -> TokenStream {
    let ty = rust_type(place, &field.ty, field.boxed);
    if field.optional { quote!(::core::option::Option<#ty>) } else { ty }
}

fn alias(ty: &TypeRef, doc: &str, target: &Type) -> Items {
    let (name, docs) = (type_name(ty), docs(doc));
    let target = rust_type(Place::of(ty), target, false);
    Items { declared: quote!(#docs pub type #name = #target;), codec: TokenStream::new() }
}

/// Rust has no alias of itself, so this one is a struct around what it stands for.
fn recursive_alias(ty: &TypeRef, doc: &str, target: &Type, derives: &TokenStream) -> Items {
    let (name, docs) = (type_name(ty), docs(doc));
    let boxed = holds_itself_directly(target);
    let inner = rust_type(Place::of(ty), target, boxed);
    let (read, write) = (codec::read(target), codec::write(target, &quote!(&self.0)));
    Items {
        declared: quote! {
            #docs
            #derives
            pub struct #name(pub #inner);
        },
        codec: codec::wire_impl(&name, &quote!(#read.map(Self)), &write),
    }
}

fn holds_itself_directly(ty: &Type) -> bool {
    match ty {
        Type::Nullable(inner) => holds_itself_directly(inner),
        Type::Named(_) => true,
        _ => false,
    }
}

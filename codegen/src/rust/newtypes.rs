//! Types with constraints of their own: whoever has a value of one knows that it keeps them.

use jadpo_analysis::model::{Type, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::docs::docs_and;
use super::types::Items;
use super::usage::{Place, rust_type, type_name};
use super::{codec, constraints};

/// The items of a newtype.
pub fn declare(ty: &TypeRef, doc: &str, inner: &Type, derives: &TokenStream) -> Items {
    let name = type_name(ty);
    let rust = rust_type(Place::of(ty), inner, false);
    let checks = constraints::checks(inner, &quote!(value));
    let docs = match &checks {
        Some(_) => docs_and(doc, "Its constraints are checked where it is made and where it is read."),
        None => super::docs::docs(doc),
    };
    let new = if checks.is_some() { checked(inner, &rust) } else { unchecked(&rust) };
    let get = get(inner, &rust);
    Items {
        declared: quote! {
            #docs
            #derives
            pub struct #name(#rust);

            impl #name {
                #new
                #get

                /// The value within.
                pub fn into_inner(self) -> #rust {
                    self.0
                }
            }
        },
        codec: traits(ty, inner, checks.as_ref()),
    }
}

fn unchecked(rust: &TokenStream) -> TokenStream {
    quote! {
        /// A value of this type.
        pub fn new(value: #rust) -> Self {
            Self(value)
        }
    }
}

fn checked(inner: &Type, rust: &TokenStream) -> TokenStream {
    let (given, value) = match inner {
        Type::Text(_) => (quote!(impl ::core::convert::Into<#rust>), quote!(value.into())),
        _ => (rust.clone(), quote!(value)),
    };
    quote! {
        /// A value that keeps the constraints, or what was wanted instead.
        pub fn new(
            value: #given,
        ) -> ::core::result::Result<Self, ::jadpo_runtime::codec::ConstraintError> {
            let value = #value;
            Self::check(&value)?;
            ::core::result::Result::Ok(Self(value))
        }
    }
}

fn get(inner: &Type, rust: &TokenStream) -> TokenStream {
    let (ty, value) = match inner {
        Type::Text(_) => (quote!(&str), quote!(&self.0)),
        _ if is_copy(inner) => (rust.clone(), quote!(self.0)),
        _ => (quote!(&#rust), quote!(&self.0)),
    };
    quote! {
        /// The value within.
        pub fn get(&self) -> #ty {
            #value
        }
    }
}

fn traits(ty: &TypeRef, inner: &Type, checks: Option<&TokenStream>) -> TokenStream {
    let name = type_name(ty);
    let read = if checks.is_some() {
        let read = codec::read_unchecked(inner);
        quote!(#read.and_then(|value| reader.checked(value, Self::check)).map(Self))
    } else {
        let read = codec::read(inner);
        quote!(#read.map(Self))
    };
    let mut traits = checks.map(|checks| check(ty, inner, checks)).unwrap_or_default();
    traits.extend(codec::wire_impl(&name, &read, &codec::write(inner, &quote!(&self.0))));
    if let Type::Text(_) = inner {
        traits.extend(map_key(&name, checks.is_some()));
    }
    if is_scalar(inner) {
        traits.extend(quote! {
            impl fmt::Display for super::#name {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(&self.0, formatter)
                }
            }
        });
    }
    if is_scalar(inner) || matches!(inner, Type::Bytes(_)) {
        traits.extend(quote! {
            impl ToSql for super::#name {
                fn to_sql(&self) -> SqlValue {
                    self.0.to_sql()
                }
            }
        });
    }
    traits
}

fn check(ty: &TypeRef, inner: &Type, checks: &TokenStream) -> TokenStream {
    let name = type_name(ty);
    let rust = rust_type(Place::of_codec(ty), inner, false);
    quote! {
        impl super::#name {
            pub(super) fn check(
                value: &#rust,
            ) -> Result<(), ConstraintError> {
                #checks
                Ok(())
            }
        }
    }
}

fn map_key(name: &Ident, is_checked: bool) -> TokenStream {
    let read = if is_checked {
        quote!(Self::new(text).map_err(|error| error.wanted().to_owned()))
    } else {
        quote!(Ok(Self(text.to_owned())))
    };
    quote! {
        impl MapKey for super::#name {
            fn read_key(text: &str) -> Result<Self, String> {
                #read
            }

            fn write_key(&self) -> Cow<'_, str> {
                Cow::Borrowed(&self.0)
            }
        }
    }
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

//! Types with constraints of their own: whoever has a value of one knows that it keeps them.

use jadpo_analysis::model::{Type, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::codec;
use super::docs::docs_and;
use super::types::{Items, derives};
use super::usage::{Place, rust_type, type_name};

/// The items of a newtype.
pub fn declare(ty: &TypeRef, doc: &str, inner: &Type) -> Items {
    let (name, derives) = (type_name(ty), derives());
    let rust = rust_type(Place::of(ty), inner, false);
    let checks = codec::checks(inner, &quote!(value));
    let docs = match &checks {
        Some(_) => docs_and(doc, "Its constraints are checked where it is made and where it is read."),
        None => super::docs::docs(doc),
    };
    let (new, check) = match checks {
        Some(checks) => checked(inner, &rust, &checks),
        None => (unchecked(&rust), TokenStream::new()),
    };
    let (get, traits) = (get(inner, &rust), traits(&name, inner));
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

                #check
            }
        },
        codec: quote!(#traits),
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

/// The checked constructor and what it checks.
fn checked(inner: &Type, rust: &TokenStream, checks: &TokenStream) -> (TokenStream, TokenStream) {
    let (given, value) = match inner {
        Type::Text(_) => (quote!(impl ::core::convert::Into<#rust>), quote!(value.into())),
        _ => (rust.clone(), quote!(value)),
    };
    let new = quote! {
        /// A value that keeps the constraints, or what was wanted instead.
        pub fn new(
            value: #given,
        ) -> ::core::result::Result<Self, ::jadpo_runtime::codec::ConstraintError> {
            let value = #value;
            Self::check(&value)?;
            ::core::result::Result::Ok(Self(value))
        }
    };
    let check = quote! {
        fn check(
            value: &#rust,
        ) -> ::core::result::Result<(), ::jadpo_runtime::codec::ConstraintError> {
            #checks
            ::core::result::Result::Ok(())
        }
    };
    (new, check)
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

fn traits(name: &Ident, inner: &Type) -> TokenStream {
    let read = match codec::checks(inner, &quote!(value)) {
        Some(_) => {
            let read = codec::read_unchecked(inner);
            quote!(#read.and_then(|value| reader.checked(value, Self::check)).map(Self))
        }
        None => {
            let read = codec::read(inner);
            quote!(#read.map(Self))
        }
    };
    let mut traits = codec::wire_impl(name, &read, &codec::write(inner, &quote!(&self.0)));
    if let Type::Text(_) = inner {
        traits.extend(quote! {
            impl ::jadpo_runtime::codec::MapKey for #name {
                fn read_key(
                    text: &str,
                ) -> ::core::result::Result<Self, ::std::string::String> {
                    Self::new(text).map_err(|error| error.wanted().to_owned())
                }

                fn write_key(&self) -> ::std::borrow::Cow<'_, str> {
                    ::std::borrow::Cow::Borrowed(&self.0)
                }
            }
        });
    }
    if is_scalar(inner) {
        traits.extend(quote! {
            impl ::core::fmt::Display for #name {
                fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Display::fmt(&self.0, formatter)
                }
            }
        });
    }
    if is_scalar(inner) || matches!(inner, Type::Bytes(_)) {
        traits.extend(quote! {
            impl ::jadpo_runtime::sql::ToSql for #name {
                fn to_sql(&self) -> ::jadpo_runtime::sql::SqlValue {
                    ::jadpo_runtime::sql::ToSql::to_sql(&self.0)
                }
            }
        });
    }
    traits
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

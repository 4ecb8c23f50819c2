//! Enums: a Rust variant each, named after the declared one alone, and the value that it is on the wire.

use jadpo_analysis::model::{TypeRef, Variant, VariantWire};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::codec;
use super::constraints::number;
use super::docs::{docs, docs_and};
use super::types::{Items, derives};
use super::usage::type_name;
use crate::names::{FREE, camel_ident};

/// The items of an enum; a catch-all holds the value that came.
pub fn declare(ty: &TypeRef, doc: &str, variants: &[Variant], integers: bool) -> Items {
    let shape = Shape::new(type_name(ty), variants, integers);
    let (docs, derives, copy, name) = (docs(doc), derives(true), shape.copy(), &shape.name);
    let declared = variants.iter().map(|variant| declared_variant(variant, integers));
    let value = shape.value();
    Items {
        declared: quote! {
            #docs
            #derives
            #copy
            pub enum #name { #(#declared,)* }

            impl #name { #value }
        },
        codec: shape.traits(),
    }
}

fn declared_variant(variant: &Variant, integers: bool) -> TokenStream {
    let name = camel_ident(&variant.name, &FREE);
    match &variant.wire {
        VariantWire::Other => {
            let kept = if integers { quote!(i64) } else { quote!(::std::string::String) };
            let docs = docs_and(&variant.doc, "Holds a value that is none of the others.");
            quote!(#docs #name(#kept))
        }
        VariantWire::Text(_) | VariantWire::Int(_) => {
            let docs = docs(&variant.doc);
            quote!(#docs #name)
        }
    }
}

/// An enum taken apart.
struct Shape {
    name: Ident,
    integers: bool,
    /// All but the catch-all, with their values on the wire as literals.
    known: Vec<(Ident, TokenStream)>,
    other: Option<Ident>,
}

impl Shape {
    fn new(name: Ident, variants: &[Variant], integers: bool) -> Self {
        let mut shape = Self { name, integers, known: Vec::new(), other: None };
        for variant in variants {
            let name = camel_ident(&variant.name, &FREE);
            match &variant.wire {
                VariantWire::Text(value) => shape.known.push((name, quote!(#value))),
                VariantWire::Int(value) => {
                    let value = Literal::i64_unsuffixed(*value);
                    shape.known.push((name, quote!(#value)));
                }
                VariantWire::Other => shape.other = Some(name),
            }
        }
        shape
    }

    fn copy(&self) -> TokenStream {
        if self.other.is_some() && !self.integers { TokenStream::new() } else { quote!(#[derive(Copy)]) }
    }

    /// The method that gives the value on the wire.
    fn value(&self) -> TokenStream {
        let arms = self.known.iter().map(|(name, value)| quote!(Self::#name => #value));
        if self.integers {
            let other = self.other.iter().map(|name| quote!(Self::#name(value) => value));
            return quote! {
                /// The integer that is sent for it.
                pub fn as_i64(self) -> i64 {
                    match self { #(#arms,)* #(#other,)* }
                }
            };
        }
        let other = self.other.iter().map(|name| quote!(Self::#name(value) => value));
        quote! {
            /// The text that is sent for it.
            pub fn as_str(&self) -> &str {
                match self { #(#arms,)* #(#other,)* }
            }
        }
    }

    fn traits(&self) -> TokenStream {
        let name = &self.name;
        let (table, picked) = (self.table(), self.picked());
        let read = quote!(
            reader
                .variant(&Self::table())
                .and_then(|picked| { Self::picked(picked).ok_or_else(|| reader.mismatch("a variant")) })
        );
        let write = if self.integers {
            quote!(writer.int(self.as_i64());)
        } else {
            quote!(writer.text(self.as_str());)
        };
        let wire = codec::wire_impl(name, &read, &write);
        let (key, shown, sql) = if self.integers {
            (
                quote!(Cow::Owned(self.as_i64().to_string())),
                quote!(fmt::Display::fmt(&self.as_i64(), formatter)),
                quote!(self.as_i64().to_sql()),
            )
        } else {
            (
                quote!(Cow::Borrowed(self.as_str())),
                quote!(formatter.pad(self.as_str())),
                quote!(self.as_str().to_sql()),
            )
        };
        quote! {
            impl super::#name {
                fn table() -> VariantTable {
                    #table
                }

                fn picked(
                    picked: Picked,
                ) -> Option<Self> {
                    #picked
                }
            }

            #wire

            impl MapKey for super::#name {
                fn read_key(
                    text: &str,
                ) -> Result<Self, String> {
                    let picked = Self::table().pick_key(text)?;
                    Self::picked(picked).ok_or_else(|| "a variant".to_owned())
                }

                fn write_key(&self) -> Cow<'_, str> {
                    #key
                }
            }

            impl fmt::Display for super::#name {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    #shown
                }
            }

            impl ToSql for super::#name {
                fn to_sql(&self) -> SqlValue {
                    #sql
                }
            }
        }
    }

    fn table(&self) -> TokenStream {
        let (values, other) = (self.known.iter().map(|(_, value)| value), self.other.is_some());
        let kind = if self.integers { quote!(Int) } else { quote!(Text) };
        quote!(VariantTable::#kind { values: &[#(#values),*], other: #other })
    }

    /// The variant of what was picked from the table.
    fn picked(&self) -> TokenStream {
        let known = self.known.iter().enumerate().map(|(index, (name, _))| {
            let index = number(index);
            quote!(Picked::Known(#index) => Some(Self::#name))
        });
        let kept = if self.integers { quote!(OtherInt) } else { quote!(OtherText) };
        let other = self.other.iter().map(|name| quote!(Picked::#kept(value) => Some(Self::#name(value))));
        quote! {
            match picked {
                #(#known,)*
                #(#other,)*
                _ => None,
            }
        }
    }
}

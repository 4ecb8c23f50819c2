//! Enums: a Rust variant each, named after the declared one alone, and the value that it is on the wire.

use jadpo_analysis::model::{TypeRef, Variant, VariantWire};
use proc_macro2::Ident;

use super::codec;
use super::docs::{docs, docs_and};
use super::print::indented;
use super::types::{DERIVES_ORDERED, Items};
use super::usage::type_name;
use crate::names::{FREE, camel_ident};

/// The items of an enum; a catch-all holds the value that came.
pub fn declare(ty: &TypeRef, doc: &str, variants: &[Variant], integers: bool) -> Items {
    let name = type_name(ty);
    let named: Vec<_> = variants.iter().map(|variant| (camel_ident(&variant.name, &FREE), variant)).collect();
    let is_open = variants.iter().any(|variant| variant.wire == VariantWire::Other);
    let copy = if is_open && !integers { "" } else { "#[derive(Copy)]\n" };
    let declared: String =
        named.iter().map(|(name, variant)| declared_variant(name, variant, integers)).collect();
    let arms: String = named.iter().map(|(name, variant)| arm(name, variant)).collect();
    let (documented, method, own, sent) = if integers {
        ("The integer", "as_i64", "self", "i64")
    } else {
        ("The text", "as_str", "&self", "&str")
    };
    let declared = format!(
        "{}{DERIVES_ORDERED}\n{copy}pub enum {name} {{\n{}}}\n\n\
         impl {name} {{\n    \
             /// {documented} that is sent for it.\n    \
             pub fn {method}({own}) -> {sent} {{\n        \
                 match self {{\n{}        }}\n    \
             }}\n\
         }}\n",
        docs(doc),
        indented(&declared),
        indented(&indented(&indented(&arms))),
    );
    let (other, known): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|(_, variant)| variant.wire == VariantWire::Other);
    let names =
        |variants: Vec<(Ident, &Variant)>| variants.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    Items { declared, codec: codec::variants(&name, method, &names(known), &names(other)) }
}

fn declared_variant(name: &Ident, variant: &Variant, integers: bool) -> String {
    match &variant.wire {
        VariantWire::Other => {
            let kept = if integers { "i64" } else { "::std::string::String" };
            let docs = docs_and(&variant.doc, "Holds a value that is none of the others.");
            format!("{docs}{name}({kept}),\n")
        }
        VariantWire::Text(_) | VariantWire::Int(_) => format!("{}{name},\n", docs(&variant.doc)),
    }
}

/// What is sent for a variant.
fn arm(name: &Ident, variant: &Variant) -> String {
    match &variant.wire {
        VariantWire::Text(value) => format!("Self::{name} => {value:?},\n"),
        VariantWire::Int(value) => format!("Self::{name} => {value},\n"),
        VariantWire::Other => format!("Self::{name}(value) => value,\n"),
    }
}

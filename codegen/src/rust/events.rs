//! Generated enums of events: those that one subscriber hears, and those that one handler emits.

use std::collections::BTreeSet;

use jadpo_analysis::model::{Project, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::docs::docs_or;
use super::handler::{self, Handler};
use super::print::tokens;
use super::types::DERIVES;
use super::usage::Place;
use crate::names::{FREE, camel, ident};

/// The variants of an enum over events, each with its event.
///
/// A variant is named after its package and its event, `ExchangeQuotesChanged`; one of the app's own after its event.
pub struct EventEnum;

impl EventEnum {
    /// In the order given.
    #[expect(clippy::new_ret_no_self, reason = "the pairs are all there is to it")]
    pub fn new(events: &[TypeRef]) -> Vec<(Ident, &TypeRef)> {
        let mut taken = BTreeSet::new();
        let named = events.iter().map(|event| {
            let package = event.package.as_deref().map(camel).unwrap_or_default();
            let mut name = ident(&format!("{package}{}", event.name), &FREE);
            // `a_b.C` and `a.BC` are the same letters.
            while !taken.insert(name.to_string()) {
                name = format_ident!("{name}_");
            }
            (name, event)
        });
        named.collect()
    }
}

/// The module `on`: an enum for each subscriber that hears several events; nothing where none does.
pub fn heard(project: &Project) -> TokenStream {
    let docs = "What each subscriber hears, for those that hear several events.";
    let heard =
        |handler: Handler<'_>| handler.subscriber().map_or(Vec::new(), |subscriber| subscriber.on.clone());
    module(project, "on", docs, heard, "hears")
}

/// The module `emits`: an enum for each handler that emits several events; nothing where none does.
pub fn emitted(project: &Project) -> TokenStream {
    let docs = "What each handler may emit, for those that may emit several events.";
    module(project, "emits", docs, |handler| handler.emits().to_vec(), "may emit")
}

/// A value of an event's type as it is kept.
pub fn encoded(value: &TokenStream) -> TokenStream {
    quote!(::jadpo_runtime::codec::encode(#value, ::jadpo_runtime::codec::Form::Canonical))
}

fn module(
    project: &Project,
    name: &str,
    docs: &str,
    events: impl Fn(Handler<'_>) -> Vec<TypeRef>,
    does: &str,
) -> TokenStream {
    let enums: Vec<_> = handler::all(project)
        .map(|handler| (handler, events(handler)))
        .filter(|(_, events)| events.len() > 1)
        .map(|(handler, events)| {
            let docs = docs_or("", &format!("An event that `{}` {does}.", handler.name()));
            declare(&handler.type_name(), &docs, &events)
        })
        .collect();
    if enums.is_empty() {
        return TokenStream::new();
    }
    let (name, docs) = (ident(name, &FREE), tokens(&docs_or("", docs)));
    quote! {
        #docs
        pub mod #name {
            #(#enums)*
        }
    }
}

fn declare(name: &Ident, docs: &str, events: &[TypeRef]) -> TokenStream {
    let variants = EventEnum::new(events);
    let head = tokens(&format!("{docs}{DERIVES}"));
    let declared = variants.iter().map(|(variant, event)| {
        let ty = tokens(&Place::Inner.path(event));
        quote!(#variant(#ty))
    });
    let from = variants.iter().map(|(variant, event)| {
        let ty = tokens(&Place::Inner.path(event));
        quote! {
            impl ::core::convert::From<#ty> for #name {
                fn from(event: #ty) -> Self {
                    Self::#variant(event)
                }
            }
        }
    });
    quote! {
        #head
        pub enum #name { #(#declared,)* }

        #(#from)*
    }
}

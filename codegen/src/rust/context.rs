//! What each subscriber may do, as a type: a method for each connection it `uses`, `emit` for what it `emits`.

use std::collections::BTreeSet;

use jadpo_analysis::model::{Package, Project, Subscriber, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::connections::{decoder_field, is_callable, is_decoded};
use super::docs::docs_or;
use super::events::{self, EventEnum};
use super::usage::Place;
use crate::lower::type_key;
use crate::names::{FREE, IN_CONTEXT, camel_ident, ident};

/// The module of contexts, one for each subscriber.
pub fn module(project: &Project) -> TokenStream {
    let contexts =
        project.app.subscribers.values().map(|subscriber| Access::new(project, subscriber).context());
    quote! {
        /// What each subscriber may do while it handles an event: what the manifest lists, and nothing else.
        pub mod cx {
            #(#contexts)*
        }
    }
}

/// The name of a subscriber's types in the modules `cx`, `on`, `emits` and `origin`.
pub fn type_of(subscriber: &Subscriber) -> Ident {
    camel_ident(&subscriber.name, &FREE)
}

/// What a subscriber may reach.
pub struct Access<'p> {
    pub(super) project: &'p Project,
    pub(super) subscriber: &'p Subscriber,
}

impl<'p> Access<'p> {
    /// Of this subscriber.
    pub fn new(project: &'p Project, subscriber: &'p Subscriber) -> Self {
        Self { project, subscriber }
    }

    /// The fields of its context beside the runtime's: names and values in `Handlers`' dispatcher.
    pub fn given(&self) -> Vec<(Ident, TokenStream)> {
        let decoders =
            self.decoded().into_iter().map(|package| (decoder_field(&package.name), quote!(&self.0)));
        decoders
            .chain(self.subscriber.uses_origin.then(|| (ident("origin", &FREE), quote!(origin))))
            .collect()
    }

    fn context(&self) -> TokenStream {
        let (name, subscriber) = (type_of(self.subscriber), &self.subscriber.name);
        let docs = docs_or("", &format!("What `{subscriber}` may do while it handles one event."));
        let decoders = self.decoded().into_iter().map(|package| {
            let (field, module) = (decoder_field(&package.name), Place::Inner.module(&package.name));
            quote!(pub(super) #field: &'a dyn #module::Decode,)
        });
        let origin_ty = if self.may_have_none() {
            quote!(::core::option::Option<&'static str>)
        } else {
            quote!(&'static str)
        };
        let origin = self.subscriber.uses_origin.then(|| quote!(pub(super) origin: #origin_ty,));
        let connections = self.subscriber.uses.iter().filter_map(|connection| self.connection(connection));
        let (emit, use_origin) = (self.emit(), self.origin());
        quote! {
            #docs
            pub struct #name<'a> {
                pub(super) context: &'a mut ::jadpo_runtime::Context,
                #(#decoders)*
                #origin
            }

            impl #name<'_> {
                /// Reads what is committed, and gathers writes for the commit.
                pub fn store(&mut self) -> &mut ::jadpo_runtime::StoreAccess {
                    self.context.store()
                }

                #emit
                #(#connections)*
                #use_origin

                /// Which attempt at this delivery it is, from 1.
                pub fn attempt(&self) -> u32 {
                    self.context.attempt()
                }

                /// The host's clock.
                pub fn now(&self) -> ::jadpo_runtime::Timestamp {
                    self.context.now()
                }
            }
        }
    }

    fn connection(&self, connection: &str) -> Option<TokenStream> {
        let declared = self.project.app.connections.get(connection)?;
        let package = self.project.packages.get(&declared.package).filter(|package| is_callable(package))?;
        let ours = format!("Calls `{}` through the connection `{connection}`.", package.name);
        let docs = docs_or(&declared.doc, &ours);
        let (name, module) = (ident(connection, &IN_CONTEXT), Place::Inner.module(&package.name));
        let client = client(package, &quote!(#connection));
        Some(quote! {
            #docs
            pub fn #name(&self) -> #module::Client<'_> {
                #client
            }
        })
    }

    fn emit(&self) -> TokenStream {
        let emits = &self.subscriber.emits;
        match emits.as_slice() {
            [] => TokenStream::new(),
            [event] => {
                let (ty, write) = (Place::Inner.path(event), emitted(event));
                quote! {
                    /// Emits an event in the commit.
                    pub fn emit(&mut self, event: #ty) {
                        #write
                    }
                }
            }
            several => {
                let name = type_of(self.subscriber);
                let arms = EventEnum::new(several).into_iter().map(|(variant, event)| {
                    let write = emitted(event);
                    quote!(super::emits::#name::#variant(event) => { #write })
                });
                quote! {
                    /// Emits an event in the commit.
                    pub fn emit(&mut self, event: impl ::core::convert::Into<super::emits::#name>) {
                        match event.into() { #(#arms)* }
                    }
                }
            }
        }
    }

    /// The packages that it may call and that have answers which the app decodes, by name.
    fn decoded(&self) -> Vec<&'p Package> {
        let used = self.subscriber.uses.iter().filter_map(|name| self.project.app.connections.get(name));
        let mut names: BTreeSet<_> = used.map(|connection| connection.package.as_str()).collect();
        if self.subscriber.uses_origin {
            names.extend(self.heard().iter().map(|package| package.name.as_str()));
        }
        names
            .into_iter()
            .filter_map(|name| self.project.packages.get(name))
            .filter(|package| is_decoded(package))
            .collect()
    }
}

/// A client of a package through a connection, where `self` is a context.
pub fn client(package: &Package, connection: &TokenStream) -> TokenStream {
    let module = Place::Inner.module(&package.name);
    let decoder = is_decoded(package).then(|| {
        let field = decoder_field(&package.name);
        quote!(decode: self.#field,)
    });
    quote!(#module::Client { call: self.context.connection(#connection), #decoder })
}

fn emitted(event: &TypeRef) -> TokenStream {
    let key = type_key(event);
    let encoded = events::encoded(&quote!(&event));
    quote!(self.context.emit(#key, #encoded);)
}

//! What each handler may do, as a type: a method for each connection it `uses`, `emit` for what it `emits`, and one for
//! each batch it `starts`.

use std::collections::BTreeSet;

use jadpo_analysis::model::{Package, Project, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::connections::{decoder_field, is_callable, is_decoded};
use super::docs::docs_or;
use super::events::{self, EventEnum};
use super::handler::{self, Handler};
use super::print::tokens;
use super::usage::Place;
use crate::lower::type_key;
use crate::names::{FREE, IN_CONTEXT, ident};

/// The module of contexts, one for each handler.
pub fn module(project: &Project) -> TokenStream {
    let contexts = handler::all(project).map(|handler| Access::new(project, handler).context());
    quote! {
        /// What each handler may do: what the manifest lists, and nothing else.
        pub mod cx {
            #(#contexts)*
        }
    }
}

/// What a handler may reach.
pub struct Access<'p> {
    pub(super) project: &'p Project,
    pub(super) handler: Handler<'p>,
}

impl<'p> Access<'p> {
    /// Of this handler.
    pub fn new(project: &'p Project, handler: Handler<'p>) -> Self {
        Self { project, handler }
    }

    /// The fields of its context beside the runtime's: names and values in `Handlers`' dispatcher.
    pub fn given(&self) -> Vec<(Ident, TokenStream)> {
        let decoders =
            self.decoded().into_iter().map(|package| (decoder_field(&package.name), quote!(&self.0)));
        decoders.chain(self.handler.uses_origin().then(|| (ident("origin", &FREE), quote!(origin)))).collect()
    }

    fn context(&self) -> TokenStream {
        let (name, handler) = (self.handler.type_name(), self.handler.name());
        let docs = tokens(&docs_or("", &format!("What `{handler}` may do {}.", self.handler.run_is())));
        let decoders = self.decoded().into_iter().map(|package| {
            let (field, module) = (decoder_field(&package.name), tokens(&Place::Inner.module(&package.name)));
            quote!(pub(super) #field: &'a dyn #module::Decode,)
        });
        let origin_ty = if self.may_have_none() {
            quote!(::core::option::Option<&'static str>)
        } else {
            quote!(&'static str)
        };
        let origin = self.handler.uses_origin().then(|| quote!(pub(super) origin: #origin_ty,));
        let connections = self.handler.uses().iter().filter_map(|connection| self.connection(connection));
        let starts = self.handler.starts().into_iter().flatten().map(|batch| self.start(batch));
        let (emit, use_origin, attempt) = (self.emit(), self.origin(), self.attempt());
        let transaction = self.transaction();
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

                #transaction
                #emit
                #(#starts)*
                #(#connections)*
                #use_origin
                #attempt

                /// The host's clock.
                pub fn now(&self) -> ::jadpo_runtime::Timestamp {
                    self.context.now()
                }

                /// Runs work that blocks its thread beside those that serve, and gives its value.
                pub fn blocking<T: ::core::marker::Send + 'static>(
                    &self,
                    work: impl ::core::ops::FnOnce() -> T + ::core::marker::Send + 'static,
                ) -> ::jadpo_runtime::BoxFuture<'static, ::core::result::Result<T, ::jadpo_runtime::Failure>> {
                    self.context.blocking(work)
                }

                /// The W3C `traceparent` of this run.
                pub fn trace(&self) -> &str {
                    self.context.trace()
                }
            }
        }
    }

    fn transaction(&self) -> TokenStream {
        if !self.handler.has_transactions(self.project) {
            return TokenStream::new();
        }
        quote! {
            /// Opens the commit's transaction, in which it reads its own writes; from then on no provider can be called.
            pub async fn transaction(
                &mut self,
            ) -> ::core::result::Result<::jadpo_runtime::Transaction<'_>, ::jadpo_runtime::Failure> {
                self.context.transaction().await
            }
        }
    }

    fn attempt(&self) -> TokenStream {
        let what = match self.handler {
            // An action runs once: nobody repeats what a caller asked for.
            Handler::Action(_) => return TokenStream::new(),
            Handler::Subscriber(_) => "Which attempt at this delivery it is, from 1.",
            Handler::Batch(_) | Handler::Backfill(_) => "Which attempt at this step it is, from 1.",
        };
        let docs = tokens(&docs_or("", what));
        quote! {
            #docs
            pub fn attempt(&self) -> u32 {
                self.context.attempt()
            }
        }
    }

    fn start(&self, batch: &str) -> TokenStream {
        let app = &self.project.app;
        let input = app.batches.get(batch).and_then(|batch| batch.input.as_ref());
        let name = format_ident!("start_{batch}");
        let docs = tokens(&docs_or("", &format!("Starts a run of `{batch}` in the commit.")));
        let (parameter, encoded) = match input {
            Some(input) => {
                let input = tokens(&Place::Inner.path(input));
                let encoded = quote!(::jadpo_runtime::dispatch::canonical(&input));
                (quote!(, input: #input), quote!(::core::option::Option::Some(#encoded)))
            }
            None => (TokenStream::new(), quote!(::core::option::Option::None)),
        };
        quote! {
            #docs
            pub fn #name(&mut self #parameter) {
                self.context.start(#batch, #encoded);
            }
        }
    }

    fn connection(&self, connection: &str) -> Option<TokenStream> {
        let declared = self.project.app.connections.get(connection)?;
        let package = self.project.packages.get(&declared.package).filter(|package| is_callable(package))?;
        let ours = format!("Calls `{}` through the connection `{connection}`.", package.name);
        let docs = tokens(&docs_or(&declared.doc, &ours));
        let (name, module) = (ident(connection, &IN_CONTEXT), tokens(&Place::Inner.module(&package.name)));
        let client = client(package, &quote!(#connection));
        Some(quote! {
            #docs
            pub fn #name(&self) -> #module::Client<'_> {
                #client
            }
        })
    }

    fn emit(&self) -> TokenStream {
        match self.handler.emits() {
            [] => TokenStream::new(),
            [event] => {
                let (ty, write) = (tokens(&Place::Inner.path(event)), emitted(event));
                quote! {
                    /// Emits an event in the commit.
                    pub fn emit(&mut self, event: #ty) {
                        #write
                    }
                }
            }
            several => {
                let name = self.handler.type_name();
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
        let used = self.handler.uses().iter().filter_map(|name| self.project.app.connections.get(name));
        let mut names: BTreeSet<_> = used.map(|connection| connection.package.as_str()).collect();
        if self.handler.uses_origin() {
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
    let module = tokens(&Place::Inner.module(&package.name));
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

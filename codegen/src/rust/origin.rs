//! `origin` in a subscriber's `uses:`: the connection that the event came through.

use std::collections::BTreeSet;

use jadpo_analysis::model::{Package, Project};
use proc_macro2::TokenStream;
use quote::quote;

use super::connections::is_callable;
use super::context::{Access, client};
use super::docs::docs_or;
use super::handler;
use super::print::tokens;
use super::usage::Place;
use crate::names::{FREE, camel_ident};

/// The module of origins, where an event may come through connections to several packages; else nothing.
pub fn module(project: &Project) -> TokenStream {
    let origins: Vec<_> =
        handler::all(project).filter_map(|handler| Access::new(project, handler).origin_enum()).collect();
    if origins.is_empty() {
        return TokenStream::new();
    }
    quote! {
        /// Where the event of a subscriber came from, for those that hear several packages and use `origin`.
        pub mod origin {
            #(#origins)*
        }
    }
}

impl<'p> Access<'p> {
    /// Statements that find `origin` from the runtime's `context`; a connection that `from:` hasn't any more fails.
    pub fn find_origin(&self) -> TokenStream {
        if !self.handler.uses_origin() {
            return TokenStream::new();
        }
        let wrap = |name: &TokenStream| {
            if self.may_have_none() { quote!(::core::option::Option::Some(#name)) } else { name.clone() }
        };
        let known = self.from().iter().map(|connection| {
            let value = wrap(&quote!(#connection));
            quote!(::core::option::Option::Some(#connection) => #value)
        });
        let none = self
            .may_have_none()
            .then(|| quote!(::core::option::Option::None => ::core::option::Option::None,));
        let lost =
            format!("the event came through a connection that `{}` does not hear", self.handler.name());
        quote! {
            let origin = match context.origin() {
                #(#known,)*
                #none
                _ => return ::core::result::Result::Err(::jadpo_runtime::Failure::new(#lost)),
            };
        }
    }

    /// The method `origin` of a context; nothing where it may not call what the event came through.
    pub fn origin(&self) -> TokenStream {
        let packages = self.heard();
        if !self.handler.uses_origin() {
            return TokenStream::new();
        }
        let (ty, value) = match packages.as_slice() {
            [package] if is_callable(package) => {
                let module = tokens(&Place::Inner.module(&package.name));
                (quote!(#module::Client<'_>), client(package, &quote!(origin)))
            }
            [] | [_] => return TokenStream::new(),
            several => {
                let name = self.handler.type_name();
                (quote!(super::origin::#name<'_>), self.origin_value(several))
            }
        };
        let (ty, value) = if self.may_have_none() {
            (
                quote!(::core::option::Option<#ty>),
                quote!(let origin = self.origin?; ::core::option::Option::Some(#value)),
            )
        } else {
            (ty, quote!(let origin = self.origin; #value))
        };
        quote! {
            /// The connection that the event came through.
            pub fn origin(&self) -> #ty {
                #value
            }
        }
    }

    fn origin_value(&self, packages: &[&'p Package]) -> TokenStream {
        let name = self.handler.type_name();
        let arms = packages.iter().enumerate().map(|(index, package)| {
            let through = self.from().iter().filter(|connection| {
                let declared = self.project.app.connections.get(*connection);
                declared.is_some_and(|declared| declared.package == package.name)
            });
            let variant = camel_ident(&package.name, &FREE);
            // The dispatcher lets no other name through, so the last arm takes what is left.
            let pattern = if index + 1 == packages.len() { quote!(_) } else { quote!(#(#through)|*) };
            if is_callable(package) {
                let client = client(package, &quote!(origin));
                quote!(#pattern => super::origin::#name::#variant(#client))
            } else {
                quote!(#pattern => super::origin::#name::#variant)
            }
        });
        quote!(match origin { #(#arms,)* })
    }

    fn origin_enum(&self) -> Option<TokenStream> {
        let packages = self.heard();
        if !self.handler.uses_origin() || packages.len() < 2 {
            return None;
        }
        let name = self.handler.type_name();
        let docs = tokens(&docs_or("", &format!("Where an event of `{}` came from.", self.handler.name())));
        let lifetime = packages.iter().any(|package| is_callable(package)).then(|| quote!(<'a>));
        let variants = packages.iter().map(|package| {
            let (variant, module) =
                (camel_ident(&package.name, &FREE), tokens(&Place::Inner.module(&package.name)));
            let docs = tokens(&docs_or("", &format!("Through a connection to `{}`.", package.name)));
            if is_callable(package) {
                quote!(#docs #variant(#module::Client<'a>))
            } else {
                quote!(#docs #variant)
            }
        });
        Some(quote! {
            #docs
            pub enum #name #lifetime { #(#variants,)* }
        })
    }

    /// The packages that its events come from, by name.
    pub fn heard(&self) -> Vec<&'p Package> {
        let connections = self.from().iter().filter_map(|name| self.project.app.connections.get(name));
        let names: BTreeSet<_> = connections.map(|connection| &connection.package).collect();
        names.into_iter().filter_map(|name| self.project.packages.get(name)).collect()
    }

    /// Whether some event that it hears is the app's own and so comes through no connection.
    pub fn may_have_none(&self) -> bool {
        let subscriber = self.handler.subscriber();
        subscriber.is_some_and(|subscriber| subscriber.on.iter().any(|event| event.package.is_none()))
    }

    /// The connections that its events come through.
    fn from(&self) -> &'p [String] {
        self.handler.subscriber().map_or(&[], |subscriber| &subscriber.from)
    }
}

//! Typed clients: a method for each public operation of a package, and the trait that its raw answers are read by.

use std::collections::BTreeMap;

use jadpo_analysis::model::{Operation, Package};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::docs::{docs, docs_or};
use super::usage::{Place, rust_type};
use crate::names::{FREE, ident};

/// Whether the app has anything to call there.
pub fn is_callable(package: &Package) -> bool {
    public(package).next().is_some()
}

/// Whether some operation's answers are read by the app.
pub fn is_decoded(package: &Package) -> bool {
    public(package).any(|operation| operation.decode.is_some())
}

/// The client of a package, and its `Decode` where the app reads answers; nothing where there is nothing to call.
pub fn client(package: &Package) -> TokenStream {
    if !is_callable(package) {
        return TokenStream::new();
    }
    let docs = docs_or("", &format!("Calls `{}` through one of the app's connections.", package.name));
    let decoder = is_decoded(package).then(|| quote!(pub(super) decode: &'a dyn Decode,));
    let methods = public(package).map(|operation| method(package, operation));
    let decode = decode(package);
    quote! {
        #docs
        pub struct Client<'a> {
            pub(super) call: ::jadpo_runtime::CallHandle<'a>,
            #decoder
        }

        impl Client<'_> {
            #(#methods)*
        }

        #decode
    }
}

fn public(package: &Package) -> impl Iterator<Item = &Operation> {
    package.operations.values().filter(|operation| operation.public)
}

fn method(package: &Package, operation: &Operation) -> TokenStream {
    let place = Place::Package(&package.name);
    let (docs, name, wire_name) =
        (docs(&operation.doc), ident(&operation.name, &FREE), operation.name.as_str());
    let output = output_type(package, operation);
    let (parameter, encode, given) = match &operation.input {
        Some(input) => {
            let input = place.path(input);
            (
                quote!(, input: &#input),
                quote!(let input = ::jadpo_runtime::codec::encode(input, ::jadpo_runtime::codec::Form::Canonical);),
                quote!(::core::option::Option::Some(&input)),
            )
        }
        None => (TokenStream::new(), TokenStream::new(), quote!(::core::option::Option::None)),
    };
    let (error, answer) = match (&operation.decode, &operation.output) {
        (Some(decode), _) => {
            let decode = ident(decode, &FREE);
            (
                quote!(::jadpo_runtime::Failure),
                quote!(let answer = self.call.call(#wire_name, #given).await?; self.decode.#decode(&answer)),
            )
        }
        (None, Some(_)) => {
            (quote!(::jadpo_runtime::CallError), quote!(self.call.fetch(#wire_name, #given).await))
        }
        (None, None) => (
            quote!(::jadpo_runtime::CallError),
            quote!(self.call.call(#wire_name, #given).await?; ::core::result::Result::Ok(())),
        ),
    };
    quote! {
        #docs
        pub async fn #name(&self #parameter) -> ::core::result::Result<#output, #error> {
            #encode
            #answer
        }
    }
}

fn output_type(package: &Package, operation: &Operation) -> TokenStream {
    let output = operation.output.as_ref();
    output.map_or_else(|| quote!(()), |output| rust_type(Place::Package(&package.name), output, false))
}

/// The trait has a method for each name in a `decode:`; several operations with the same output may share one.
fn decode(package: &Package) -> TokenStream {
    if !is_decoded(package) {
        return TokenStream::new();
    }
    let docs =
        docs_or("", &format!("Reads those answers of `{}` that the app decodes itself.", package.name));
    let mut seen = BTreeMap::new();
    for operation in public(package) {
        if let Some(decode) = &operation.decode {
            seen.entry(decode.as_str()).or_insert_with(Vec::new).push(operation);
        }
    }
    let methods = seen.into_iter().map(|(decode, operations)| {
        let names: Vec<_> = operations.iter().map(|operation| format!("`{}`", operation.name)).collect();
        let docs = docs_or("", &format!("The output of {}.", names.join(", ")));
        let output = output_type(package, operations[0]);
        let name = ident(decode, &FREE);
        quote! {
            #docs
            fn #name(
                &self,
                answer: &::jadpo_runtime::Answer,
            ) -> ::core::result::Result<#output, ::jadpo_runtime::Failure>;
        }
    });
    quote! {
        #docs
        pub trait Decode: ::core::marker::Send + ::core::marker::Sync {
            #(#methods)*
        }
    }
}

/// The field of a context that holds the app's reader of a package's answers.
pub fn decoder_field(package: &str) -> Ident {
    format_ident!("decode_{package}")
}

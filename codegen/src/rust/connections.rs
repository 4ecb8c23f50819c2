//! Typed clients: a method for each public operation of a package, and the trait that its raw answers are read by.

use std::collections::BTreeMap;

use jadpo_analysis::model::{Operation, Package};
use proc_macro2::Ident;
use quote::format_ident;

use super::docs::{docs, docs_or};
use super::print::{append, indented};
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
pub fn client(package: &Package) -> String {
    if !is_callable(package) {
        return String::new();
    }
    let docs = docs_or("", &format!("Calls `{}` through one of the app's connections.", package.name));
    let decoder = if is_decoded(package) { "    pub(super) decode: &'a dyn Decode,\n" } else { "" };
    let mut methods = String::new();
    for operation in public(package) {
        append(&mut methods, &method(package, operation));
    }
    let mut items = format!(
        "{docs}pub struct Client<'a> {{\n    pub(super) call: ::jadpo_runtime::CallHandle<'a>,\n{decoder}}}\n\n\
         impl<'a> Client<'a> {{\n{}}}\n",
        indented(&methods)
    );
    append(&mut items, &decode(package));
    items
}

fn public(package: &Package) -> impl Iterator<Item = &Operation> {
    package.operations.values().filter(|operation| operation.public)
}

fn method(package: &Package, operation: &Operation) -> String {
    let (docs, name) = (docs(&operation.doc), ident(&operation.name, &FREE));
    let (key, output) = (&operation.name, output_type(package, operation));
    let (parameter, given) = match &operation.input {
        Some(input) => (
            format!(", input: &{}", Place::Package(&package.name).path(input)),
            "::core::option::Option::Some(::jadpo_runtime::dispatch::canonical(input))",
        ),
        None => (String::new(), "::core::option::Option::None"),
    };
    let Some(decode) = &operation.decode else {
        let how = if operation.output.is_some() { "fetch" } else { "tell" };
        let result = format!("::jadpo_runtime::call::Calling<'a, {output}>");
        let call = format!("self.call.{how}({key:?}, {given})");
        return format!("{docs}pub fn {name}(&self{parameter}) -> {result} {{\n    {call}\n}}\n");
    };
    let result = format!("::core::result::Result<{output}, ::jadpo_runtime::Failure>");
    format!(
        "{docs}pub async fn {name}(&self{parameter}) -> {result} {{\n    \
             let input: ::core::option::Option<::std::string::String> = {given};\n    \
             let answer = self.call.call({key:?}, input.as_deref()).await?;\n    \
             self.decode.{}(&answer)\n\
         }}\n",
        ident(decode, &FREE)
    )
}

fn output_type(package: &Package, operation: &Operation) -> String {
    let output = operation.output.as_ref();
    output.map_or_else(|| "()".to_owned(), |output| rust_type(Place::Package(&package.name), output, false))
}

/// The trait has a method for each name in a `decode:`; several operations with the same output may share one.
fn decode(package: &Package) -> String {
    if !is_decoded(package) {
        return String::new();
    }
    let docs =
        docs_or("", &format!("Reads those answers of `{}` that the app decodes itself.", package.name));
    let mut seen = BTreeMap::new();
    for operation in public(package) {
        if let Some(decode) = &operation.decode {
            seen.entry(decode.as_str()).or_insert_with(Vec::new).push(operation);
        }
    }
    let mut methods = String::new();
    for (decode, operations) in seen {
        let names: Vec<_> = operations.iter().map(|operation| format!("`{}`", operation.name)).collect();
        let docs = docs_or("", &format!("The output of {}.", names.join(", ")));
        let (name, output) = (ident(decode, &FREE), output_type(package, operations[0]));
        let result = format!("::core::result::Result<{output}, ::jadpo_runtime::Failure>");
        let method = format!("{docs}fn {name}(&self, answer: &::jadpo_runtime::Answer) -> {result};\n");
        append(&mut methods, &method);
    }
    let head = "pub trait Decode: ::core::marker::Send + ::core::marker::Sync";
    format!("{docs}{head} {{\n{}}}\n", indented(&methods))
}

/// The field of a context that holds the app's reader of a package's answers.
pub fn decoder_field(package: &str) -> Ident {
    format_ident!("decode_{package}")
}

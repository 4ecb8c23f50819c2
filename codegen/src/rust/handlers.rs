//! The trait that the app implements: a method for each subscriber, action and batch, two for each backfill.

use jadpo_analysis::model::{Action, Backfill, Batch, Project, Subscriber, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::connections::is_decoded;
use super::docs::{docs_and, docs_or};
use super::handler::{self, Handler};
use super::print::tokens;
use super::usage::{Place, rust_type};
use crate::lower::type_key;
use crate::reach::find;

/// The trait `Handlers`. It has no defaults, so that a declaration without a handler is a compile error that names it.
pub fn declare(project: &Project) -> TokenStream {
    let decoders = project.packages.values().filter(|package| is_decoded(package)).map(|package| {
        let module = tokens(&Place::App.module(&package.name));
        quote!(+ #module::Decode)
    });
    let methods = handler::all(project).map(|handler| match handler {
        Handler::Subscriber(subscriber) => heard(handler, subscriber),
        Handler::Action(action) => acted(handler, action),
        Handler::Batch(batch) => stepped(handler, batch),
        Handler::Backfill(backfill) => filled(project, handler, backfill),
    });
    let docs = tokens(&docs_or(
        "",
        "What the app does with each event that a subscriber hears, in each action, and in each step of a batch.\n\n\
         Write each as an `async fn`. Every deployable takes all of them, whichever of them it runs.",
    ));
    quote! {
        #docs
        pub trait Handlers: ::core::marker::Send + ::core::marker::Sync + 'static #(#decoders)* {
            #(#methods)*
        }
    }
}

/// The method that gathers the write of one value of a backfill.
pub fn keep_name(backfill: &Backfill) -> Ident {
    format_ident!("keep_{}", backfill.name)
}

/// The type of a backfill's values: its field's.
pub fn value_type<'p>(project: &'p Project, backfill: &Backfill) -> Option<&'p Type> {
    use jadpo_analysis::model::TypeKind::{Event, Object};
    let (Object { fields } | Event { fields, .. }) = &find(project, &backfill.record)?.kind else {
        return None;
    };
    fields.iter().find(|field| field.name == backfill.field).map(|field| &field.ty)
}

fn heard(handler: Handler<'_>, subscriber: &Subscriber) -> TokenStream {
    let context = handler.type_name();
    let events: Vec<_> = subscriber.on.iter().map(|event| format!("`{}`", type_key(event))).collect();
    let docs = tokens(&docs_and(&subscriber.doc, &format!("Hears {}.", events.join(", "))));
    let event = if let [event] = subscriber.on.as_slice() {
        tokens(&Place::App.path(event))
    } else {
        quote!(on::#context)
    };
    method(handler, &docs, &quote!(event: #event,), &quote!(()))
}

fn acted(handler: Handler<'_>, action: &Action) -> TokenStream {
    let docs = tokens(&docs_and(&action.doc, &format!("The action `{}`.", action.name)));
    let input = action.input.as_ref().map(|input| {
        let input = tokens(&Place::App.path(input));
        quote!(input: #input,)
    });
    let output =
        action.output.as_ref().map_or_else(|| quote!(()), |ty| tokens(&rust_type(Place::App, ty, false)));
    method(handler, &docs, &input.unwrap_or_default(), &output)
}

fn stepped(handler: Handler<'_>, batch: &Batch) -> TokenStream {
    let docs = tokens(&docs_and(&batch.doc, &format!("One step of the batch `{}`.", batch.name)));
    let input = batch.input.as_ref().map_or_else(|| quote!(()), |input| tokens(&Place::App.path(input)));
    method(handler, &docs, &quote!(step: ::jadpo_runtime::Step<#input>,), &quote!(::jadpo_runtime::Next))
}

fn filled(project: &Project, handler: Handler<'_>, backfill: &Backfill) -> TokenStream {
    let (context, keep, field) = (handler.type_name(), keep_name(backfill), &backfill.field);
    let record = type_key(&backfill.record);
    let value = value_type(project, backfill)
        .map_or_else(|| quote!(::jadpo_runtime::Json), |ty| tokens(&rust_type(Place::App, ty, false)));
    let what = format!("One step of the backfill `{}`: values of `{record}.{field}` by key.", backfill.name);
    let docs = tokens(&docs_and(&backfill.doc, &what));
    let step = quote!(step: ::jadpo_runtime::Step<()>,);
    let fill = method(handler, &docs, &step, &quote!(::jadpo_runtime::Filled<#value>));
    let docs = tokens(&docs_or(
        "",
        &format!(
            "Gathers the write of one value of `{}` that the rules of `{record}.{field}` allow.",
            backfill.name
        ),
    ));
    quote! {
        #fill

        #docs
        fn #keep(
            &self,
            cx: &mut cx::#context<'_>,
            key: &str,
            value: #value,
        ) -> ::core::result::Result<(), ::jadpo_runtime::Failure>;
    }
}

fn method(
    handler: Handler<'_>,
    docs: &TokenStream,
    parameter: &TokenStream,
    output: &TokenStream,
) -> TokenStream {
    let (name, context) = (handler.method_name(), handler.type_name());
    quote! {
        #docs
        fn #name(
            &self,
            cx: &mut cx::#context<'_>,
            #parameter
        ) -> impl ::core::future::Future<Output = ::core::result::Result<#output, ::jadpo_runtime::Failure>>
        + ::core::marker::Send;
    }
}

//! What finds the handler of a delivery, of an action's run, and of a step.

use jadpo_analysis::model::{Action, Backfill, Batch, Project, Subscriber};
use proc_macro2::TokenStream;
use quote::quote;

use super::context::Access;
use super::events::EventEnum;
use super::handler::{self, Handler};
use super::handlers::keep_name;
use crate::lower::type_key;

/// The type that implements the runtime's `Dispatch` over the app's `Handlers`.
pub fn declare(project: &Project) -> TokenStream {
    let (mut heard, mut acted, mut stepped) = (Vec::new(), Vec::new(), Vec::new());
    for handler in handler::all(project) {
        let arm = Arm { access: Access::new(project, handler), handler };
        match handler {
            Handler::Subscriber(subscriber) => heard.push(arm.deliver(subscriber)),
            Handler::Action(action) => acted.push(arm.act(action)),
            Handler::Batch(batch) => stepped.push(arm.step(batch)),
            Handler::Backfill(backfill) => stepped.push(arm.fill(backfill)),
        }
    }
    let deliver = method(
        &quote!(deliver),
        &quote!(subscriber: &'a str),
        &quote!(event: &'a ::jadpo_runtime::Delivered),
        &quote!(()),
        &matched(&quote!(subscriber), &quote!(event), &heard),
    );
    let option = quote!(::core::option::Option);
    let text = quote!(#option<::std::string::String>);
    let act = method(
        &quote!(act),
        &quote!(action: &'a str),
        &quote!(input: #option<&'a str>),
        &text,
        &matched(&quote!(action), &quote!(input), &acted),
    );
    let step = method(
        &quote!(step),
        &quote!(batch: &'a str),
        &quote!(step: &'a ::jadpo_runtime::RunStep),
        &text,
        &matched(&quote!(batch), &quote!(step), &stepped),
    );
    quote! {
        struct Dispatcher<H>(H);

        impl<H: Handlers> ::jadpo_runtime::Dispatch for Dispatcher<H> {
            #deliver
            #act
            #step
        }
    }
}

fn method(
    name: &TokenStream,
    which: &TokenStream,
    given: &TokenStream,
    output: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    quote! {
        fn #name<'a>(
            &'a self,
            #which,
            context: &'a mut ::jadpo_runtime::Context,
            #given,
        ) -> ::jadpo_runtime::host::BoxFuture<'a, ::core::result::Result<#output, ::jadpo_runtime::Failure>> {
            ::std::boxed::Box::pin(async move { #body })
        }
    }
}

fn matched(which: &TokenStream, given: &TokenStream, arms: &[TokenStream]) -> TokenStream {
    let none = format!("the app has no {which} `{{{which}}}`");
    let none = quote! {
        let _ = (context, #given);
        ::core::result::Result::Err(::jadpo_runtime::Failure::new(::std::format!(#none)))
    };
    if arms.is_empty() { none } else { quote!(match #which { #(#arms)* _ => { #none } }) }
}

/// The arm of one handler.
struct Arm<'p> {
    access: Access<'p>,
    handler: Handler<'p>,
}

impl Arm<'_> {
    fn deliver(&self, subscriber: &Subscriber) -> TokenStream {
        let (name, method, context) =
            (&subscriber.name, self.handler.method_name(), self.handler.type_name());
        let event = match subscriber.on.as_slice() {
            [_] => quote!(event.decode()?),
            several => {
                let arms = EventEnum::new(several).into_iter().map(|(variant, event)| {
                    let key = type_key(event);
                    quote!(#key => on::#context::#variant(event.decode()?))
                });
                let unheard = format!("`{name}` does not hear");
                quote! {
                    match event.name.as_str() {
                        #(#arms,)*
                        other => return ::core::result::Result::Err(::jadpo_runtime::Failure::undecodable(
                            ::std::format!("{} `{other}`", #unheard),
                        )),
                    }
                }
            }
        };
        let (find_origin, cx) = (self.access.find_origin(), self.context());
        quote! {
            #name => {
                let event = #event;
                #find_origin
                #cx
                Handlers::#method(&self.0, &mut cx, event).await
            }
        }
    }

    fn act(&self, action: &Action) -> TokenStream {
        let (name, method, cx) = (&action.name, self.handler.method_name(), self.context());
        let (read, given) = match &action.input {
            Some(_) => (quote!(let input = ::jadpo_runtime::dispatch::input(input)?;), quote!(, input)),
            None => (quote!(let _ = input;), TokenStream::new()),
        };
        let run = quote!(Handlers::#method(&self.0, &mut cx #given).await?);
        let output = if action.output.is_some() {
            quote! {
                let output = #run;
                ::core::result::Result::Ok(::core::option::Option::Some(
                    ::jadpo_runtime::dispatch::canonical(&output),
                ))
            }
        } else {
            quote!(#run; ::core::result::Result::Ok(::core::option::Option::None))
        };
        quote!(#name => { #read #cx #output })
    }

    fn step(&self, batch: &Batch) -> TokenStream {
        let (name, method, cx) = (&batch.name, self.handler.method_name(), self.context());
        let read = if batch.input.is_some() { quote!(step.with_input()?) } else { quote!(step.plain()) };
        quote! {
            #name => {
                let step = #read;
                #cx
                let next = Handlers::#method(&self.0, &mut cx, step).await?;
                ::core::result::Result::Ok(next.into_cursor())
            }
        }
    }

    fn fill(&self, backfill: &Backfill) -> TokenStream {
        let (name, method, cx) = (&backfill.name, self.handler.method_name(), self.context());
        let (keep, record, field) = (keep_name(backfill), type_key(&backfill.record), &backfill.field);
        quote! {
            #name => {
                #cx
                let filled = Handlers::#method(&self.0, &mut cx, step.plain()).await?;
                for (key, value) in filled.pairs {
                    let text = ::jadpo_runtime::dispatch::canonical(&value);
                    if cx.context.takes(#record, #field, &key, &text) {
                        Handlers::#keep(&self.0, &mut cx, &key, value)?;
                    }
                }
                ::core::result::Result::Ok(filled.next.into_cursor())
            }
        }
    }

    /// A statement that makes `cx`, the handler's own context, of the runtime's.
    fn context(&self) -> TokenStream {
        let context = self.handler.type_name();
        let given = self.access.given().into_iter().map(|(name, value)| quote!(#name: #value));
        quote!(let mut cx = cx::#context { context, #(#given),* };)
    }
}

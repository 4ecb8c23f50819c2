//! The trait that the app implements, a method a subscriber, and what hands deliveries to it.

use jadpo_analysis::model::{Project, Subscriber};
use proc_macro2::TokenStream;
use quote::quote;

use super::connections::is_decoded;
use super::context::{Access, type_of};
use super::docs::{docs_and, docs_or};
use super::events::EventEnum;
use super::usage::Place;
use crate::lower::type_key;
use crate::names::{IN_TRAIT, ident};

/// The trait `Handlers`. It has no defaults, so that a subscriber without a handler is a compile error that names it.
pub fn declare(project: &Project) -> TokenStream {
    let decoders = project.packages.values().filter(|package| is_decoded(package)).map(|package| {
        let module = Place::App.module(&package.name);
        quote!(+ #module::Decode)
    });
    let methods = project.app.subscribers.values().map(method);
    let docs = docs_or(
        "",
        "What the app does with each event that a subscriber hears.\n\n\
         Write each as an `async fn`. Every deployable takes all of them, whichever subscribers it runs.",
    );
    quote! {
        #docs
        pub trait Handlers: ::core::marker::Send + ::core::marker::Sync + 'static #(#decoders)* {
            #(#methods)*
        }
    }
}

/// What finds the handler of a delivery.
pub fn dispatcher(project: &Project) -> TokenStream {
    let arms = project.app.subscribers.values().map(|subscriber| arm(project, subscriber));
    quote! {
        struct Dispatcher<H>(H);

        impl<H: Handlers> ::jadpo_runtime::Dispatch for Dispatcher<H> {
            fn deliver<'a>(
                &'a self,
                subscriber: &'a str,
                context: &'a mut ::jadpo_runtime::Context,
                event: &'a ::jadpo_runtime::Delivered,
            ) -> ::jadpo_runtime::host::BoxFuture<'a, ::core::result::Result<(), ::jadpo_runtime::Failure>> {
                ::std::boxed::Box::pin(async move {
                    match subscriber {
                        #(#arms)*
                        _ => {
                            let _ = (context, event);
                            ::core::result::Result::Err(::jadpo_runtime::Failure::new(
                                ::std::format!("the app has no subscriber `{subscriber}`"),
                            ))
                        }
                    }
                })
            }
        }
    }
}

fn method(subscriber: &Subscriber) -> TokenStream {
    let (name, context) = (ident(&subscriber.name, &IN_TRAIT), type_of(subscriber));
    let events: Vec<_> = subscriber.on.iter().map(|event| format!("`{}`", type_key(event))).collect();
    let docs = docs_and(&subscriber.doc, &format!("Hears {}.", events.join(", ")));
    let event =
        if let [event] = subscriber.on.as_slice() { Place::App.path(event) } else { quote!(on::#context) };
    quote! {
        #docs
        fn #name(
            &self,
            cx: &mut cx::#context<'_>,
            event: #event,
        ) -> impl ::core::future::Future<Output = ::core::result::Result<(), ::jadpo_runtime::Failure>>
        + ::core::marker::Send;
    }
}

fn arm(project: &Project, subscriber: &Subscriber) -> TokenStream {
    let (wire_name, method, context) =
        (&subscriber.name, ident(&subscriber.name, &IN_TRAIT), type_of(subscriber));
    let event = match subscriber.on.as_slice() {
        [_] => quote!(event.decode()?),
        several => {
            let arms = EventEnum::new(several).into_iter().map(|(variant, event)| {
                let key = type_key(event);
                quote!(#key => on::#context::#variant(event.decode()?))
            });
            let unheard = format!("`{wire_name}` does not hear");
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
    let access = Access::new(project, subscriber);
    let find_origin = access.find_origin();
    let given = access.given().into_iter().map(|(name, value)| quote!(#name: #value));
    quote! {
        #wire_name => {
            let event = #event;
            #find_origin
            let mut cx = cx::#context { context, #(#given),* };
            Handlers::#method(&self.0, &mut cx, event).await
        }
    }
}

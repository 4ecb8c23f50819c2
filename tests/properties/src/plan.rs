//! Any text is read as a plan or refused with a reason; a plan is written as it was read, and whatever it asks for
//! starts or says why not.

use std::sync::Arc;

use jadpo_runtime::app::App;
use jadpo_runtime::call::{Connection, Turn};
use jadpo_runtime::codec::{Form, interpret};
use jadpo_runtime::context::Context;
use jadpo_runtime::delivered::Delivered;
use jadpo_runtime::dispatch::Dispatch;
use jadpo_runtime::failure::Failure;
use jadpo_runtime::host::BoxFuture;
use jadpo_runtime::plan::{Plan, Shape};
use jadpo_runtime::settings;
use jadpo_runtime::sim::{Reply, Script, Sim};
use jadpo_runtime::start::{StartError, Surroundings, start};
use jadpo_runtime::step::RunStep;

use crate::sample::sample;

/// Where no store can be opened, so that no plan of a fuzzer's writes into the file system.
const NOWHERE: &str = "/dev/null/store.db";

/// Retries wait in virtual time, and each still takes real work.
const ATTEMPTS_MAX: u32 = 3;

/// When virtual time begins, in milliseconds since the epoch.
const BEGINNING_MS: i64 = 1_800_000_000_000;

/// The most connections of a plan that are opened.
const CONNECTIONS_MAX: usize = 4;

/// Tries a text.
pub fn holds(text: &str) {
    match Plan::read(text) {
        Err(why) => {
            let said = why.to_string();
            assert!(said.starts_with("the plan "), "{said}");
            let refused = ready(text, "", &[]);
            assert_eq!(refused, Err(StartError::Plan(vec![said])));
        }
        Ok(_) => runs(text),
    }
}

/// Tries the text of a plan.
pub fn runs(text: &str) {
    let plan = Plan::read(text).unwrap();
    let written = serde_json::to_string_pretty(&plan).unwrap();
    assert_eq!(Plan::read(&written).as_ref(), Ok(&plan), "another plan is read back");
    let stores: Vec<&str> = plan.stores.keys().map(String::as_str).collect();
    for name in plan.deployables.keys() {
        if let Err(error) = ready(text, name, &stores) {
            assert!(!error.to_string().is_empty());
        }
    }
    for name in plan.types.keys() {
        read_and_written(&plan, &Shape::Named(name.clone()));
    }
    calls(&Arc::new(plan));
}

/// What starting gives, with stores that can't be opened.
fn ready(text: &str, deployable: &str, stores: &[&str]) -> Result<(), StartError> {
    let sim = Sim::new(1, BEGINNING_MS, Arc::new(Script::new()));
    let app = App::new(text, deployable, Nothing);
    let app = stores.iter().fold(app, |app, store| app.store_file(store, NOWHERE));
    start(app, &Surroundings::in_order(sim.host(1))).map(drop)
}

/// That a value of a type is read, and written so that it is read again.
fn read_and_written(plan: &Plan, shape: &Shape) {
    for form in [Form::Wire, Form::Canonical] {
        let json = sample(&plan.types, shape, form);
        for text in [&*json, "null", "1", "\"a\"", "[]", "{}", "true"] {
            let Ok(value) = interpret::read(&plan.types, shape, text, "", form) else { continue };
            let written = interpret::write(&plan.types, shape, &value, Form::Canonical);
            let again = interpret::read(&plan.types, shape, &written, "", Form::Canonical);
            let rewritten = again.map(|value| interpret::write(&plan.types, shape, &value, Form::Canonical));
            assert_eq!(rewritten, Ok(written), "of {text}");
        }
    }
}

/// That each operation is called or says why not.
fn calls(plan: &Arc<Plan>) {
    for name in plan.connections.keys().take(CONNECTIONS_MAX) {
        for given in [None, Some("1"), Some("https://a.example"), Some("é\n")] {
            let environment = |_: &str| given.map(str::to_owned);
            let settings = match settings::resolve(plan, &[name], &environment) {
                Ok(mut settings) => settings.remove(name).unwrap(),
                Err(error) => {
                    assert!(!error.problems.is_empty() && !error.to_string().is_empty());
                    continue;
                }
            };
            let script = Script::new().on("", vec![Reply::json("{}")]);
            let sim = Sim::new(1, BEGINNING_MS, Arc::new(script));
            let connection = Connection::open(name, plan, settings, sim.host(1)).unwrap();
            let package = &plan.packages[&plan.connections[name].package];
            for (operation, declared) in &package.operations {
                if package.retry.attempts > ATTEMPTS_MAX {
                    continue;
                }
                let shape = declared.input.clone().map(Shape::Named);
                let input = shape.map(|shape| sample(&plan.types, &shape, Form::Canonical));
                let called = sim.run(connection.call(operation, input.as_deref(), Turn::Wait));
                if let Err(error) = called {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

/// An app without code.
struct Nothing;

impl Dispatch for Nothing {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

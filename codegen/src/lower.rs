//! From the model to the plan: what runs, with nothing in it that nothing runs.
//!
//! A package keeps the operations that the app's code may call or a live poll calls, and the plan keeps the types that
//! those, the settings and the events name, through any number of types.

use std::collections::{BTreeMap, BTreeSet};

use jadpo_analysis::model;
use jadpo_runtime::plan;

use crate::reach::{find, named_in, reachable};

pub mod actions;
mod deployables;
mod shapes;

use shapes::{shape, type_def};

/// The plan of a project.
pub fn lower(project: &model::Project) -> plan::Plan {
    let app = &project.app;
    plan::Plan {
        version: plan::VERSION,
        app: app.name.clone(),
        types: types(project),
        packages: map(&project.packages, |package| lower_package(project, package)),
        connections: map(&app.connections, connection),
        stores: map(&app.stores, store),
        subscribers: map(&app.subscribers, subscriber),
        actions: map(&app.actions, actions::action),
        routes: map(&app.routes, actions::route),
        schedules: map(&app.schedules, actions::schedule),
        batches: map(&app.batches, actions::batch),
        backfills: map(&app.backfills, actions::backfill),
        deployables: map(&app.deployables, deployables::deployable),
    }
}

/// The key of a type in the plan, which is also an event's name: `package.Type`, or `Type` for one of the app's.
pub fn type_key(ty: &model::TypeRef) -> String {
    match &ty.package {
        Some(package) => format!("{package}.{}", ty.name),
        None => ty.name.clone(),
    }
}

fn types(project: &model::Project) -> BTreeMap<String, plan::TypeDef> {
    let mut roots = Vec::new();
    for package in project.packages.values() {
        for setting in &package.provider.settings {
            named_in(&setting.ty, &mut roots);
        }
        for operation in kept_operations(project, package) {
            roots.extend(operation.input.clone());
            if let Some(output) = &operation.output {
                named_in(output, &mut roots);
            }
        }
    }
    for connection in project.app.connections.values() {
        roots.extend(connection.live_polls.iter().map(|poll| poll.event.clone()));
    }
    for subscriber in project.app.subscribers.values() {
        roots.extend(subscriber.on.iter().chain(&subscriber.emits).cloned());
    }
    actions::types(&project.app, &mut roots);
    let declared = reachable(project, roots);
    declared.iter().filter_map(|ty| Some((type_key(ty), type_def(&find(project, ty)?.kind)))).collect()
}

fn kept_operations<'p>(
    project: &'p model::Project,
    package: &'p model::Package,
) -> impl Iterator<Item = &'p model::Operation> {
    let connections =
        || project.app.connections.values().filter(|connection| connection.package == package.name);
    let polled: BTreeSet<&str> = connections()
        .flat_map(|connection| &connection.live_polls)
        .map(|poll| poll.operation.as_str())
        .collect();
    package
        .operations
        .values()
        .filter(move |operation| operation.public || polled.contains(operation.name.as_str()))
}

fn lower_package(project: &model::Project, package: &model::Package) -> plan::Package {
    let provider = &package.provider;
    let setting = |setting: &model::Setting| {
        let lowered = plan::Setting { shape: shape(&setting.ty), default_json: setting.default_json.clone() };
        (setting.name.clone(), lowered)
    };
    plan::Package {
        version: provider.version.clone(),
        base_url: template(&provider.base_url),
        settings: provider.settings.iter().map(setting).collect(),
        auth: auth(&provider.auth),
        headers: templates(&provider.headers),
        retry: retry(provider.retry),
        max_response_bytes: provider.max_response_bytes,
        operations: kept_operations(project, package)
            .map(|kept| (kept.name.clone(), operation(kept)))
            .collect(),
    }
}

fn auth(auth: &model::Auth) -> plan::Auth {
    match auth {
        model::Auth::None => plan::Auth::None,
        model::Auth::Bearer(token) => plan::Auth::Bearer(template(token)),
        model::Auth::Basic(user, password) => plan::Auth::Basic(template(user), template(password)),
        model::Auth::Header(name, value) => plan::Auth::Header(name.clone(), template(value)),
        model::Auth::Query(name, value) => plan::Auth::Query(name.clone(), template(value)),
    }
}

fn templates(named: &[(String, model::Template)]) -> Vec<(String, plan::Template)> {
    named.iter().map(|(name, value)| (name.clone(), template(value))).collect()
}

fn template(value: &model::Template) -> plan::Template {
    let part = |part: &model::Part| match part {
        model::Part::Text(text) => plan::Part::Text(text.clone()),
        model::Part::Setting(name) => plan::Part::Setting(name.clone()),
        model::Part::Input(name) => plan::Part::Input(name.clone()),
    };
    plan::Template { parts: value.parts.iter().map(part).collect() }
}

fn retry(retry: model::Retry) -> plan::Retry {
    plan::Retry { attempts: retry.attempts, initial_ms: retry.initial_ms, max_ms: retry.max_ms }
}

fn operation(operation: &model::Operation) -> plan::Operation {
    plan::Operation {
        method: operation.method.clone(),
        path: template(&operation.path),
        input: operation.input.as_ref().map(type_key),
        query: templates(&operation.query),
        headers: templates(&operation.headers),
        body_fields: operation.body_fields.clone(),
        output: operation.output.as_ref().map(shape),
        at: operation.at.clone(),
        decoded_by_app: operation.decode.is_some(),
        retriable: operation.is_retried(),
        idempotency_header: operation.idempotency_header.clone(),
        timeout_ms: operation.timeout_ms,
    }
}

fn connection(connection: &model::Connection) -> plan::Connection {
    let poll = |poll: &model::LivePoll| {
        let lowered = plan::Poll {
            operation: poll.operation.clone(),
            every_ms: poll.every_ms,
            event: type_key(&poll.event),
        };
        (poll.name.clone(), lowered)
    };
    plan::Connection {
        package: connection.package.clone(),
        settings: map(&connection.settings, |source| match source {
            model::SettingSource::Literal(json) => plan::SettingSource::Literal(json.clone()),
            model::SettingSource::Env(name) => plan::SettingSource::Env(name.clone()),
        }),
        max_concurrent: connection.max_concurrent,
        polls: connection.live_polls.iter().map(poll).collect(),
        events_store: connection.events_store.clone(),
        keep_ms: connection.keep_ms,
        plain_http: connection.plain_http,
    }
}

fn subscriber(subscriber: &model::Subscriber) -> plan::Subscriber {
    plan::Subscriber {
        on: subscriber.on.iter().map(type_key).collect(),
        from: subscriber.from.clone(),
        uses: subscriber.uses.clone(),
        uses_origin: subscriber.uses_origin,
        emits: subscriber.emits.iter().map(type_key).collect(),
        store: subscriber.store.clone(),
        within_ms: subscriber.within_ms,
        retry: retry(subscriber.retry),
    }
}

fn store(store: &model::Store) -> plan::Store {
    let engine = |target| store.engines.get(&target).map(engine);
    plan::Store {
        native: engine(model::Target::Native),
        workers: engine(model::Target::Workers),
        keep_ms: store.keep_ms,
    }
}

fn engine(engine: &model::Engine) -> plan::StoreEngine {
    match engine {
        model::Engine::Sqlite(path) => plan::StoreEngine::Sqlite(path.clone()),
        model::Engine::Postgres(variable) => plan::StoreEngine::Postgres(variable.clone()),
        model::Engine::D1(binding) => plan::StoreEngine::D1(binding.clone()),
    }
}

fn map<T, U>(from: &BTreeMap<String, T>, lowered: impl Fn(&T) -> U) -> BTreeMap<String, U> {
    from.iter().map(|(name, value)| (name.clone(), lowered(value))).collect()
}

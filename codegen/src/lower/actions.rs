//! Actions, and what runs them; batches and backfills.

use jadpo_analysis::model;
use jadpo_runtime::plan;

use super::shapes::shape;
use super::type_key;
use crate::reach::named_in;

/// Adds the types that actions, batches and backfills name.
pub fn types(app: &model::App, roots: &mut Vec<model::TypeRef>) {
    for action in app.actions.values() {
        roots.extend(action.input.iter().chain(&action.emits).cloned());
        if let Some(output) = &action.output {
            named_in(output, roots);
        }
    }
    roots.extend(app.batches.values().filter_map(|batch| batch.input.clone()));
    roots.extend(app.backfills.values().map(|backfill| backfill.record.clone()));
}

/// The plan's form of an action.
pub fn action(action: &model::Action) -> plan::Action {
    plan::Action {
        public: action.public,
        store: action.store.clone(),
        input: action.input.as_ref().map(type_key),
        output: action.output.as_ref().map(shape),
        emits: action.emits.iter().map(type_key).collect(),
        uses: action.uses.clone(),
        starts: action.starts.iter().cloned().collect(),
    }
}

/// The plan's form of a route.
pub fn route(route: &model::Route) -> plan::Route {
    let segment = |segment: &model::Segment| match segment {
        model::Segment::Text(text) => plan::Segment::Text(text.clone()),
        model::Segment::Input(field) => plan::Segment::Input(field.clone()),
    };
    plan::Route {
        method: route.method.clone(),
        path: route.path.iter().map(segment).collect(),
        action: route.action.clone(),
        bearer: route.bearer.clone(),
        settle: route.settle,
        within_ms: route.within_ms,
    }
}

/// The plan's form of a schedule.
pub fn schedule(schedule: &model::Schedule) -> plan::Schedule {
    let when = match &schedule.when {
        model::When::Every { ms } => plan::When::EveryMs(*ms),
        model::When::Daily { hour, minute, zone } => {
            plan::When::Daily { hour: *hour, minute: *minute, zone: zone.clone() }
        }
    };
    plan::Schedule { when, action: schedule.action.clone() }
}

/// The plan's form of a batch.
pub fn batch(batch: &model::Batch) -> plan::Batch {
    plan::Batch { store: batch.store.clone(), input: batch.input.as_ref().map(type_key), size: batch.size }
}

/// The plan's form of a backfill.
pub fn backfill(backfill: &model::Backfill) -> plan::Backfill {
    plan::Backfill {
        store: backfill.store.clone(),
        record: type_key(&backfill.record),
        field: backfill.field.clone(),
        size: backfill.size,
    }
}

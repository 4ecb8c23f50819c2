//! What a deployable reaches of its app: the actions that it may run, the stores that it opens, the connections that it
//! calls through.

use std::collections::BTreeSet;

use crate::outbox;
use crate::plan::{Deployable, Plan};

/// The actions that may run in it: those of its routes and schedules, and every public one where its control port is on.
pub fn actions<'a>(plan: &'a Plan, deployable: &Deployable) -> BTreeSet<&'a str> {
    let routed = deployable.routes.iter().filter_map(|name| plan.routes.get(name)).map(|route| &route.action);
    let scheduled = deployable.schedules.iter().filter_map(|name| plan.schedules.get(name));
    let controlled = deployable.host.as_ref().is_some_and(|host| host.control.is_some());
    let public = plan.actions.iter().filter(|(_, action)| controlled && action.public);
    let named = routed.chain(scheduled.map(|schedule| &schedule.action)).map(String::as_str);
    named.chain(public.map(|(name, _)| name.as_str())).collect()
}

/// The connections that it calls through: its polls', and those that its subscribers and actions may call.
pub fn connections<'a>(plan: &'a Plan, deployable: &'a Deployable) -> Vec<&'a str> {
    let polled = deployable.polls.iter().map(|(connection, _)| connection.as_str());
    let heard =
        deployable.subscribers.iter().filter_map(|name| plan.subscribers.get(name)).flat_map(|subscriber| {
            let origins: &[String] = if subscriber.uses_origin { &subscriber.from } else { &[] };
            subscriber.uses.iter().chain(origins).map(String::as_str)
        });
    let acted = actions(plan, deployable);
    let acted = acted.into_iter().filter_map(|name| plan.actions.get(name));
    let acted = acted.flat_map(|action| action.uses.iter().map(String::as_str));
    let names: BTreeSet<&str> = polled.chain(heard).chain(acted).collect();
    names.into_iter().collect()
}

/// The stores that its subscribers, actions and batches write.
pub fn written<'a>(plan: &'a Plan, deployable: &Deployable) -> BTreeSet<&'a str> {
    let subscribers = deployable.subscribers.iter().filter_map(|name| plan.subscribers.get(name));
    let actions = actions(plan, deployable).into_iter().filter_map(|name| plan.actions.get(name));
    let batches = deployable.batches.iter().filter_map(|name| plan.batches.get(name));
    let backfills = deployable.batches.iter().filter_map(|name| plan.backfills.get(name));
    let stores = subscribers.map(|subscriber| &subscriber.store).chain(actions.map(|action| &action.store));
    let stores = stores.chain(batches.map(|batch| &batch.store));
    stores.chain(backfills.map(|backfill| &backfill.store)).map(String::as_str).collect()
}

/// The stores that its subscribers' deliveries may be kept in. One that this program has no engine for is some other
/// program's, and so are the deliveries in it.
pub fn heard<'a>(plan: &'a Plan, deployable: &Deployable) -> BTreeSet<&'a str> {
    let stores = deployable.subscribers.iter().flat_map(|name| outbox::kept_in(plan, name));
    stores.filter(|name| plan.stores.get(*name).is_some_and(|store| store.native.is_some())).collect()
}

/// What of the plan's actions and batches can't run here, each in a sentence.
pub fn wrong_with(plan: &Plan, deployable: &Deployable) -> Vec<String> {
    let mut problems = Vec::new();
    for (kind, listed, known) in [
        ("route", &deployable.routes, &plan.routes.keys().collect::<BTreeSet<_>>()),
        ("schedule", &deployable.schedules, &plan.schedules.keys().collect()),
        ("batch", &deployable.batches, &plan.batches.keys().chain(plan.backfills.keys()).collect()),
    ] {
        let unknown = listed.iter().filter(|name| !known.contains(name));
        problems.extend(unknown.map(|name| format!("the plan has no {kind} {name}")));
    }
    for name in actions(plan, deployable) {
        let Some(action) = plan.actions.get(name) else {
            problems.push(format!("the plan has no action {name}"));
            continue;
        };
        for batch in &action.starts {
            let batches = plan.batches.get(batch).map(|batch| &batch.store);
            // A run is kept in the commit of the action that starts it, and so in its store.
            match batches.or_else(|| plan.backfills.get(batch).map(|backfill| &backfill.store)) {
                None => problems.push(format!("the plan has no batch {batch}, which {name} starts")),
                Some(store) if *store != action.store => problems.push(format!(
                    "the action {name} starts {batch}, which is kept in another store than it writes"
                )),
                Some(_) => {}
            }
        }
    }
    problems
}

//! BatchRuns of batches and backfills: claimed one by one, made step by step, each step a boundary that keeps its cursor.

mod run;
#[cfg(test)]
mod tests;
mod work;

pub use work::{BatchRuns, work};

use std::collections::BTreeMap;

use crate::plan::{Deployable, Plan};

/// The batches and backfills of a deployable, by the store that keeps their runs.
pub fn by_store(plan: &Plan, deployable: &Deployable) -> BTreeMap<String, Vec<String>> {
    let mut stores: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in &deployable.batches {
        if let Some(store) = store_of(plan, name) {
            stores.entry(store.to_owned()).or_default().push(name.clone());
        }
    }
    stores
}

fn store_of<'p>(plan: &'p Plan, name: &str) -> Option<&'p str> {
    let batch = plan.batches.get(name).map(|batch| &batch.store);
    batch.or_else(|| plan.backfills.get(name).map(|backfill| &backfill.store)).map(String::as_str)
}

/// How many records a step of a batch or a backfill is for.
fn size_of(plan: &Plan, name: &str) -> Option<u32> {
    let batch = plan.batches.get(name).map(|batch| batch.size);
    batch.or_else(|| plan.backfills.get(name).map(|backfill| backfill.size))
}

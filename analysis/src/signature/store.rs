//! The signature of a store.

use std::collections::BTreeMap;

use jadpo_syntax::tree::{Entry, Value, ValueKind};

use super::is_broken;
use crate::db::Db;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Engine, Target};
use crate::values;

/// What others need to know of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreSignature {
    /// What keeps it for each target, where that is given rightly.
    pub engines: BTreeMap<Target, Engine>,
    /// Whether a mistake that is reported elsewhere may be why an engine isn't given.
    pub unsure: bool,
}

/// The signature of a store.
#[salsa::tracked]
pub fn store_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> StoreSignature {
    let Some(fields) = decl.fields(db) else {
        return StoreSignature { unsure: true, ..StoreSignature::default() };
    };
    let written = engine_values(fields);
    let right = |value: &&Value| {
        let (target, engine) = engine(value)?;
        // Under the key of the other target it is a mistake of its own.
        let misplaced = engine_key(fields, value).is_some_and(|key| key != target_key(target));
        (!misplaced).then_some((target, engine))
    };
    let engines: BTreeMap<_, _> = written.iter().filter_map(right).collect();
    let unsure = is_broken(db, decl) || written.is_empty() || engines.len() != written.len();
    StoreSignature { engines, unsure }
}

/// The engines as they are written: one alone, or those of the block.
pub fn engine_values(fields: Fields<'_>) -> Vec<&Value> {
    match fields.value("engine") {
        Some(Value { kind: ValueKind::Block(block), .. }) => {
            block.entries.iter().filter_map(|entry| entry.value.as_ref()).collect()
        }
        other => other.into_iter().collect(),
    }
}

/// The key of the block of engines under which a value stands.
fn engine_key<'a>(fields: Fields<'a>, value: &Value) -> Option<&'a str> {
    let ValueKind::Block(block) = &fields.value("engine")?.kind else { return None };
    let of_value = |entry: &&Entry| entry.value.as_ref().is_some_and(|own| own.span == value.span);
    block.entries.iter().find(of_value).map(|entry| &*entry.key.text)
}

/// The key of the block of engines that is for a target.
pub fn target_key(target: Target) -> &'static str {
    match target {
        Target::Native => "native",
        Target::Workers => "workers",
    }
}

/// What a call names, and the target that can run it.
pub fn engine(value: &Value) -> Option<(Target, Engine)> {
    let (name, args) = values::call(value)?;
    let [arg] = args else { return None };
    let text = || values::text(arg).map(|text| text.value.to_string());
    match &*name.text {
        "sqlite" => Some((Target::Native, Engine::Sqlite(text()?))),
        "postgres" => Some((Target::Native, Engine::Postgres(values::env(arg)?.value.to_string()))),
        "d1" => Some((Target::Workers, Engine::D1(text()?))),
        _ => None,
    }
}

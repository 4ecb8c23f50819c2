//! The databases of the stores that a deployable reaches: its target can run each.

use std::collections::BTreeMap;

use jadpo_syntax::tree::{Keyword, ValueKind};

use super::places;
use crate::check::Check;
use crate::check::store::{engine_text, target_text};
use crate::deployables::{Part, PartKind, parts};
use crate::diagnostics::Place;
use crate::diagnostics::codes::app;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Target;
use crate::names;
use crate::signature::{engine_values, store_signature, target_key};

/// Each store that it reaches has a database for its target.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, target: Target) {
    let mut by_store = BTreeMap::<&str, Vec<&Part>>::new();
    for part in parts(cx.db, cx.decl) {
        if let Some(store) = &part.store {
            by_store.entry(store).or_default().push(part);
        }
    }
    for (name, reached) in by_store {
        let Some(store) = names::find(cx.db, cx.scope, Keyword::Store, name) else { continue };
        let signature = store_signature(cx.db, store);
        if !signature.unsure && !signature.engines.contains_key(&target) {
            lacking(cx, fields, target, store, &reached);
        }
    }
}

/// Reports a store without a database for the target, and why it is reached.
fn lacking<'db>(
    cx: &mut Check<'db>,
    fields: Fields<'_>,
    target: Target,
    store: DeclSrc<'db>,
    reached: &[&Part],
) {
    let db = cx.db;
    // Where all that is there runs, no element of a list brings the store in.
    let Some(part) = reached.iter().find(|part| !part.listed).or(reached.first()) else { return };
    let (name, written) = (store.name_text(db), store_signature(db, store).engines.values().next());
    let engine = written.map(engine_text).unwrap_or_default();
    let message = format!(
        "`{}` runs {}, where store `{name}` has no database: {} {}",
        cx.decl.name_text(db),
        target_text(target),
        part.text(),
        why(part.kind),
    );
    let (at, text) = (engine_place(cx, store), both(store, db, target));
    let because = part.decl(db, cx.scope).map(|decl| names::name_place(db, decl));
    let span = places::of_part(fields, part);
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, span, message);
    finding.label(format!("no database of `{name}` here"));
    finding.related(at, format!("only {engine}, which runs {}", target_text(other(target))));
    if let Some(because) = because {
        finding.related(because, format!("{} {}", part.text(), why(part.kind)));
    }
    match text {
        Some(text) => {
            finding.help(format!("give `{name}` one for each: `engine: {text}`"));
            finding.suggest(format!("write `engine: {text}`"), at, text);
        }
        None => {
            finding.help(format!("give `{name}` one with `{}` in its `engine`", example(name, target)));
        }
    }
}

fn why(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Poll => "keeps its events in it",
        PartKind::Batch | PartKind::Backfill => "keeps its runs in it",
        PartKind::Route | PartKind::Subscriber | PartKind::Schedule | PartKind::Action => "writes it",
    }
}

fn other(target: Target) -> Target {
    match target {
        Target::Native => Target::Workers,
        Target::Workers => Target::Native,
    }
}

/// A database for a target, as one would write it in the block of an engine.
fn example(store: &str, target: Target) -> String {
    match target {
        Target::Native => format!("native: sqlite(\"data/{store}.db\")"),
        Target::Workers => format!("workers: d1(\"{}\")", store.to_ascii_uppercase()),
    }
}

/// The store's engine with one for the other target beside it, where it stands alone.
fn both<'db>(store: DeclSrc<'db>, db: &'db dyn crate::db::Db, missing: Target) -> Option<String> {
    let fields = store.fields(db)?;
    let [value] = engine_values(fields)[..] else { return None };
    if matches!(fields.value("engine")?.kind, ValueKind::Block(_)) {
        return None;
    }
    let written = value.span.text(store.text(db));
    let (kept, added) =
        (format!("{}: {written}", target_key(other(missing))), example(store.name_text(db), missing));
    let entries = if missing == Target::Workers { [kept, added] } else { [added, kept] };
    Some(format!("{{ {} }}", entries.join("  ")))
}

/// Where a store's engine stands, else its name. For reports only.
fn engine_place<'db>(cx: &Check<'db>, store: DeclSrc<'db>) -> Place<'db> {
    let value = store.fields(cx.db).and_then(|fields| fields.value("engine"));
    value.map_or_else(|| names::name_place(cx.db, store), |value| Place::in_decl(store, value.span))
}

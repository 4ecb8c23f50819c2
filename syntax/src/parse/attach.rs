//! Gives each declaration, entry, field and variant the docs that stand before it.

use crate::tree::{Block, Body, Declaration, Field, TypeBody, Value, ValueKind, Variant, WireName};

use super::stream::DocRun;

/// Moves the lines of `runs` into the tree; what is left of `runs` documents nothing.
pub(super) fn attach(runs: &mut Vec<DocRun>, declaration: &mut Declaration) {
    if runs.is_empty() {
        return;
    }
    declaration.docs = take(runs, declaration.span.start);
    match &mut declaration.body {
        Body::Type(body) => type_body(runs, body),
        Body::Block(body) => block(runs, body),
        Body::Missing => {}
    }
}

fn take(runs: &mut Vec<DocRun>, start: u32) -> Vec<String> {
    let place = runs.binary_search_by_key(&start, |run| run.before.unwrap_or(u32::MAX));
    place.map_or_else(|_| Vec::new(), |place| runs.remove(place).lines)
}

fn type_body(runs: &mut Vec<DocRun>, body: &mut TypeBody) {
    match body {
        TypeBody::Object(all) => fields(runs, all),
        TypeBody::Event { wire_names, fields: all } => {
            for WireName { docs, span, .. } in wire_names {
                *docs = take(runs, span.start);
            }
            fields(runs, all);
        }
        TypeBody::Enum(variants) => {
            for Variant { docs, span, .. } in variants {
                *docs = take(runs, span.start);
            }
        }
        TypeBody::Alias(_, constraints) => constraints.iter_mut().for_each(|all| block(runs, all)),
        TypeBody::Missing => {}
    }
}

fn fields(runs: &mut Vec<DocRun>, fields: &mut [Field]) {
    for field in fields {
        field.docs = take(runs, field.span.start);
        field.constraints.iter_mut().for_each(|all| block(runs, all));
    }
}

fn block(runs: &mut Vec<DocRun>, block: &mut Block) {
    for entry in &mut block.entries {
        entry.docs = take(runs, entry.span.start);
        entry.value.iter_mut().for_each(|one| value(runs, one));
    }
}

fn value(runs: &mut Vec<DocRun>, value_: &mut Value) {
    match &mut value_.kind {
        ValueKind::Block(inner) | ValueKind::Type(_, Some(inner)) => block(runs, inner),
        ValueKind::List(values) | ValueKind::Call(_, values) => {
            for one in values {
                value(runs, one);
            }
        }
        _ => {}
    }
}

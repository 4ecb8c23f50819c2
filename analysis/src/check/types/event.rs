//! Rules of Events: the provider's name for one, when it happened, and fields that make every poll a change.

use jadpo_syntax::tree::{Declaration, Field, Keyword, WireName};

use crate::check::Check;
use crate::db::Db;
use crate::diagnostics::codes::package::{
    POLL_CLOCK_LIKE_FIELD, TYPE_VALUE_INVALID, TYPE_WIRE_NAME_DUPLICATE,
};
use crate::items::DeclSrc;
use crate::model::Type;
use crate::names;
use crate::package_facts::facts;
use crate::resolve::{self, Kind};
use crate::shared_names::same_wire_name;
use crate::signature;

/// Names of fields that say when an answer was made, not when something in it happened.
const CLOCK_LIKE: [&str; 23] = [
    "as_of",
    "cached_at",
    "checked_at",
    "current_time",
    "fetch_time",
    "fetched",
    "fetched_at",
    "generated",
    "generated_at",
    "generated_on",
    "now",
    "polled_at",
    "queried_at",
    "query_time",
    "rendered_at",
    "request_time",
    "requested_at",
    "responded_at",
    "response_time",
    "retrieved_at",
    "served_at",
    "server_time",
    "system_time",
];

/// At most one `wire_name:`, and it is one.
pub fn wire_names(cx: &mut Check<'_>, wire_names: &[WireName]) {
    let Some((first, others)) = wire_names.split_first() else { return };
    if first.value.value.trim().is_empty() {
        cx.report(
            TYPE_VALUE_INVALID,
            first.value.span,
            "`wire_name` is the name that the provider sends, not nothing",
        );
    }
    if let Some(other) = same_wire_name(cx.db, cx.decl) {
        let place = names::name_place(cx.db, other);
        let (own, wire) = (cx.decl.name_text(cx.db), &first.value.value);
        let message = format!("`{own}` and `{}` are both sent as {wire:?}", other.name_text(cx.db));
        cx.report(TYPE_WIRE_NAME_DUPLICATE, first.value.span, message).related(place, "the other one");
    }
    for other in others {
        let related = cx.at(first.span);
        cx.report(TYPE_VALUE_INVALID, other.span, "`wire_name` is given twice")
            .label("given again here")
            .related(related, "first given here");
    }
}

/// What an event's fields mean to those who send it and to the polls that emit it.
pub fn fields(cx: &mut Check<'_>, declaration: &Declaration, wire_names: &[WireName], fields: &[Field]) {
    if wire_names.is_empty() {
        clock_like(cx, declaration, fields);
    } else {
        occurred_at(cx, fields);
    }
}

/// `occurred_at` of an event that the provider sends is when it happened.
fn occurred_at(cx: &mut Check<'_>, fields: &[Field]) {
    let Some(field) = fields.iter().find(|field| &*field.name.text == "occurred_at") else { return };
    let Some(written) = &field.ty else { return };
    let Some(ty) = signature::read_type(written, field.constraints.as_ref()) else { return };
    match resolve::kind(cx.db, cx.scope, &ty) {
        None => {}
        Some(resolved) if matches!(resolved.kind, Kind::Scalar(Type::Instant(_))) => {}
        Some(_) => {
            cx.report(
                TYPE_VALUE_INVALID,
                written.span,
                "`occurred_at` is when the event happened: an `Instant`",
            )
            .help("give a field that means something else another name, and say `as \"occurred_at\"`");
        }
    }
}

/// A polled event with the time of its fetching is another event each time.
fn clock_like(cx: &mut Check<'_>, declaration: &Declaration, fields: &[Field]) {
    let mut suspects = fields.iter().filter(|field| CLOCK_LIKE.contains(&&*field.name.text)).peekable();
    if suspects.peek().is_none() {
        return;
    }
    let Some(poll) = emitting_poll(cx.db, cx.decl) else { return };
    for field in suspects {
        let ty = field.ty.as_ref().and_then(|ty| signature::read_type(ty, field.constraints.as_ref()));
        let resolved = ty.and_then(|ty| resolve::kind(cx.db, cx.scope, &ty));
        if !resolved.is_some_and(|resolved| matches!(resolved.kind, Kind::Scalar(Type::Instant(_)))) {
            continue;
        }
        let event = declaration.name.as_ref().map(|name| &*name.text).unwrap_or_default();
        let name = &field.name.text;
        let emitted = names::owner(cx.db, cx.scope)
            .map(|owner| names::key_place(cx.db, owner, &["polls", poll, "emits"]));
        let at = cx.at(field.span);
        let message = format!(
            "`{name}` of `{event}` looks like the time of the fetching, so every poll of `{poll}` would be a change"
        );
        let finding = cx.report(POLL_CLOCK_LIKE_FIELD, field.name.span, message);
        if let Some(emitted) = emitted {
            finding.related(emitted, format!("`{poll}` emits `{event}` when one of its fields has changed"));
        }
        finding.help(format!("leave `{name}` out of the event; the answer may keep it")).suggest(
            format!("remove `{name}`"),
            at,
            "",
        );
    }
}

/// The first poll of the package that emits an event.
#[salsa::tracked(returns(as_deref))]
fn emitting_poll<'db>(db: &'db dyn Db, event: DeclSrc<'db>) -> Option<Box<str>> {
    debug_assert_eq!(event.keyword(db), Some(Keyword::Type));
    let polls = &facts(db, event.scope(db)).polls;
    let poll = polls.iter().find(|poll| poll.event.as_deref() == Some(event.name_text(db)))?;
    Some(poll.name.clone())
}

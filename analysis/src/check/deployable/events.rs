//! What a deployable emits reaches whoever hears it, and no poll of it runs in another database too.

use jadpo_syntax::tree::Keyword;

use super::places;
use crate::check::Check;
use crate::check::store::target_text;
use crate::deployables::{Unheard, doubled_polls, unheard_events};
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::model::TypeRef;
use crate::names;
use crate::prose;

/// Reports the events that nobody delivers, at the list that lacks who hears them.
pub fn are_heard(cx: &mut Check<'_>, fields: Fields<'_>) {
    let name = cx.decl.name_text(cx.db);
    for unheard in unheard_events(cx.db, cx.scope).iter().filter(|unheard| *unheard.deployable == *name) {
        undelivered(cx, fields, unheard);
    }
}

fn undelivered(cx: &mut Check<'_>, fields: Fields<'_>, unheard: &Unheard) {
    let (db, subscriber, part) = (cx.db, &unheard.subscriber, &unheard.part);
    let event = event_text(&unheard.event);
    let place = |keyword, name: &str| {
        let decl = names::find(db, cx.scope, keyword, name);
        decl.map(|decl| names::name_place(db, decl))
    };
    let (hears, emits) = (
        place(Keyword::Subscriber, subscriber),
        part.decl(db, cx.scope).map(|decl| names::name_place(db, decl)),
    );
    let other = unheard.run_by.as_ref().and_then(|other| Some((other, place(Keyword::Deployable, other)?)));
    let message = format!(
        "`{event}` is emitted {}, where no deployable runs its subscriber `{subscriber}`: {} emits it",
        target_text(unheard.target),
        part.text()
    );
    let span = fields.span("subscribers");
    let edit = places::with_name(cx, fields, "subscribers", subscriber);
    let finding = cx.report(app::DEPLOYABLE_EVENT_UNHEARD, span, message);
    finding.label(format!("without `{subscriber}`"));
    if let Some(place) = emits {
        finding.related(place, format!("emits `{event}`"));
    }
    if let Some(place) = hears {
        finding.related(place, "hears it");
    }
    match other {
        Some((other, place)) => {
            finding.related(place, format!("`{other}` runs `{subscriber}`, over another database"));
            finding.help("each target has a database of its own: what is emitted into one is never read from the other");
        }
        None => {
            finding.help("a delivery waits in the store until a deployable runs its subscriber");
        }
    }
    if let Some((at, text)) = edit {
        finding.suggest(format!("add `{subscriber}`"), at, text);
    }
}

fn event_text(event: &TypeRef) -> String {
    match &event.package {
        Some(package) => format!("{package}.{}", event.name),
        None => event.name.clone(),
    }
}

/// Warns of polls that are run by a deployable for the other target too.
pub fn are_polled_once(cx: &mut Check<'_>, fields: Fields<'_>) {
    let name = cx.decl.name_text(cx.db);
    let own = doubled_polls(cx.db, cx.scope).iter().filter(|doubled| *doubled.deployable == *name);
    let (listed, taken_in): (Vec<_>, Vec<_>) = own.partition(|doubled| doubled.listed);
    for doubled in listed {
        let span = places::of_poll(fields, &doubled.poll);
        polled_twice(cx, span, &[poll_text(&doubled.poll)], &doubled.other);
    }
    if let Some(first) = taken_in.first() {
        let polls: Vec<_> = taken_in.iter().map(|doubled| poll_text(&doubled.poll)).collect();
        let span = if fields.entry("polls").is_some() { fields.span("polls") } else { fields.span("target") };
        polled_twice(cx, span, &polls, &first.other);
    }
}

fn polled_twice(cx: &mut Check<'_>, span: jadpo_syntax::Span, polls: &[String], other: &str) {
    let db = cx.db;
    let place = names::find(db, cx.scope, Keyword::Deployable, other).map(|decl| names::name_place(db, decl));
    let (noun, verb, it) = if polls.len() == 1 { ("poll", "runs", "it") } else { ("polls", "run", "them") };
    let message = format!(
        "{noun} {} {verb} in `{}` and in `{other}`, over different databases",
        prose::list(polls.iter().map(String::as_str)),
        cx.decl.name_text(db)
    );
    let finding = cx.report(app::DEPLOYABLE_POLL_DOUBLED, span, message);
    finding.label(format!("{verb} twice"));
    if let Some(place) = place {
        finding.related(place, format!("{verb} here too"));
    }
    finding.help(format!(
        "both call the provider, and each database keeps events of its own: let one of the two run {it}, by `polls: […]`"
    ));
}

fn poll_text((connection, poll): &(Box<str>, Box<str>)) -> String {
    format!("{connection}.{poll}")
}

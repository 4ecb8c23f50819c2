//! A connection's `polls:`, and the polls of its package that nobody hears.

use std::collections::HashSet;

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Entry, Number, Value, ValueKind};

use super::Used;
use crate::check::Check;
use crate::check::intervals::Interval;
use crate::diagnostics::codes::app;
use crate::keys::{DURATION_MAX_MS, Fields, MINUTE_MS, duration_text};
use crate::live_polls::{is_event, listeners, poll_event};
use crate::nearest::nearest;
use crate::package_facts::PollFact;
use crate::prose;
use crate::signature::Known;
use crate::values;

/// Each entry gives one of the package's polls an interval that can be kept.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>) {
    let Some(polls) = fields.entry("polls") else { return };
    let all_known = used.facts.polls_known == Known::All;
    if used.facts.polls.is_empty() {
        if all_known {
            let place = used.place(cx, &[]);
            let message = format!("package `{}` has no polls, so none can have another interval", used.name);
            cx.report(app::CONNECTION_KEY_INVALID, polls.key.span, message)
                .label("it takes none")
                .related(place, "the package");
        }
        return;
    }
    let entries = fields.open_entries("polls");
    let mut known = HashSet::new();
    for entry in entries {
        let again = !known.insert(&entry.key.text);
        match used.facts.poll(&entry.key.text) {
            Some(poll) if !again => interval(cx, entry, poll),
            None if all_known => unknown(cx, entries, entry, used),
            _ => {}
        }
    }
}

fn unknown<'db>(cx: &mut Check<'db>, entries: &[Entry], entry: &Entry, used: &Used<'db>) {
    let free = used.facts.polls.iter();
    let free = free.filter(|poll| entries.iter().all(|entry| entry.key.text != poll.name));
    let meant = nearest(&entry.key.text, free.map(|poll| &*poll.name));
    let known = prose::list(used.facts.polls.iter().map(|poll| &*poll.name));
    let message = format!("package `{}` has no poll `{}`", used.name, entry.key.text);
    cx.report(app::CONNECTION_KEY_INVALID, entry.key.span, message)
        .help(format!("its polls are {known}"))
        .nearest(meant);
}

/// An interval is a duration of a minute or more.
fn interval(cx: &mut Check<'_>, entry: &Entry, poll: &PollFact) {
    let name = &entry.key.text;
    let shortest = duration_text(MINUTE_MS);
    let Some(value) = &entry.value else {
        if !cx.broken {
            let place = cx.at(Span::empty(entry.span.end));
            let message = format!("`{name}` has no interval: it takes a duration of a minute or more");
            cx.report(app::CONNECTION_VALUE_INVALID, entry.key.span, message)
                .help(format!("write `{name}: {shortest}`, or leave it out to keep the package's interval"))
                .suggest(format!("write `{shortest}`"), place, format!(" {shortest}"));
        }
        return;
    };
    let Some((why, meant)) = misfit(value) else {
        let every_ms = values::duration_ms(value).and_then(|ms| u64::try_from(ms).ok());
        if let (Some(ms), Some(worst)) = (every_ms, poll.worst) {
            Interval { poll: name, key: name, ms }.outlasted(cx, value.span, worst);
        }
        return;
    };
    let place = cx.at(value.span);
    cx.report(app::CONNECTION_VALUE_INVALID, value.span, format!("`{name}` {why}")).suggest(
        format!("write `{meant}`"),
        place,
        meant,
    );
}

/// What is wrong with an interval, and the nearest that is right.
fn misfit(value: &Value) -> Option<(String, String)> {
    const EXPECTED: &str = "a duration of a minute or more";
    let shortest = duration_text(MINUTE_MS);
    let ValueKind::Number(number) = &value.kind else {
        let written = match &value.kind {
            ValueKind::Type(expr, _) => format!("`{}`", expr.path_text()),
            ValueKind::Call(name, _) => format!("`{}(…)`", name.text),
            _ => values::form_of(value).to_owned(),
        };
        return Some((format!("takes {EXPECTED}, not {written}"), shortest));
    };
    let written = &number.text;
    match number.number {
        Number::Invalid => None,
        Number::Duration(Some(ms)) if ms < MINUTE_MS => {
            let why = format!("is {EXPECTED}, since the tick runs once a minute; `{written}` is shorter");
            Some((why, shortest))
        }
        Number::Duration(Some(ms)) if ms <= DURATION_MAX_MS => None,
        Number::Duration(_) => {
            let longest = duration_text(DURATION_MAX_MS);
            Some((format!("is at most `{longest}`; `{written}` is longer"), longest))
        }
        _ => Some((format!("takes {EXPECTED}, not `{written}`"), shortest)),
    }
}

/// Notes the polls of the package that don't run for this connection: each that it names, and the others together.
pub fn unheard<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>) {
    let heard = listeners(cx.db, cx.scope);
    // A subscriber that names what isn't there most likely means one of these.
    if heard.unclear {
        return;
    }
    let connection = cx.decl.name_text(cx.db);
    let silent = used.facts.polls.iter().filter_map(|poll| {
        let event = poll_event(used.name, poll)?;
        let runs = is_event(cx.db, cx.scope, &event);
        (runs && !heard.hear(&event, connection)).then_some(poll)
    });
    let entries = fields.open_entries("polls");
    let (named, others): (Vec<_>, Vec<_>) =
        silent.partition(|poll| entries.iter().any(|entry| entry.key.text == poll.name));
    for poll in named {
        let entry = entries.iter().find(|entry| entry.key.text == poll.name);
        note(cx, used, entry.map_or(cx.head(), |entry| entry.key.span), &[poll]);
    }
    if !others.is_empty() {
        note(cx, used, cx.head(), &others);
    }
}

fn note<'db>(cx: &mut Check<'db>, used: &Used<'db>, span: Span, polls: &[&PollFact]) {
    let connection = cx.decl.name_text(cx.db);
    let names = prose::list(polls.iter().map(|poll| &*poll.name));
    let mut events: Vec<String> = Vec::new();
    for event in polls.iter().filter_map(|poll| Some(format!("{}.{}", used.name, poll.event.as_deref()?))) {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    let (noun, verb) = if polls.len() == 1 { ("poll", "runs") } else { ("polls", "run") };
    let message = format!(
        "no subscriber hears {} through `{connection}`, so its {noun} {names} never {verb}",
        prose::list(events.iter().map(String::as_str)).replace(" and ", " or "),
    );
    let places: Vec<_> = polls.iter().map(|poll| used.place(cx, &["polls", &poll.name])).collect();
    let finding = cx.report(app::POLL_UNHEARD, span, message);
    for place in places {
        finding.related(place, "left out of the plan");
    }
    finding.label("unheard");
    if let (Some(event), Some(poll)) = (events.first(), polls.first()) {
        finding.help(format!("`{}` runs as soon as a subscriber has `on: {event}`", poll.name));
    }
}

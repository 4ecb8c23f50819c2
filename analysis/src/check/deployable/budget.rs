//! Calls that take longer at worst than what makes them has time for.

use jadpo_syntax::tree::Keyword;

use super::places;
use crate::check::Check;
use crate::db::Db;
use crate::deployables::{Limit, Short, short_calls};
use crate::diagnostics::Place;
use crate::diagnostics::codes::app;
use crate::items::DeclSrc;
use crate::keys::{Fields, duration_text};
use crate::names;
use crate::prose::exact_time_text;
use crate::worst_case::{WORKERS_BUDGET_MS, WorstCall, longest_waits_ms, usable_ms};

/// The longest `within:` that a route may have, and the shortest `timeout:` of an attempt.
const WITHIN_MS_MAX: u64 = 60_000;
const TIMEOUT_MS_MIN: u64 = 100;

/// Warns of each call that it makes first.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let name = cx.decl.name_text(cx.db);
    for short in short_calls(cx.db, cx.scope).iter().filter(|short| *short.deployable == *name) {
        match short.limit {
            Limit::Invocation => attempt_outlasts(cx, fields, short),
            Limit::Within(within_ms) => call_outlasts(cx, fields, short, within_ms),
        }
    }
}

fn attempt_outlasts(cx: &mut Check<'_>, fields: Fields<'_>, short: &Short) {
    let Short { part, connection, call, .. } = short;
    let (budget_ms, enough_ms) = (WORKERS_BUDGET_MS, usable_ms(WORKERS_BUDGET_MS));
    let (timeout, enough) = (exact_time_text(call.worst.timeout_ms), written(enough_ms));
    let message = format!(
        "one attempt of `{}` through `{connection}` may take {timeout}, and an invocation on Workers can use {} of its {}",
        call.operation,
        exact_time_text(enough_ms),
        exact_time_text(budget_ms),
    );
    let timeout_at = timeout_place(cx, short);
    let because = part.decl(cx.db, cx.scope).map(|decl| names::name_place(cx.db, decl));
    let finding = cx.report(app::DEPLOYABLE_BUDGET_SHORT, places::of_part(fields, part), message);
    finding.label(format!("{} may be cut off", part.text()));
    if let Some(because) = because {
        finding.related(because, format!("{} calls it", part.text()));
    }
    finding.help(format!(
        "{} is kept back for giving back what isn't done; `timeout: {enough}` is short enough",
        exact_time_text(budget_ms - enough_ms)
    ));
    if let Some((place, is_value)) = timeout_at {
        finding.related(place, format!("an attempt may take {timeout}"));
        if is_value {
            finding.suggest(format!("write `timeout: {enough}`"), place, enough);
        }
    }
}

fn call_outlasts(cx: &mut Check<'_>, fields: Fields<'_>, short: &Short, within_ms: u64) {
    let Short { part, connection, call, .. } = short;
    let (db, worst_ms) = (cx.db, call.worst.ms());
    let (worst, within) = (exact_time_text(worst_ms), exact_time_text(within_ms));
    let message = format!(
        "route `{}` ends after {within}, but one call of `{}` through `{connection}` can take {worst}",
        part.name, call.operation
    );
    let route = names::find(db, cx.scope, Keyword::Route, &part.name);
    let within_at = route.map(|route| value_place(db, route, "within"));
    let timeout_at = timeout_place(cx, short);
    let finding = cx.report(app::DEPLOYABLE_BUDGET_SHORT, places::of_part(fields, part), message);
    finding.label(format!("{} may be cut off", part.text()));
    if let Some((place, _)) = within_at {
        finding.related(place, format!("it ends after {within}"));
    }
    if let Some((place, _)) = timeout_at {
        finding.related(place, format!("an attempt may take {}", exact_time_text(call.worst.timeout_ms)));
    }
    let sum = call.worst.sum_text();
    let enough_ms = worst_ms.div_ceil(1_000).saturating_mul(1_000);
    if enough_ms <= WITHIN_MS_MAX {
        let enough = written(enough_ms);
        finding.help(format!(
            "{sum}; `within: {enough}` is long enough, and so may be fewer or shorter attempts"
        ));
        if let Some((place, true)) = within_at {
            finding.suggest(format!("write `within: {enough}`"), place, enough);
        }
    } else {
        let change = shorter(call.worst, within_ms);
        finding.help(format!("{sum}, and `within` is at most {}; {change}", exact_time_text(WITHIN_MS_MAX)));
    }
}

/// The smallest change of the package with which a call fits: a shorter timeout, else fewer attempts.
fn shorter(call: WorstCall, within_ms: u64) -> String {
    let attempts = u64::from(call.retry.attempts);
    let fitting_ms = within_ms.saturating_sub(longest_waits_ms(&call.retry)) / attempts.max(1);
    let rounded_ms = if fitting_ms >= 1_000 { fitting_ms - fitting_ms % 1_000 } else { fitting_ms };
    if rounded_ms >= TIMEOUT_MS_MIN {
        return format!("`timeout: {}` is short enough", written(rounded_ms));
    }
    let mut fewer = (1..call.retry.attempts).rev();
    let fits = fewer.find(|attempts| {
        let retry = crate::model::Retry { attempts: *attempts, ..call.retry };
        WorstCall { retry, ..call }.ms() <= within_ms
    });
    match fits {
        Some(attempts) => format!("`retry: {{ attempts: {attempts} }}` is few enough"),
        None => "it needs fewer and shorter attempts".to_owned(),
    }
}

/// Where the timeout of a call is given, and whether it is written there.
fn timeout_place<'db>(cx: &Check<'db>, short: &Short) -> Option<(Place<'db>, bool)> {
    let db = cx.db;
    let package = names::package(db, cx.project, &short.package)?;
    let decl = if short.call.own_timeout {
        names::find(db, package, Keyword::Operation, &short.call.operation)?
    } else {
        names::owner(db, package)?
    };
    Some(value_place(db, decl, "timeout"))
}

/// Where a key's value stands, else the declaration's name, and whether it is the value. For reports only.
fn value_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>, key: &str) -> (Place<'db>, bool) {
    let value = decl.fields(db).and_then(|fields| fields.value(key));
    match value {
        Some(value) => (Place::in_decl(decl, value.span), true),
        None => (names::name_place(db, decl), false),
    }
}

fn written(ms: u64) -> String {
    duration_text(i64::try_from(ms).unwrap_or(i64::MAX))
}

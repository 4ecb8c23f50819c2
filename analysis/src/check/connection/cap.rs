//! A connection's `max_concurrent:`, and whether its polls can keep their intervals under it.

use super::Used;
use crate::check::Check;
use crate::diagnostics::codes::app;
use crate::keys::{Fields, duration_text};
use crate::live_polls::live_polls;
use crate::model::LivePoll;
use crate::prose::exact_time_text;

/// Parts of a call at once that sums are counted in.
const PARTS: u128 = 1_000_000;

/// It may only lower the package's, and must leave room for the connection's own polls.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>) {
    let own = fields.whole("max_concurrent").and_then(|whole| u64::try_from(whole).ok());
    match (own, used.facts.max_concurrent) {
        (Some(own), Some(cap)) if own > cap => above(cx, fields, used, own, cap),
        (None, None) => {}
        (None, Some(_)) if fields.entry("max_concurrent").is_some() => {}
        (own, cap) => overcommitted(cx, fields, used, own.or(cap).unwrap_or(u64::MAX)),
    }
}

fn above<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>, own: u64, cap: u64) {
    let span = fields.span("max_concurrent");
    let (place, theirs) = (cx.at(span), used.place(cx, &["max_concurrent"]));
    let message = format!(
        "`{}` allows {own} calls at once, and package `{}` at most {cap}: a connection may only lower it",
        cx.decl.name_text(cx.db),
        used.name
    );
    cx.report(app::CONNECTION_VALUE_INVALID, span, message)
        .related(theirs, format!("the package's cap is {cap}"))
        .fix(format!("write `{cap}`"), place, cap.to_string());
}

/// A live poll and what its call takes at worst.
struct Load<'a> {
    poll: &'a LivePoll,
    worst_ms: u64,
}

impl Load<'_> {
    /// How much of a call at once it asks for, in [`PARTS`].
    fn parts(&self) -> u128 {
        u128::from(self.worst_ms) * PARTS / u128::from(self.poll.every_ms.max(1))
    }
}

/// Warns of live polls that at worst ask for more than the cap.
fn overcommitted<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>, cap: u64) {
    let loads: Vec<_> = live_polls(cx.db, cx.decl)
        .iter()
        .filter_map(|poll| Some(Load { poll, worst_ms: used.facts.poll(&poll.name)?.worst?.ms() }))
        .collect();
    // A poll that can't even keep its interval alone is warned of where the interval stands.
    if loads.iter().any(|load| load.worst_ms > load.poll.every_ms) {
        return;
    }
    let asked: u128 = loads.iter().map(Load::parts).sum();
    if asked <= u128::from(cap) * PARTS {
        return;
    }
    let each = loads.iter().map(|load| {
        let (worst, every) = (exact_time_text(load.worst_ms), exact_time_text(load.poll.every_ms));
        format!("`{}` takes {worst} in every {every}", load.poll.name)
    });
    let each: Vec<_> = each.collect();
    let hundredths = asked.div_ceil(PARTS / 100);
    let message = format!(
        "the polls of `{}` need {}.{:02} calls at once at worst, and it may make {cap}: {}",
        cx.decl.name_text(cx.db),
        hundredths / 100,
        hundredths % 100,
        each.join(", ")
    );
    let needed = u64::try_from(asked.div_ceil(PARTS)).unwrap_or(u64::MAX);
    let written = fields.entry("max_concurrent").is_some();
    let span = if written { fields.span("max_concurrent") } else { cx.head() };
    let (place, theirs) = (cx.at(span), used.place(cx, &["max_concurrent"]));
    let finding = cx.report(app::CONNECTION_OVERCOMMITTED, span, message);
    if !written {
        finding.related(theirs, "its cap is the package's");
    }
    if written && used.facts.max_concurrent.is_none_or(|cap| needed <= cap) {
        finding.help(format!("`max_concurrent: {needed}` is enough"));
        finding.suggest(format!("write `{needed}`"), place, needed.to_string());
    } else if let Some((poll, every)) = longer_interval(&loads, asked, cap) {
        finding.help(format!("`polls: {{ {poll}: {every} }}` is enough, or fewer or shorter attempts"));
    } else {
        finding.help("give the polls longer intervals, or their calls fewer or shorter attempts");
    }
}

/// The poll that asks for most and the shortest interval of whole minutes that makes all of them fit, if one does.
fn longer_interval<'a>(loads: &[Load<'a>], asked: u128, cap: u64) -> Option<(&'a str, String)> {
    let most = loads.iter().max_by_key(|load| load.parts())?;
    let room = (u128::from(cap) * PARTS).checked_sub(asked - most.parts()).filter(|room| *room > 0)?;
    let ms = (u128::from(most.worst_ms) * PARTS).div_ceil(room);
    let minutes = i64::try_from(ms.div_ceil(60_000)).ok()?;
    Some((&most.poll.name, duration_text(minutes.checked_mul(60_000)?)))
}

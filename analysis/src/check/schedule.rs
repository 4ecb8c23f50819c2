//! Rules of `schedule`: when it runs, and an action that needs nothing to start.

use jadpo_syntax::tree::{Keyword, StringLit};

use super::Check;
use crate::db::Db;
use crate::diagnostics::codes::app::NAME_UNKNOWN;
use crate::diagnostics::codes::deferred::{
    SCHEDULE_KEY_INVALID, SCHEDULE_KEY_MISSING, SCHEDULE_VALUE_INVALID,
};
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Schedule, When};
use crate::names;
use crate::signature::{action_signature, schedule_signature};
use crate::zones;

/// It says when in one way, and runs an action without an input.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    one_way(cx, fields);
    if let Some(time) = fields.text("daily_at") {
        time_of_day(cx, time);
    }
    if let Some(zone) = fields.text("zone") {
        zone_is_known(cx, zone);
    }
    without_input(cx, fields);
}

/// An interval, or a time of day with its zone.
fn one_way(cx: &mut Check<'_>, fields: Fields<'_>) {
    let key = |key| fields.entry(key).map(|entry| entry.key.span);
    match (key("every"), key("daily_at"), key("zone")) {
        (Some(every), Some(daily), _) => {
            let (first, second) = (every.min(daily), every.max(daily));
            let first = cx.at(first);
            let message = "`every` and `daily_at` are two ways to say when it runs";
            cx.report(SCHEDULE_KEY_INVALID, second, message)
                .related(first, "said here already")
                .help("keep one; `zone` goes with `daily_at`");
        }
        (Some(_), None, Some(zone)) if !fields.has_unknown_key() => {
            let message = "`zone` says where `daily_at` is the local time, and `every` needs none";
            cx.report(SCHEDULE_KEY_INVALID, zone, message).label("leave it out");
        }
        (None, Some(daily), None) if !fields.has_unknown_key() && !cx.broken => {
            let (at, text) = cx.insertion(fields.block, "zone: \"UTC\"");
            cx.report(SCHEDULE_KEY_MISSING, daily, "`daily_at` needs `zone`, the time zone of its time")
                .help("write `zone: \"Europe/London\"`, or another name of the IANA time zone database")
                .suggest("write `zone: \"UTC\"`", at, text);
        }
        (None, None, zone) if !fields.has_unknown_key() && !cx.broken => {
            let head = cx.head();
            let message = match zone {
                Some(_) => "a schedule with `zone` needs `daily_at`, the local time",
                None => "a schedule needs `every`, or `daily_at` with `zone`",
            };
            cx.report(SCHEDULE_KEY_MISSING, head, message)
                .help("write `every: 5m`, or `daily_at: \"03:00\"  zone: \"Europe/London\"`");
        }
        _ => {}
    }
}

fn time_of_day(cx: &mut Check<'_>, time: &StringLit) {
    if hour_and_minute(&time.value).is_some() {
        return;
    }
    let place = cx.at(time.span);
    let padded = format!("0{}", time.value);
    let message = format!("{:?} is no time of day", time.value);
    let finding = cx.report(SCHEDULE_VALUE_INVALID, time.span, message);
    if hour_and_minute(&padded).is_some() {
        finding.help("hours have two digits").fix(
            format!("write \"{padded}\""),
            place,
            format!("\"{padded}\""),
        );
    } else {
        finding.help("write hours and minutes, from \"00:00\" to \"23:59\"");
    }
}

/// The hour and the minute of `03:00`.
fn hour_and_minute(text: &str) -> Option<(u8, u8)> {
    let (hour, minute) = text.split_once(':')?;
    let number = |digits: &str, below: u8| {
        let right = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|number| right && *number < below)
    };
    Some((number(hour, 24)?, number(minute, 60)?))
}

fn zone_is_known(cx: &mut Check<'_>, zone: &StringLit) {
    let text = &*zone.value;
    if zones::is_known(text) {
        return;
    }
    let place = cx.at(zone.span);
    let meant = zones::nearest(text);
    let finding = cx.report(SCHEDULE_VALUE_INVALID, zone.span, format!("there is no time zone {text:?}"));
    match meant {
        Some(meant) => {
            let quoted = format!("\"{meant}\"");
            finding.help(format!("did you mean {quoted}?")).fix(format!("write {quoted}"), place, quoted);
        }
        None => {
            finding.help("write a name of the IANA time zone database, such as \"Europe/London\" or \"UTC\"");
        }
    }
}

fn without_input(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(name) = fields.name("run") else { return };
    let Some(action) = cx.named(Keyword::Action, name, NAME_UNKNOWN) else { return };
    if action_signature(cx.db, action).has_input {
        let input = names::key_place(cx.db, action, &["input"]);
        let message = format!("`{}` has an `input:`, and a schedule gives none", name.text);
        cx.report(SCHEDULE_VALUE_INVALID, name.span, message)
            .related(input, "what a caller gives")
            .help("name an action without `input:`");
    }
}

/// The meaning of a schedule without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<Schedule> {
    let fields = decl.fields(db)?;
    let when = if fields.entry("every").is_some() {
        When::Every { ms: fields.duration_ms("every")? }
    } else {
        let (hour, minute) = hour_and_minute(&fields.text("daily_at")?.value)?;
        When::Daily { hour, minute, zone: fields.text("zone")?.value.to_string() }
    };
    Some(Schedule {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        when,
        action: schedule_signature(db, decl).action.as_deref()?.to_owned(),
    })
}

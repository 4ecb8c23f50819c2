//! The `surface.json` beside a `provider.jadpo`: what it says, and what `check` says of a package that has left it.

use std::sync::Arc;

use jadpo_syntax::Span;

use super::diff::{Change, diff};
use super::entry::Surface;
use super::manifest::surface;
use super::table::Class;
use super::{json, places, version};
use crate::check::is_sound;
use crate::db::Db;
use crate::diagnostics::codes::base::FILE_SURFACE_INVALID;
use crate::diagnostics::codes::package::{SURFACE_BREAKING, SURFACE_STALE};
use crate::diagnostics::{Finding, Place};
use crate::inputs::{Scope, SourceFile};
use crate::names;
use crate::source::ReadProblem;
use crate::values;

/// What a `surface.json` says, or what is wrong with it and where.
pub type Read = Result<Arc<Surface>, (String, Span)>;

/// How many changes a warning shows with their places. An error shows them all.
const SHOWN_MAX: usize = 6;

/// How many changes a sentence holds.
const SAID_MAX: usize = 3;

/// The accepted surface of a package that has one.
#[salsa::tracked(returns(as_ref))]
pub fn accepted(db: &dyn Db, file: SourceFile) -> Read {
    let at = |offset: usize| Span::empty(u32::try_from(offset).unwrap_or(u32::MAX));
    match file.problem(db) {
        None => json::read(file.text(db)).map(Arc::new).map_err(|(why, offset)| (why, at(offset))),
        Some(ReadProblem::Utf8 { offset, .. }) => Err(("it is not UTF-8".to_owned(), at(*offset))),
        Some(ReadProblem::Nul(span)) => Err(("it holds a NUL byte".to_owned(), *span)),
        Some(ReadProblem::TooLarge) => Err(("it is too large".to_owned(), at(0))),
        Some(ReadProblem::Failed(why)) => Err((why.clone(), at(0))),
    }
}

/// What changed since a package's surface was accepted; nothing for one without, or one that can't be read.
#[salsa::tracked(returns(deref))]
fn changes(db: &dyn Db, scope: Scope) -> Vec<Change> {
    let Some(Ok(before)) = scope.accepted(db).map(|file| accepted(db, file)) else { return Vec::new() };
    surface(db, scope).map(|now| diff(before, now)).unwrap_or_default()
}

/// What is wrong with a file's part in the surface of its package.
pub fn findings(db: &dyn Db, file: SourceFile) -> Vec<Finding<'_>> {
    let scope = file.scope(db);
    let Some(json) = scope.accepted(db) else { return Vec::new() };
    if !names::is_owner_file(db, scope, file.path(db)) {
        return Vec::new();
    }
    let before = match accepted(db, json) {
        Ok(before) => before,
        Err((why, span)) => return vec![unread(json, why, *span)],
    };
    // What a broken package seems to have changed may be what is wrong with it.
    if !is_sound(db, scope) {
        return Vec::new();
    }
    let Some(now) = surface(db, scope) else { return Vec::new() };
    report(db, scope, json, (before, now), changes(db, scope)).into_iter().collect()
}

fn unread(json: SourceFile, why: &str, span: Span) -> Finding<'static> {
    let message = format!("the accepted surface can't be read: {why}");
    let mut finding = Finding::new(FILE_SURFACE_INVALID, Place::in_file(json, span), message);
    finding.help("take it from a commit where it was whole, or remove it and run `jadpo surface accept`");
    finding
}

fn report<'db>(
    db: &'db dyn Db,
    scope: Scope,
    json: SourceFile,
    (before, now): (&Surface, &Surface),
    changes: &[Change],
) -> Option<Finding<'db>> {
    let of = |class| changes.iter().filter(move |change| change.class == class);
    let said = version::says_break(&before.version, &now.version);
    let breaks: Vec<_> = of(Class::Breaking).collect();
    let (package, from) = (&now.package, &before.version);
    let (code, shown, message, help) = if !breaks.is_empty() && !said {
        let least = version::least(from, Some(Class::Breaking));
        let message = format!("apps that use `{package}` {from} break: {}", sentence(&breaks));
        let help = format!("give it version {least} or later; `jadpo surface diff` shows every change");
        (SURFACE_BREAKING, breaks, message, help)
    } else {
        let unaccepted: Vec<_> = breaks.into_iter().chain(of(Class::Addition)).collect();
        if unaccepted.is_empty() {
            return None;
        }
        let message = format!("`surface.json` of `{package}` doesn't know yet: {}", sentence(&unaccepted));
        (SURFACE_STALE, unaccepted, message, "`jadpo surface accept` writes it anew".to_owned())
    };
    let owner = names::owner(db, scope)?;
    let written = owner.fields(db).and_then(|fields| values::text(fields.value("version")?));
    let place = match written {
        Some(text) => Place::in_decl(owner, text.span),
        None => names::name_place(db, owner),
    };
    let mut finding = Finding::new(code, place, message);
    finding.help(help);
    if code == SURFACE_BREAKING {
        let least = version::least(from, Some(Class::Breaking));
        finding.label(format!("this says that nothing breaks; {least} would say it"));
        if written.is_some() {
            finding.suggest(format!("write \"{least}\""), place, format!("\"{least}\""));
        }
    }
    let shown_max = if code == SURFACE_BREAKING { shown.len() } else { SHOWN_MAX };
    for change in shown.iter().take(shown_max) {
        if let Some(place) = change.new.as_ref().and_then(|spot| places::in_manifest(db, scope, spot)) {
            finding.related(place, &*change.says);
        }
        if let Some(spot) = &change.old {
            let place = Place::in_file(json, places::in_json(json.text(db), spot));
            finding.related(place, if change.new.is_some() { "as accepted" } else { &*change.says });
        }
    }
    Some(finding)
}

/// The first few changes, and how many there are besides.
fn sentence(changes: &[&Change]) -> String {
    let said: Vec<_> = changes.iter().take(SAID_MAX).map(|change| &*change.says).collect();
    match changes.len() - said.len() {
        0 => said.join("; "),
        more => format!("{}; and {more} more", said.join("; ")),
    }
}

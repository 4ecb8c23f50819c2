//! A comparison of surfaces as one JSON object, version 1: the form that programs may rely on.

use std::collections::BTreeSet;

use jadpo_analysis::diagnostics::Position;
use jadpo_analysis::surface::{Comparison, Hits, PackageChange, PackageChanges, Site, Spot};
use serde::Serialize;

/// The version of this form; it changes when a reader of the old one would misread the new.
const VERSION: u32 = 1;

/// The comparison, as one line of JSON and its end.
pub fn comparison(comparison: &Comparison, against: Option<&str>) -> String {
    let value = JsonComparison {
        version: VERSION,
        ok: comparison.is_ok(),
        against,
        packages: comparison.packages.iter().map(|package| JsonPackage::of(package, against)).collect(),
        uncompared: &comparison.uncompared,
        failed: comparison.failed.iter().map(|(package, reason)| JsonFailed { package, reason }).collect(),
        untouched: JsonHits::of(&comparison.untouched),
    };
    let mut text = serde_json::to_string(&value).expect("a comparison holds only texts, numbers and lists");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    version: u32,
    ok: bool,
    /// `null` for the `surface.json` of each package.
    against: Option<&'a str>,
    packages: Vec<JsonPackage<'a>>,
    uncompared: &'a [String],
    failed: Vec<JsonFailed<'a>>,
    untouched: JsonHits<'a>,
}

#[derive(Serialize)]
struct JsonFailed<'a> {
    package: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct JsonPackage<'a> {
    package: &'a str,
    directory: &'a str,
    from: Option<&'a str>,
    to: Option<&'a str>,
    least: &'a str,
    honest: bool,
    changes: Vec<JsonChange<'a>>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    class: &'static str,
    kind: &'static str,
    entry: String,
    message: &'a str,
    /// The ways that the values concerned travel.
    travels: Vec<&'static str>,
    /// What of the app's Rust the compiler then refuses.
    rust: Option<&'static str>,
    old: Option<JsonSite<'a>>,
    new: Option<JsonSite<'a>>,
    hits: JsonHits<'a>,
    /// The app's events whose kept values may then be unreadable.
    kept: &'a BTreeSet<String>,
}

#[derive(Serialize)]
struct JsonHits<'a> {
    connections: &'a BTreeSet<String>,
    polls: &'a BTreeSet<String>,
    subscribers: &'a BTreeSet<String>,
    actions: &'a BTreeSet<String>,
    types: &'a BTreeSet<String>,
}

#[derive(Serialize)]
struct JsonSite<'a> {
    file: &'a str,
    range: JsonRange,
}

#[derive(Serialize)]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

impl<'a> JsonPackage<'a> {
    fn of(package: &'a PackageChanges, against: Option<&'a str>) -> Self {
        Self {
            package: &package.name,
            directory: &package.dir,
            from: package.from.as_deref(),
            to: package.to.as_deref(),
            least: &package.least,
            honest: package.honest,
            changes: package.changes.iter().map(|change| JsonChange::of(change, against)).collect(),
        }
    }
}

impl<'a> JsonChange<'a> {
    fn of(found: &'a PackageChange, against: Option<&'a str>) -> Self {
        let change = &found.change;
        Self {
            class: change.class.text(),
            kind: change.kind.row().name,
            entry: change.old.as_ref().or(change.new.as_ref()).map(Spot::entry).unwrap_or_default(),
            message: &change.says,
            travels: change.travels(),
            rust: (!change.rust().is_empty()).then_some(change.rust()),
            old: found.old.as_ref().map(|site| JsonSite::of(site, against)),
            new: found.new.as_ref().map(|site| JsonSite::of(site, None)),
            hits: JsonHits::of(&found.hits),
            kept: &found.hits.kept,
        }
    }
}

impl<'a> JsonHits<'a> {
    fn of(hits: &'a Hits) -> Self {
        Self {
            connections: &hits.connections,
            polls: &hits.polls,
            subscribers: &hits.subscribers,
            actions: &hits.actions,
            types: &hits.types,
        }
    }
}

impl<'a> JsonSite<'a> {
    /// The file of a document that was compared with is called as `--against` calls it.
    fn of(site: &'a Site, against: Option<&'a str>) -> Self {
        let file = if site.file.is_empty() { against.unwrap_or_default() } else { &site.file };
        Self {
            file,
            range: JsonRange {
                start: JsonPosition::of(site.range.start),
                end: JsonPosition::of(site.range.end),
            },
        }
    }
}

impl JsonPosition {
    fn of(position: Position) -> Self {
        Self { line: position.line, column: position.column, offset: position.offset }
    }
}

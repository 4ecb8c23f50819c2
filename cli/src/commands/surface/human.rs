//! A comparison of surfaces as people read it.

use std::collections::BTreeSet;
use std::fmt::Write;

use jadpo_analysis::surface::{Class, Comparison, Hits, PackageChange, PackageChanges, Site};

/// How many names of a kind a line holds.
const NAMES_MAX: usize = 12;

/// The comparison, package by package.
pub fn comparison(comparison: &Comparison, against: Option<&str>, coloured: bool) -> String {
    let mut out = String::new();
    let changed = comparison.packages.iter().filter(|package| !package.changes.is_empty());
    for found in changed {
        package(&mut out, found, against, coloured);
    }
    let same = comparison.packages.iter().filter(|package| package.changes.is_empty()).count();
    match (same, comparison.packages.len()) {
        (0, _) => {}
        (1, 1) => out.push_str("nothing changed for apps\n"),
        (same, all) if same == all => {
            writeln!(out, "nothing changed for apps in {all} packages").expect(WRITES);
        }
        (1, _) => out.push_str("nothing changed for apps in 1 other package\n"),
        (same, _) => writeln!(out, "nothing changed for apps in {same} other packages").expect(WRITES),
    }
    for name in &comparison.uncompared {
        let why = if against.is_none() {
            "it has no `surface.json`"
        } else {
            "there is nothing to compare it with"
        };
        writeln!(out, "not compared: `{name}`, {why}").expect(WRITES);
    }
    if let Some(untouched) = names(&comparison.untouched) {
        writeln!(out, "not hit: {untouched}").expect(WRITES);
    }
    out
}

const WRITES: &str = "a string takes any text";

fn package(out: &mut String, package: &PackageChanges, against: Option<&str>, coloured: bool) {
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "nothing".to_owned());
    let versions = if package.from == package.to {
        version(&package.to)
    } else {
        format!("{} -> {}", version(&package.from), version(&package.to))
    };
    let at = if package.dir.is_empty() { String::new() } else { format!(", in {}", package.dir) };
    writeln!(out, "{} {versions}{at}", package.name).expect(WRITES);
    for found in &package.changes {
        change(out, found, against, coloured);
    }
    writeln!(out, "  {}", verdict(package)).expect(WRITES);
    out.push('\n');
}

fn change(out: &mut String, found: &PackageChange, against: Option<&str>, coloured: bool) {
    let change = &found.change;
    let (word, tint) = match change.class {
        Class::Breaking => ("breaking", "31"),
        Class::Addition => ("addition", "32"),
        Class::Note => ("note    ", "34"),
    };
    let (on, off) = if coloured { (format!("\u{1b}[{tint}m"), "\u{1b}[0m") } else { (String::new(), "") };
    writeln!(out, "  {on}{word}{off}  {}", change.says).expect(WRITES);
    let old = found.old.as_ref().map(|site| {
        let file = match against {
            Some(against) if site.file.is_empty() => against.to_owned(),
            Some(against) => format!("{against}: {}", site.file),
            None => site.file.clone(),
        };
        place(&file, site)
    });
    let new = found.new.as_ref().map(|site| place(&site.file, site));
    for (word, place) in [("was at", old), ("is at", new)] {
        if let Some(place) = place {
            writeln!(out, "            {word:<6} {place}").expect(WRITES);
        }
    }
    if let Some(hits) = names(&found.hits) {
        writeln!(out, "            hits   {hits}").expect(WRITES);
    }
    if let Some(kept) = listed(&found.hits.kept) {
        writeln!(out, "            kept   values of {kept} may no longer be readable").expect(WRITES);
    }
    if !change.rust().is_empty() {
        writeln!(out, "            Rust   refuses {}", change.rust()).expect(WRITES);
    }
}

fn place(file: &str, site: &Site) -> String {
    format!("{file}:{}:{}", site.range.start.line, site.range.start.column)
}

/// What the changes ask of the version.
fn verdict(package: &PackageChanges) -> String {
    let of = |class| package.changes.iter().filter(|found| found.change.class == class).count();
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let counts: Vec<_> = [
        count(of(Class::Breaking), "breaking change", "breaking changes"),
        count(of(Class::Addition), "addition", "additions"),
        count(of(Class::Note), "note", "notes"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let counts = counts.join(", ");
    match (&package.from, &package.to) {
        (None, _) => counts,
        (_, None) => format!("{counts}: apps that use it have nothing to go on with"),
        (_, Some(to)) if package.honest && package.is_said() => {
            format!("{counts}: version {} or later is honest, and it is {to}", package.least)
        }
        (_, Some(to)) if package.honest => {
            format!("{counts}: this asks for version {} or later, and it is {to}", package.least)
        }
        (_, Some(to)) => format!("{counts}: this needs version {} or later, and it is {to}", package.least),
    }
}

/// The names of what is hit; `None` for nothing.
fn names(hits: &Hits) -> Option<String> {
    let kinds = [
        ("connection", &hits.connections),
        ("poll", &hits.polls),
        ("subscriber", &hits.subscribers),
        ("action", &hits.actions),
        ("type", &hits.types),
    ];
    let kinds = kinds.into_iter().filter_map(|(kind, names)| Some(format!("{kind} {}", listed(names)?)));
    let kinds: Vec<_> = kinds.collect();
    (!kinds.is_empty()).then(|| kinds.join("; "))
}

/// The first few names, and how many there are besides; `None` for none.
fn listed(names: &BTreeSet<String>) -> Option<String> {
    let shown: Vec<_> = names.iter().take(NAMES_MAX).map(String::as_str).collect();
    let more = names.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}

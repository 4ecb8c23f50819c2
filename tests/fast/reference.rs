//! The reference is held to the catalogues: the manual lists each key in its block's section, and the page of diagnostics is
//! what the catalogue says.

use std::fmt::Write as _;
use std::path::PathBuf;

use jadpo_analysis::diagnostics::catalogue;
use jadpo_analysis::keys::{self, Kind, Need, Row, Table};
use jadpo_syntax::tree::Keyword;
use jadpo_tests::workspace;

/// Writes the page of diagnostics anew instead of comparing it.
const UPDATE: &str = "JADPO_UPDATE_DOCS";

/// The section of the manual that describes a block.
const SECTIONS: [(Keyword, &str); 12] = [
    (Keyword::Provider, "`provider`"),
    (Keyword::Operation, "`operation`"),
    (Keyword::App, "`app` and `store`"),
    (Keyword::Store, "`app` and `store`"),
    (Keyword::Connection, "`connection`"),
    (Keyword::Subscriber, "`subscriber`"),
    (Keyword::Action, "`action`"),
    (Keyword::Route, "`route`"),
    (Keyword::Schedule, "`schedule`"),
    (Keyword::Batch, "`batch` and `backfill`"),
    (Keyword::Backfill, "`batch` and `backfill`"),
    (Keyword::Deployable, "`deployable`"),
];

/// The rows of a table: the keys of its first cell, and all of it.
type Listed<'p> = Vec<(Vec<&'p str>, &'p str)>;

#[test]
fn every_key_is_described_where_its_block_is() {
    let page = page("docs/language.md");
    let mut wrong = Vec::new();
    for (keyword, section) in SECTIONS {
        let table = keys::table(keyword).unwrap();
        compare(table, &self::section(&page, section), true, &mut wrong);
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_constraint_of_a_type_is_described() {
    let page = page("docs/language.md");
    let (types, settings) = (section(&page, "Types"), section(&page, "`provider`"));
    for builtin in ["Text", "Int", "Decimal", "Instant", "Bytes", "List", "Bool"] {
        for row in keys::constraints(builtin, true).rows {
            let section = if row.key == "default" { &settings } else { &types };
            assert!(
                section.contains(&format!("`{}`", row.key)),
                "`{}` of `{builtin}` is not described",
                row.key
            );
        }
    }
}

#[test]
fn the_page_of_diagnostics_is_the_catalogue() {
    let path = path("docs/diagnostics.md");
    let wanted = diagnostics();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let stands = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stands == wanted,
        "docs/diagnostics.md is not what the catalogue says; `{UPDATE}=1 cargo test` writes it"
    );
}

/// Compares the keys of a block, and of the blocks within, with what a section says of them.
fn compare(table: &Table, section: &str, is_whole: bool, wrong: &mut Vec<String>) {
    let keys: Vec<&str> = table.rows.iter().map(|row| row.key).collect();
    let listed = tables(section).into_iter().find(|rows| rows.iter().flat_map(|row| &row.0).eq(&keys));
    match listed {
        Some(listed) => {
            let rows =
                table.rows.iter().zip(listed.iter().flat_map(|(keys, text)| keys.iter().map(move |_| *text)));
            wrong.extend(rows.filter(|(row, text)| !says(row, text)).map(|(row, text)| {
                format!("`{}` of {} needs {:?}, which isn't in {text}", row.key, table.block, row.need)
            }));
        }
        // A block with several keys of its own has a table of them, in the order in which they are written.
        None if is_whole && keys.len() > 1 => {
            wrong.push(format!("no table lists the keys of {} in order: {keys:?}", table.block));
        }
        None => wrong.extend(
            keys.iter()
                .filter(|key| {
                    !section.contains(&format!("`{key}`")) && !section.contains(&format!("`{key}:`"))
                })
                .map(|key| format!("`{key}` of {} is not described", table.block)),
        ),
    }
    for row in table.rows {
        match row.kind {
            Kind::Block(inner) | Kind::CallsOrBlock { table: inner, .. } => {
                compare(inner, section, false, wrong);
            }
            Kind::Each(inner) => {
                let page = page("docs/language.md");
                compare(inner, &self::section(&page, "Polls"), false, wrong);
            }
            _ => {}
        }
    }
}

/// Whether the row of a manual's table says what holds where a key is left out.
fn says(row: &Row, text: &str) -> bool {
    match row.need {
        Need::Required(_) => text.contains("required"),
        Need::Default(value) => text.contains(value),
        Need::Optional => true,
    }
}

/// The tables of a section, by their rows.
fn tables(section: &str) -> Vec<Listed<'_>> {
    let mut tables = Vec::new();
    let mut rows = Listed::new();
    for line in section.lines().chain([""]) {
        match line.strip_prefix("| ") {
            Some(cells) => {
                let first = cells.split(" | ").next().unwrap_or_default();
                let keys: Vec<&str> = first.split('`').skip(1).step_by(2).collect();
                rows.push((keys, line));
            }
            None if line.starts_with('|') => {}
            None if rows.is_empty() => {}
            None => {
                // The head of a table names the block, as in "key in `runner`".
                rows.remove(0);
                tables.push(std::mem::take(&mut rows));
            }
        }
    }
    tables
}

/// What stands between a heading of the second level and the next one.
fn section(page: &str, heading: &str) -> String {
    let head = format!("\n## {heading}\n");
    let (_, rest) = page.split_once(&head).unwrap_or_else(|| panic!("the manual has no section {heading}"));
    rest.split_once("\n## ").map_or(rest, |(section, _)| section).to_owned()
}

/// The page of diagnostics, written out.
fn diagnostics() -> String {
    let mut text = "# Diagnostics\n\n\
        Every code that `jadpo check` may give, with what it means, a project that gives it, and the same put right. This page\n\
        is written from the catalogue that `jadpo explain CODE` prints, and `cargo test` compares the two. How to read a\n\
        diagnostic, and what programs are told, stands in [the manual](language.md#diagnostics).\n\n\
        | code | | |\n| --- | --- | --- |\n"
        .to_owned();
    for page in catalogue::pages() {
        let anchor = page.code.text().replace('.', "");
        writeln!(text, "| [`{}`](#{anchor}) | {} | {} |", page.code, page.severity, page.summary).unwrap();
    }
    for page in catalogue::pages() {
        let (severity, summary) = (capitalised(page.severity.text()), page.summary);
        write!(text, "\n## {}\n\n{severity}: {summary}\n\n", page.code).unwrap();
        if !page.explanation.is_empty() {
            write!(text, "{}\n\n", page.explanation).unwrap();
        }
        let (wrong, right) = (page.wrong, page.right);
        write!(text, "Wrong:\n\n```jadpo\n{wrong}```\n\nRight:\n\n```jadpo\n{right}```\n").unwrap();
    }
    text
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

fn page(path: &str) -> String {
    std::fs::read_to_string(self::path(path)).unwrap()
}

fn path(path: &str) -> PathBuf {
    workspace::root().join(path)
}

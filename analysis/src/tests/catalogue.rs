//! Each code is produced by its wrong example and not by its right one.

use std::collections::BTreeSet;

use super::{brief, open};
use crate::diagnostics::catalogue::pages;

#[test]
fn every_code_is_produced_by_its_wrong_example_alone() {
    let mut complaints = Vec::new();
    for page in pages() {
        let found: BTreeSet<_> = open(page.wrong).check().diagnostics.iter().map(|it| it.code).collect();
        if found != BTreeSet::from([page.code]) {
            complaints.push(format!("{}: the wrong example gives\n{}", page.code, brief(page.wrong)));
        }
        if !open(page.right).check().diagnostics.is_empty() {
            complaints.push(format!("{}: the right example gives\n{}", page.code, brief(page.right)));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_page_says_what_it_must() {
    for page in pages() {
        assert!(
            page.summary.ends_with('.') && !page.summary.contains("todo"),
            "{}: {}",
            page.code,
            page.summary
        );
    }
}

#[test]
fn every_code_of_the_syntax_has_a_page() {
    let known: BTreeSet<_> = pages().iter().map(|page| page.code.text()).collect();
    let missing: Vec<_> = jadpo_syntax::CODES.iter().filter(|code| !known.contains(*code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

//! An app with actions and all that runs them: what is right, and each thing that can be wrong with one of them.

mod actions;
mod backfills;
mod incremental;
mod model;
mod routes;
mod schedules;

use std::fmt::Write;

use super::brief;

/// The app of these tests.
const DESK: &str = concat!(
    "//- /app.jadpo\n",
    include_str!("../../../../tests/cases/desk/app.jadpo"),
    "//- /packages/letters/provider.jadpo\n",
    include_str!("../../../../tests/cases/desk/packages/letters/provider.jadpo"),
);

#[test]
fn the_app_of_these_tests_is_right() {
    assert_eq!(brief(DESK), "clean");
}

/// What is said of the app after each of these edits, one after the other.
#[track_caller]
fn said(edits: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (from, to) in edits {
        assert_eq!(DESK.matches(from).count(), 1, "`{from}` must stand once");
        writeln!(out, "{from} → {to}\n{}\n", brief(&DESK.replace(from, to))).unwrap();
    }
    out.trim_end().to_owned()
}

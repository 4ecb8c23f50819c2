//! Messy manifests and their canonical layout.

#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod comments;
mod layout;
mod order;
mod refusals;

use super::format;

/// The canonical layout of `text`, between lines that show where it ends; it stays the same when formatted again.
fn formatted(text: &str) -> String {
    let formatted = format(text).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "formatting it again changes nothing");
    formatted
}

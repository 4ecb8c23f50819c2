//! When a crate that was written is known again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use super::*;
use crate::tests::projects;

/// Whether the crate is known by the inputs `i` after it was written from `inputs` and `spoil` was done.
fn kept(inputs: Option<&str>, spoil: impl Fn(&Path)) -> bool {
    let place = tempfile::tempdir().unwrap();
    let written = write_crate(&projects::trading(), "m", inputs.map(str::to_owned), place.path()).unwrap();
    spoil(place.path());
    let kept = kept_crate("i", place.path());
    if let Some(kept) = &kept {
        let files = written.written.changed.clone();
        let unchanged = Written { unchanged: files, ..Written::default() };
        assert_eq!(*kept, Built { written: unchanged, ..written });
    }
    kept.is_some()
}

#[test]
fn a_crate_is_kept_only_as_it_was_written_from_the_same_inputs() {
    assert!(kept(Some("i"), |_| {}));
    assert!(!kept(Some("other"), |_| {}));
    assert!(!kept(None, |_| {}), "its check had something to say");
    assert!(!kept(Some("i"), |place| fs::write(place.join("src/lib.rs"), "mine").unwrap()));
    assert!(!kept(Some("i"), |place| fs::remove_file(place.join("plan.json")).unwrap()));
    assert!(!kept(Some("i"), |place| fs::remove_file(place.join(".jadpo-outputs")).unwrap()));
}

//! What is said of generated files that aren't what would be generated now.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use super::*;
use crate::listed::LIST;
use crate::write::write;

fn files(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    given.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// What is said after `written` was written from the manifests `m` and `spoil` was done, when `now` would be generated.
fn check(written: &[(&str, &str)], spoil: impl Fn(&Path), now: &[(&str, &str)], manifests: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    if !written.is_empty() {
        write(place.path(), &files(written), "m").unwrap();
    }
    spoil(place.path());
    let before = fs::read_dir(place.path()).unwrap().count();
    let verified = verify("quay", place.path(), &files(now), manifests).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), before, "nothing is written");
    verified.to_string().replace(&place.path().display().to_string(), "out")
}

#[test]
fn the_same_files_are_verified() {
    let right = check(&[("a", "1"), ("b", "2")], |_| {}, &[("a", "1"), ("b", "2")], "m");
    insta::assert_snapshot!(right, @"verified quay: 2 files in out");
    // A comment in a manifest changes the manifests and nothing that is made of them.
    assert_eq!(check(&[("a", "1")], |_| {}, &[("a", "1")], "other"), "verified quay: 1 file in out\n");
}

#[test]
fn what_somebody_changed_or_took_away_is_told_apart() {
    let spoil = |place: &Path| {
        fs::write(place.join("a"), "mine").unwrap();
        fs::remove_file(place.join("b")).unwrap();
    };
    insta::assert_snapshot!(check(&[("a", "1"), ("b", "2"), ("c", "3")], spoil, &[("a", "1"), ("b", "2"), ("c", "3")], "m"), @"
differs  quay: 2 of 3 files in out
edited   a: it was changed by hand after it was generated
missing  b: it was generated, and is gone
");
}

#[test]
fn changed_manifests_make_files_stale() {
    let told = check(&[("a", "1"), ("b", "2")], |_| {}, &[("a", "changed"), ("c", "new")], "other");
    insta::assert_snapshot!(told, @"
differs  quay: 3 of 3 files in out
stale    a: the manifests have changed since it was generated
stale    b: the manifests have changed since it was generated
stale    c: the manifests have changed since it was generated
");
}

#[test]
fn another_generator_of_the_same_manifests_is_drift() {
    let told = check(&[("a", "1")], |_| {}, &[("a", "other code")], "m");
    insta::assert_snapshot!(told, @"
differs  quay: 1 of 1 file in out
drifted  a: another build of jadpo 0.1.0 generated it, from the same manifests
");
    let older = |place: &Path| {
        let list = fs::read_to_string(place.join(LIST)).unwrap();
        fs::write(place.join(LIST), list.replace("# jadpo 0.1.0", "# jadpo 0.0.9")).unwrap();
    };
    insta::assert_snapshot!(check(&[("a", "1")], older, &[("a", "other code")], "m"), @"
differs  quay: 1 of 1 file in out
drifted  a: jadpo 0.0.9 generated it; 0.1.0 generates something else
");
}

#[test]
fn where_nothing_was_generated_everything_is_new() {
    insta::assert_snapshot!(check(&[], |_| {}, &[("a", "1")], "m"), @"
differs  quay: 1 of 1 file in out
new      a: it was never generated here
");
}

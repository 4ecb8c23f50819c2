//! What stands on disk after one run and after the next.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::time::SystemTime;

use super::*;

fn files(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    given.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn directories_are_made_and_the_list_names_what_was_written() {
    let place = tempfile::tempdir().unwrap();
    let written =
        write(&place.path().join("a/b"), &files(&[("src/lib.rs", "x"), ("plan.json", "{}")]), "m").unwrap();
    assert_eq!(written.changed, ["plan.json", "src/lib.rs"]);
    assert_eq!(fs::read_to_string(place.path().join("a/b/src/lib.rs")).unwrap(), "x");
    insta::assert_snapshot!(fs::read_to_string(place.path().join("a/b").join(LIST)).unwrap(), @"
# jadpo 0.1.0
# manifests m
44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a  plan.json
2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  src/lib.rs
");
}

#[test]
fn the_same_bytes_are_not_written_again() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), &files(&[("a", "1"), ("b", "2")]), "m").unwrap();
    let (a, list) = (modified(&place.path().join("a")), modified(&place.path().join(LIST)));
    let written = write(place.path(), &files(&[("a", "1"), ("b", "2")]), "m").unwrap();
    assert_eq!(written, Written { unchanged: vec!["a".to_owned(), "b".to_owned()], ..Written::default() });
    assert_eq!((a, list), (modified(&place.path().join("a")), modified(&place.path().join(LIST))));
}

#[test]
fn what_is_generated_no_more_goes_unless_somebody_changed_it() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), &files(&[("kept", "1"), ("stale", "2"), ("edited", "3"), ("gone", "4")]), "m")
        .unwrap();
    fs::write(place.path().join("edited"), "mine").unwrap();
    fs::write(place.path().join("foreign"), "mine").unwrap();
    fs::remove_file(place.path().join("gone")).unwrap();
    let written = write(place.path(), &files(&[("kept", "1")]), "m").unwrap();
    assert_eq!(written.removed, ["stale"]);
    assert_eq!(written.left, ["edited"]);
    assert!(!place.path().join("stale").exists());
    assert!(place.path().join("edited").exists() && place.path().join("foreign").exists());
}

#[test]
fn a_list_that_leads_outside_removes_nothing_there() {
    let place = tempfile::tempdir().unwrap();
    let inside = place.path().join("out");
    fs::create_dir(&inside).unwrap();
    fs::write(place.path().join("precious"), "1").unwrap();
    let absolute = place.path().join("precious");
    let list = format!("{0}  ../precious\n{0}  {1}\nnonsense\n\u{fffd}", digest(b"1"), absolute.display());
    fs::write(inside.join(LIST), list).unwrap();
    assert_eq!(write(&inside, &files(&[]), "m").unwrap(), Written::default());
    assert!(absolute.exists());
}

#[test]
fn no_half_written_file_stays_where_a_directory_is_in_the_way() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("app.rs/inner")).unwrap();
    let error = write(place.path(), &files(&[("app.rs", "x")]), "m").unwrap_err().to_string();
    assert!(error.starts_with("cannot read ") && error.contains("app.rs"), "{error}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

//! What is looked at, what counts as a change, and how often is looked.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jadpo_analysis::Workspace;
use tempfile::TempDir;

use super::stamps::Stamps;
use super::{WAIT_MIN, wait_after};

/// An app with a package, and what was asked for when it was opened.
fn opened() -> (TempDir, Arc<Stamps>) {
    let folder = tempfile::tempdir().unwrap();
    for dir in ["tides", "target/debug", "build/quay", "src", ".git"] {
        fs::create_dir_all(folder.path().join(dir)).unwrap();
    }
    fs::write(folder.path().join("app.jadpo"), "app quay { }\n").unwrap();
    fs::write(folder.path().join("tides/provider.jadpo"), "provider tides { }\n").unwrap();
    // So that no clock is too coarse to tell a change from what stood there.
    let past = SystemTime::now() - Duration::from_mins(1);
    for path in ["app.jadpo", "tides/provider.jadpo", "tides", "src", "."] {
        File::open(folder.path().join(path)).unwrap().set_modified(past).unwrap();
    }
    let stamps = Arc::new(Stamps::default());
    Workspace::open(stamps.clone(), folder.path());
    (folder, stamps)
}

/// Whether `change` of the folder is seen.
fn is_seen(change: impl FnOnce(&Path)) -> bool {
    let (folder, stamps) = opened();
    assert!(!stamps.changed(SystemTime::now()), "nothing has changed yet");
    change(folder.path());
    stamps.changed(SystemTime::now())
}

#[test]
fn what_can_change_a_report_is_seen() {
    assert!(is_seen(|dir| fs::write(dir.join("app.jadpo"), "app quay { }\n\n").unwrap()));
    assert!(is_seen(|dir| fs::write(dir.join("app.jadpo"), "app quax { }\n").unwrap()), "as long as before");
    assert!(is_seen(|dir| fs::write(dir.join("tides/provider.jadpo"), "").unwrap()));
    assert!(is_seen(|dir| fs::remove_file(dir.join("tides/provider.jadpo")).unwrap()));
    assert!(is_seen(|dir| fs::write(dir.join("src/new.jadpo"), "").unwrap()));
    assert!(is_seen(|dir| fs::rename(dir.join("app.jadpo"), dir.join("old.jadpo")).unwrap()));
    assert!(is_seen(|dir| fs::create_dir(dir.join("other")).unwrap()));
}

#[test]
fn what_is_generated_is_not_even_looked_at() {
    assert!(!is_seen(|dir| fs::write(dir.join("target/debug/x.jadpo"), "").unwrap()));
    assert!(!is_seen(|dir| fs::write(dir.join("build/quay/plan.json"), "").unwrap()));
    assert!(!is_seen(|dir| fs::create_dir(dir.join(".git/objects")).unwrap()));
    let (folder, stamps) = opened();
    let skipped = ["target", "build", ".git"].map(|name| folder.path().join(name));
    assert!(stamps.paths().iter().all(|path| !skipped.iter().any(|dir| path.starts_with(dir))));
}

#[test]
fn what_was_read_right_after_a_change_is_read_once_more() {
    let (folder, stamps) = opened();
    let file = File::options().write(true).open(folder.path().join("app.jadpo")).unwrap();
    // So far ahead that it is read within the step, however slowly this runs.
    let now = SystemTime::now() + Duration::from_mins(5);
    file.set_modified(now).unwrap();
    stamps.forget();
    let mut workspace = Workspace::open(stamps.clone(), folder.path());
    assert!(!stamps.changed(now), "the step of the clock isn't over");
    assert!(stamps.changed(now + Duration::from_secs(3)));
    // Files made long before they are read are not.
    file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
    stamps.forget();
    workspace.refresh();
    assert!(!stamps.changed(now + Duration::from_secs(3)));
}

#[test]
fn looking_takes_a_fiftieth_of_a_processor_at_most() {
    assert_eq!(wait_after(Duration::ZERO), WAIT_MIN);
    assert_eq!(wait_after(Duration::from_millis(1)), WAIT_MIN);
    assert_eq!(wait_after(Duration::from_millis(20)), Duration::from_secs(1));
}

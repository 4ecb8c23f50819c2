//! The operating system's files, with a note of every path that was asked for and how it looked just before.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use jadpo_analysis::system::{DirEntry, FileKind, OsSystem, System};

/// The coarsest clock of a file system: FAT counts in steps of two seconds. What was changed so shortly before it was
/// read may be changed once more without looking any different.
const CLOCK_STEP_MAX: Duration = Duration::from_secs(2);

/// What was asked for since it was last forgotten.
#[derive(Debug, Default)]
pub struct Stamps {
    notes: Mutex<BTreeMap<PathBuf, Note>>,
}

#[derive(Clone, Copy, Debug)]
struct Note {
    /// `None` where nothing stood.
    stamp: Option<Stamp>,
    at: SystemTime,
}

/// How a file or directory looks from outside, links followed. Adding, removing or renaming an entry changes that of
/// its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    is_dir: bool,
    identity: Identity,
}

impl Stamps {
    /// Whether anything looks different from when it was noted, or could have changed unseen.
    pub fn changed(&self, now: SystemTime) -> bool {
        self.notes().iter().any(|(path, note)| note.is_unsure(now) || stamp(path) != note.stamp)
    }

    /// How everything looks now.
    pub fn now(&self) -> Vec<Option<Stamp>> {
        let paths: Vec<PathBuf> = self.notes().keys().cloned().collect();
        paths.iter().map(|path| stamp(path)).collect()
    }

    /// Starts anew.
    pub fn forget(&self) {
        self.notes().clear();
    }

    /// Every path that is looked at.
    #[cfg(test)]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.notes().keys().cloned().collect()
    }

    /// Notes a path before it is read: a change in between is then seen later, if once too often.
    fn note(&self, path: &Path) {
        self.notes()
            .entry(path.to_owned())
            .or_insert_with(|| Note { stamp: stamp(path), at: SystemTime::now() });
    }

    fn notes(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Note>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Note {
    /// Whether it was noted within the step of a clock after a change, and the step is over now. It is read once more
    /// then, after which it is sure.
    fn is_unsure(&self, now: SystemTime) -> bool {
        let Some(modified) = self.stamp.and_then(|stamp| stamp.modified) else { return false };
        let Some(settled) = modified.checked_add(CLOCK_STEP_MAX) else { return false };
        self.at < settled && settled <= now
    }
}

impl System for Stamps {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        self.note(path);
        OsSystem.read(path, limit)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.note(dir);
        OsSystem.list(dir)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(path);
        OsSystem.canonical(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.note(path);
        OsSystem.kind(path)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp {
        modified: metadata.modified().ok(),
        bytes: metadata.len(),
        is_dir: metadata.is_dir(),
        identity: identity(&metadata),
    })
}

/// Which file it is and when anything about it was last changed, its permissions included.
#[cfg(unix)]
type Identity = (u64, u64, i64, i64);

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
type Identity = Option<SystemTime>;

#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> Identity {
    metadata.created().ok()
}

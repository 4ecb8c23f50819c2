//! The operating system's files. No other file of this crate does IO.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{DirEntry, FileKind, System};

/// The operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsSystem;

impl System for OsSystem {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        // Opening a pipe would wait for whoever writes into it.
        let known = fs::metadata(path)?;
        if !known.is_file() {
            return Err(io::Error::other("it is no ordinary file"));
        }
        // With room for one byte more than there are, one call reads a file and the next one finds its end.
        let room = usize::try_from(known.len()).map_or(limit, |length| length.saturating_add(1).min(limit));
        let mut bytes = Vec::with_capacity(room);
        File::open(path)?.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            entries.push(DirEntry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort();
        Ok(entries)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        fs::metadata(path).ok().map(|metadata| kind_of(metadata.file_type()))
    }
}

fn kind_of(file_type: fs::FileType) -> FileKind {
    if file_type.is_symlink() {
        FileKind::Link
    } else if file_type.is_dir() {
        FileKind::Dir
    } else if file_type.is_file() {
        FileKind::File
    } else {
        FileKind::Other
    }
}

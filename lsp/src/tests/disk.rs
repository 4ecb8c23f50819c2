//! A disk in memory that changes while a server runs over it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use jadpo_analysis::system::{DirEntry, FileKind, MemorySystem, System};

/// The disk; clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<RwLock<MemorySystem>>);

impl Disk {
    /// A disk with files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let disk = Self::default();
        for (path, text) in files {
            disk.write(path, text);
        }
        disk
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.0.write().unwrap().write(path, bytes.as_ref());
    }

    pub fn remove(&self, path: &str) {
        self.0.write().unwrap().remove(path);
    }

    pub fn link(&self, path: &str, target: &str) {
        self.0.write().unwrap().link(path, target);
    }
}

impl System for Disk {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        self.0.read().unwrap().read(path, limit)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.0.read().unwrap().list(dir)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.read().unwrap().canonical(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.0.read().unwrap().kind(path)
    }
}

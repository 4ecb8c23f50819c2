//! The only way to files: a trait with an adapter for the operating system and one for texts in memory.

pub mod fixture;
pub mod memory;
pub mod os;

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

pub use memory::MemorySystem;
pub use os::OsSystem;

/// What analysis asks of a file system. Paths are absolute, or relative to where the program runs.
pub trait System: Debug + Send + Sync {
    /// The first `limit` bytes of a file, links followed.
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>>;

    /// What a directory holds, sorted by name; links are told as links.
    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>>;

    /// The one path of a file or directory, without links and `..`.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// What stands at `path`, links followed; `None` for nothing.
    fn kind(&self, path: &Path) -> Option<FileKind>;
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// Its name within the directory.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, to whatever.
    Link,
    /// A socket, a device, a pipe.
    Other,
}

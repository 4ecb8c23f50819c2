//! Puts generated files on disk so that cargo rebuilds only what changed.
//!
//! A file whose bytes stand there already is not touched. A file that the list beside the files names and that is
//! generated no more is removed, unless somebody has changed it since.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::listed::{LIST, Listed, digest};

/// What one run of [`write`] did, as paths relative to its directory, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// New, or with other bytes than before.
    pub changed: Vec<String>,
    /// With the same bytes as before.
    pub unchanged: Vec<String>,
    /// Generated before and no more.
    pub removed: Vec<String>,
    /// Generated before and no more, but changed by somebody since and so left where they are.
    pub left: Vec<String>,
}

/// What could not be read, written or removed.
#[derive(Debug)]
pub struct WriteError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.path.display(), self.source)
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// Makes `directory` hold `files`, whose paths are relative to it with `/` between their parts, made from manifests of
/// this digest.
pub fn write(
    directory: &Path,
    files: &BTreeMap<String, String>,
    manifests: &str,
) -> Result<Written, WriteError> {
    write_listed(directory, files, &Listed::of(files, manifests))
}

/// The same for files whose list is there already.
pub fn write_listed(
    directory: &Path,
    files: &BTreeMap<String, String>,
    now: &Listed,
) -> Result<Written, WriteError> {
    let mut written = Written::default();
    let mut listed = read_list(directory)?.unwrap_or_default().files;
    for (path, text) in files {
        let stayed = put(&directory.join(path), text.as_bytes())?;
        if stayed { &mut written.unchanged } else { &mut written.changed }.push(path.clone());
        listed.remove(path);
    }
    for (path, digest) in listed {
        match remove(&directory.join(&path), &digest)? {
            Removal::Removed => written.removed.push(path),
            Removal::Left => written.left.push(path),
            Removal::Absent => {}
        }
    }
    put(&directory.join(LIST), now.to_string().as_bytes())?;
    Ok(written)
}

/// The list of what was written last; `None` where nothing was.
pub fn read_list(directory: &Path) -> Result<Option<Listed>, WriteError> {
    let bytes = read(&directory.join(LIST))?;
    Ok(bytes.map(|bytes| Listed::read(&String::from_utf8_lossy(&bytes))))
}

/// Writes `bytes` unless they stand there already, which is what it answers.
fn put(path: &Path, bytes: &[u8]) -> Result<bool, WriteError> {
    if read(path)?.is_some_and(|there| there == bytes) {
        return Ok(true);
    }
    let directory = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(directory).map_err(failed("create", directory))?;
    // The name is this process's own, so that two builds at once never write into one another's file.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = directory.join(format!(".{name}.{}.part", std::process::id()));
    let placed = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if let Err(error) = placed {
        // What is left of the attempt is worth nothing; the error that counts is the first one.
        let _ = std::fs::remove_file(&beside);
        return Err(failed("write", path)(error));
    }
    Ok(false)
}

enum Removal {
    Removed,
    Left,
    Absent,
}

fn remove(path: &Path, digest_then: &str) -> Result<Removal, WriteError> {
    let Some(bytes) = read(path)? else { return Ok(Removal::Absent) };
    if digest(&bytes) != digest_then {
        return Ok(Removal::Left);
    }
    std::fs::remove_file(path).map_err(failed("remove", path))?;
    Ok(Removal::Removed)
}

/// The bytes of a file; `None` where there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, WriteError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(failed("read", path)(error)),
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError { action, path, source }
}

#[cfg(test)]
mod tests;

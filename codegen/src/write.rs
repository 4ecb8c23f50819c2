//! Puts generated files on disk so that cargo rebuilds only what changed.
//!
//! A file whose bytes stand there already is not touched. Beside the files stands the list of what was written last,
//! a line `<SHA-256>  <path>` each, as `sha256sum` prints them: a listed file that is generated no more is removed,
//! unless somebody has changed it since.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fmt::Write as _;
use std::io;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

/// The name of the list of what was written.
pub const LIST: &str = ".jadpo-outputs";

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

/// Makes `directory` hold `files`, whose paths are relative to it with `/` between their parts.
pub fn write(directory: &Path, files: &BTreeMap<String, String>) -> Result<Written, WriteError> {
    let mut written = Written::default();
    let mut listed = read_list(directory)?;
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
    let mut list = String::new();
    for (path, text) in files {
        // Writing to a String cannot fail.
        let _ = writeln!(list, "{}  {path}", digest(text.as_bytes()));
    }
    put(&directory.join(LIST), list.as_bytes())?;
    Ok(written)
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What was written last, with digests by path. A line that is none of ours is passed over, and so is a path that
/// leads out of the directory, since what it names would be removed.
fn read_list(directory: &Path) -> Result<BTreeMap<String, String>, WriteError> {
    let path = directory.join(LIST);
    let bytes = read(&path)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    let inside = lines.filter(|(_, path)| {
        let parts = Path::new(path).components();
        !path.is_empty() && parts.into_iter().all(|part| matches!(part, Component::Normal(_)))
    });
    Ok(inside.map(|(digest, path)| (path.to_owned(), digest.to_owned())).collect())
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

fn read(path: &Path) -> Result<Option<Vec<u8>>, WriteError> {
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

//! Puts a new text in the place of a file's, whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Makes the file at `path`, which said `before`, say `after`. Its permissions stay. Whoever reads it meanwhile finds
/// one text or the other.
pub fn replace(path: &Path, before: &str, after: &str) -> io::Result<()> {
    replace_bytes(path, before.as_bytes(), after)
}

fn replace_bytes(path: &Path, before: &[u8], after: &str) -> io::Result<()> {
    // The new file would take the place of one that nobody may write, too.
    OpenOptions::new().write(true).open(path)?;
    let permissions = fs::metadata(path)?.permissions();
    let beside = beside(path);
    let placed = place(&beside, path, before, after, permissions);
    if placed.is_err() {
        // What is left of the attempt is worth nothing; the error that counts is the first one.
        let _ = fs::remove_file(&beside);
    }
    placed
}

/// Makes the file at `path` say `text`, whether it is there or not; a link stays one. Whoever reads it meanwhile finds one
/// text or the other.
pub fn put(path: &Path, text: &str) -> io::Result<()> {
    match fs::canonicalize(path) {
        Ok(path) => {
            let before = fs::read(&path)?;
            replace_bytes(&path, &before, text)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let beside = beside(path);
            let placed = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
            if placed.is_err() {
                // As above.
                let _ = fs::remove_file(&beside);
            }
            placed
        }
        Err(error) => Err(error),
    }
}

/// Hidden files are no manifests, and the name is this process's own.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn place(
    beside: &Path,
    path: &Path,
    before: &[u8],
    after: &str,
    permissions: fs::Permissions,
) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(beside)?;
    file.write_all(after.as_bytes())?;
    file.set_permissions(permissions)?;
    file.sync_all()?;
    drop(file);
    if fs::read(path)? != before {
        return Err(io::Error::other("somebody has changed it meanwhile"));
    }
    fs::rename(beside, path)
}

//! Which directories can be opened: those with `app.jadpo` or `provider.jadpo`, beneath a folder or above a file.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::inputs::ScopeKind;
use crate::project::is_skipped;
use crate::system::{FileKind, System};

/// The most directories that [`beneath`] looks into, so that a whole home directory is not walked.
pub const DIRS_MAX: usize = 50_000;

/// What was found beneath a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Directories to open, none of them inside an app.
    pub dirs: BTreeSet<PathBuf>,
    /// Whether the walk saw everything, and did not end at [`DIRS_MAX`].
    pub complete: bool,
}

/// The apps beneath `folder`, itself included, and the packages outside of them. Links are not followed.
pub fn beneath(system: &dyn System, folder: &Path) -> Roots {
    let mut roots = Roots { complete: true, ..Roots::default() };
    let mut waiting = VecDeque::from([folder.to_owned()]);
    let mut seen = 0;
    while let Some(dir) = waiting.pop_front() {
        if seen == DIRS_MAX {
            roots.complete = false;
            break;
        }
        seen += 1;
        // A directory that can't be listed says so when it is opened, or belongs to nobody.
        let Ok(entries) = system.list(&dir) else { continue };
        let holds = |kind: ScopeKind| entries.iter().any(|entry| entry.name == kind.file_name());
        let (app, package) = (holds(ScopeKind::App), holds(ScopeKind::Package));
        if app || package {
            roots.dirs.insert(dir.clone());
        }
        if !app {
            let dirs = entries.iter().filter(|entry| entry.kind == FileKind::Dir && !is_skipped(&entry.name));
            waiting.extend(dirs.map(|entry| dir.join(&entry.name)));
        }
    }
    roots
}

/// The nearest directory above `file` with a manifest that makes it an app or a package.
pub fn above(file: &Path, is_file: impl Fn(&Path) -> bool) -> Option<&Path> {
    let kinds = [ScopeKind::App, ScopeKind::Package];
    file.ancestors().skip(1).find(|dir| kinds.iter().any(|kind| is_file(&dir.join(kind.file_name()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::MemorySystem;

    fn system(files: &[&str]) -> MemorySystem {
        let mut system = MemorySystem::new();
        for file in files {
            system.write(file, "");
        }
        system
    }

    #[test]
    fn apps_are_found_and_packages_outside_of_them() {
        let system = system(&[
            "/w/a/app.jadpo",
            "/w/a/packages/p/provider.jadpo",
            "/w/b/q/provider.jadpo",
            "/w/target/app.jadpo",
            "/w/.hidden/app.jadpo",
            "/w/c/other.jadpo",
        ]);
        let roots = beneath(&system, Path::new("/w"));
        assert_eq!(
            roots.dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>(),
            ["/w/a", "/w/b/q"]
        );
        assert!(roots.complete);
    }

    #[test]
    fn the_nearest_manifest_above_a_file_wins() {
        let system = system(&["/w/app.jadpo", "/w/p/provider.jadpo", "/w/p/deep/x.jadpo", "/v/x.jadpo"]);
        let above = |path| above(Path::new(path), |file| system.kind(file) == Some(FileKind::File));
        assert_eq!(above("/w/p/deep/x.jadpo"), Some(Path::new("/w/p")));
        assert_eq!(above("/w/x.jadpo"), Some(Path::new("/w")));
        assert_eq!(above("/v/x.jadpo"), None);
    }
}

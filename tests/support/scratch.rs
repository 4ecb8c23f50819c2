//! Folders that tests write into, gone when the test ends.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture;
use crate::workspace;

/// A folder of a test's own.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    /// An empty one.
    ///
    /// # Panics
    /// When the system gives none, as in the other methods.
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("the system gives temporary folders") }
    }

    /// One with the files of a fixture.
    pub fn with(fixture: &str) -> Self {
        let scratch = Self::empty();
        fixture::write(scratch.path(), fixture);
        scratch
    }

    /// One with the manifests of a folder of the checkout.
    pub fn copy_of(folder: &str) -> Self {
        let scratch = Self::empty();
        let from = workspace::root().join(folder);
        for file in workspace::files(folder, "jadpo") {
            let inside = file.strip_prefix(&from).expect("found beneath the folder");
            scratch.write(inside, fs::read(&file).expect("a file of the checkout can be read"));
        }
        scratch
    }

    /// Writes a file.
    pub fn write(&self, file: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.at(file);
        let parent = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(parent).expect("the scratch folder can be written");
        fs::write(path, bytes).expect("the scratch folder can be written");
    }

    /// Puts `with` where `text` stands in a file, once.
    #[track_caller]
    pub fn replace(&self, file: &str, text: &str, with: &str) {
        let before = fs::read_to_string(self.at(file)).expect("the file is there");
        assert_eq!(before.matches(text).count(), 1, "`{text}` stands once in {file}");
        self.write(file, before.replace(text, with));
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A path inside.
    pub fn at(&self, file: impl AsRef<Path>) -> PathBuf {
        self.path().join(file)
    }
}

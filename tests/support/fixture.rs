//! A whole project in one string: `//- /path` lines, each followed by that file's text.

use std::path::Path;

/// One file of a fixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the project, without a leading `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The files of a fixture, in order. Text before the first header is an `app.jadpo`.
pub fn files(fixture: &str) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in fixture.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- /") {
            files.push(File { path: path.trim().to_owned(), text: String::new() });
        } else if let Some(file) = files.last_mut() {
            file.text.push_str(line);
        } else if !line.trim().is_empty() {
            files.push(File { path: "app.jadpo".to_owned(), text: line.to_owned() });
        }
    }
    files
}

/// Writes a fixture into a folder.
///
/// # Panics
/// When the folder cannot be written.
pub fn write(folder: &Path, fixture: &str) {
    for file in files(fixture) {
        let path = folder.join(&file.path);
        let parent = path.parent().expect("a file of a fixture stands in a folder");
        std::fs::create_dir_all(parent).expect("the test's folder can be written");
        std::fs::write(&path, file.text).expect("the test's folder can be written");
    }
}

//! A whole project in one string: `//- /path` lines, each followed by that file's text.
//!
//! Words after the path make what no text can show, as in the compiler's catalogue: `hex:fffe` appends those bytes,
//! `size:4194305` pads with spaces to that many bytes, and `link:../x` is a symbolic link.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// One file of a fixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the project, without a leading `/`.
    pub path: String,
    /// Its text, as far as it has one.
    pub text: String,
    attributes: Vec<String>,
}

/// The files of a fixture, in order. Text before the first header is an `app.jadpo`.
pub fn files(fixture: &str) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in fixture.split_inclusive('\n') {
        if let Some(header) = line.strip_prefix("//- /") {
            let mut words = header.split_whitespace().map(str::to_owned);
            let path = words.next().unwrap_or_default();
            files.push(File { path, text: String::new(), attributes: words.collect() });
        } else if let Some(file) = files.last_mut() {
            file.text.push_str(line);
        } else if !line.trim().is_empty() {
            files.push(File { path: "app.jadpo".to_owned(), text: line.to_owned(), attributes: Vec::new() });
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
        fs::create_dir_all(parent).expect("the test's folder can be written");
        match file.attribute("link") {
            Some(target) => symlink(target, &path).expect("the test's folder can be written"),
            None => fs::write(&path, file.bytes()).expect("the test's folder can be written"),
        }
    }
}

impl File {
    /// Whether its text is all there is to it.
    pub fn has_text_only(&self) -> bool {
        self.attributes.is_empty()
    }

    /// What it holds.
    ///
    /// # Panics
    /// When its attributes make no sense.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.text.clone().into_bytes();
        if let Some(digits) = self.attribute("hex") {
            let pairs =
                digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("hex is ASCII"));
            bytes.extend(pairs.map(|pair| u8::from_str_radix(pair, 16).expect("`hex:` has pairs of digits")));
        }
        if let Some(size) = self.attribute("size") {
            bytes.resize(size.parse().expect("`size:` has a number"), b' ');
        }
        bytes
    }

    /// Whether it is a link.
    pub fn is_link(&self) -> bool {
        self.attribute("link").is_some()
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let found =
            self.attributes.iter().find_map(|attribute| attribute.split_once(':').filter(|it| it.0 == name));
        found.map(|(_, value)| value)
    }
}

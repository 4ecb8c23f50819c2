//! Workspaces of any size, the same work in several languages: in files of 200 lines, records of eight fields, an enum of
//! six values and four operations over them, each documented. A file uses a type of the one before it, in chains of ten.

mod manifest;
mod proto;
mod python;
mod toml;

use std::fs;
use std::path::Path;

/// Lines of each file.
pub const FILE_LINES: usize = 200;

/// Files of one package, each of which uses the one before it.
pub const CHAIN: usize = 10;

/// In which language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Manifests: an app with a connection, a poll and a subscriber for each package.
    Jadpo,
    /// Data classes, for a type checker.
    Python,
    /// Messages and services, for a linter.
    Proto,
    /// Tables, for a formatter.
    Toml,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Made {
    /// How many files.
    pub files: usize,
    /// All their lines.
    pub lines: usize,
    /// All their bytes.
    pub bytes: usize,
    /// What the files of manifests declare.
    pub declarations: usize,
}

/// What is put into a template: where its unit stands.
struct Unit {
    /// The file, from 0.
    file: usize,
    /// The unit within its file, from 0.
    number: usize,
}

/// Where a file stands in a workspace.
pub fn path(kind: Kind, file: usize) -> String {
    match kind {
        Kind::Jadpo => manifest::path(file),
        Kind::Python => python::path(file),
        Kind::Proto => proto::path(file),
        Kind::Toml => toml::path(file),
    }
}

/// Writes a workspace of about `lines` lines.
///
/// # Panics
/// When the folder can't be written.
pub fn write(kind: Kind, folder: &Path, lines: usize) -> Made {
    let mut made = Made::default();
    let files = (lines / FILE_LINES).max(1);
    for file in 0..files {
        made.add(folder, &path(kind, file), &text(kind, file, FILE_LINES));
    }
    match kind {
        Kind::Jadpo => made.add(folder, "app.jadpo", &manifest::app(files.div_ceil(CHAIN))),
        Kind::Python => made.add(folder, "parcels/__init__.py", ""),
        Kind::Proto => write_file(folder, "buf.yaml", proto::RULES),
        Kind::Toml => {}
    }
    made
}

/// The text of a file of about `lines` lines.
pub fn text(kind: Kind, file: usize, lines: usize) -> String {
    let (head, unit, comment) = match kind {
        Kind::Jadpo => (manifest::head(file), manifest::UNIT, "//"),
        Kind::Python => (python::head(file), python::UNIT, "#"),
        Kind::Proto => (proto::head(file), proto::UNIT, "//"),
        Kind::Toml => (String::new(), toml::UNIT, "#"),
    };
    filled(file, head, unit, comment, lines)
}

impl Made {
    fn add(&mut self, folder: &Path, path: &str, text: &str) {
        self.files += 1;
        self.lines += text.lines().count();
        self.bytes += text.len();
        self.declarations += manifest::declarations(text);
        write_file(folder, path, text);
    }
}

impl Unit {
    /// The template with the names of this unit.
    fn of(&self, template: &str) -> String {
        let Unit { file, number } = self;
        let earlier = if file.is_multiple_of(CHAIN) { file } else { &(file - 1) };
        template
            .replace("@unit", &format!("{file}x{number}"))
            .replace("@earlier_part", &format!("part{earlier}"))
            .replace("@earlier", &format!("{earlier}x0"))
            .replace("@package", &(file / CHAIN).to_string())
            .replace("@part", &file.to_string())
            .replace("@number", &number.to_string())
    }
}

/// As many units as fit into so many lines, and comments for the rest.
fn filled(file: usize, head: String, unit: &str, comment: &str, lines: usize) -> String {
    let mut text = head;
    let mut filled = text.lines().count();
    let mut number = 0;
    loop {
        let next = Unit { file, number }.of(unit);
        if number > 0 && filled + next.lines().count() > lines {
            let rest = (filled..lines).map(|line| format!("{comment} line {line} of part {file}\n"));
            return text + &rest.collect::<Vec<_>>().concat();
        }
        filled += next.lines().count();
        text += &next;
        number += 1;
    }
}

/// Writes a file, and the folders above it.
///
/// # Panics
/// When it can't be written.
pub fn write_file(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    let parent = path.parent().expect("a file stands in a folder");
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(&path, text))
        .expect("temporary folders can be written");
}

//! The open documents: their texts as the editor has them, kept by its edits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use crate::convert::{Encoding, Text};

/// Every document that the editor has open, by the address that it uses.
#[derive(Debug, Default)]
pub struct Documents {
    by_uri: BTreeMap<Url, Document>,
    /// How many changes there were.
    changes: u64,
}

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its one path; `None` for what is no file, such as a buffer without a name.
    pub path: Option<PathBuf>,
    /// What the editor counts up with each edit.
    pub version: i32,
    /// Its text.
    pub text: String,
    /// Which change was its last: a file may be open under two addresses, and the one just edited counts.
    changed: u64,
}

/// What the checks need to know of the open documents: the addresses and versions of each path.
#[derive(Clone, Debug, Default)]
pub struct OpenPaths {
    by_path: BTreeMap<PathBuf, Vec<(Url, i32)>>,
}

impl Documents {
    /// Opens a document; one that was open under the same address is replaced.
    pub fn open(&mut self, uri: Url, path: Option<PathBuf>, version: i32, text: String) {
        self.changes += 1;
        self.by_uri.insert(uri, Document { path, version, text, changed: self.changes });
    }

    /// Applies edits in their order. `None` when the document is not open; else the document as it is now.
    pub fn change(
        &mut self,
        uri: &Url,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<&Document> {
        let document = self.by_uri.get_mut(uri)?;
        self.changes += 1;
        document.changed = self.changes;
        document.version = version;
        for change in changes {
            document.apply(change, encoding);
        }
        Some(document)
    }

    /// Closes a document and gives it back, if it was open.
    pub fn close(&mut self, uri: &Url) -> Option<Document> {
        self.by_uri.remove(uri)
    }

    /// The text that stands at a path, if a document is open there.
    pub fn text_at(&self, path: &Path) -> Option<Arc<str>> {
        let here = self.by_uri.values().filter(|document| document.path.as_deref() == Some(path));
        here.max_by_key(|document| document.changed).map(|document| document.text.as_str().into())
    }

    /// The paths of the open documents.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_uri.values().filter_map(|document| document.path.as_deref())
    }

    /// Which address and version each open path has.
    pub fn open_paths(&self) -> OpenPaths {
        let mut by_path = BTreeMap::<PathBuf, Vec<(Url, i32)>>::new();
        for (uri, document) in &self.by_uri {
            if let Some(path) = &document.path {
                by_path.entry(path.clone()).or_default().push((uri.clone(), document.version));
            }
        }
        OpenPaths { by_path }
    }
}

impl Document {
    fn apply(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let Some(range) = change.range else {
            self.text = change.text;
            return;
        };
        let span = Text::as_sent(&self.text, encoding).span(range);
        self.text.replace_range(span.start as usize..span.end as usize, &change.text);
    }
}

impl OpenPaths {
    /// The addresses and versions under which a path is open; empty when it is not.
    pub fn at(&self, path: &Path) -> &[(Url, i32)] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }

    /// Every open path, with its addresses and versions.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &[(Url, i32)])> {
        self.by_path.iter().map(|(path, opened)| (path.as_path(), opened.as_slice()))
    }
}

#[cfg(test)]
mod tests;

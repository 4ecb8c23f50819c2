//! What a check found, in the protocol's words: by document, with the editor's addresses and positions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::{self, Related};
use jadpo_syntax::Span;
use tower_lsp::lsp_types::{Diagnostic, DiagnosticRelatedInformation, Location, NumberOrString, Range, Url};

use crate::convert::{self, Encoding, Text};
use crate::documents::OpenPaths;
use crate::projects::is_manifest;

/// The diagnostics of a project, by document.
pub type Listed = BTreeMap<Url, Vec<Diagnostic>>;

/// Checks a project and lists what was found by document.
pub fn listed(workspace: &Workspace, open: &OpenPaths, encoding: Encoding) -> Listed {
    by_document(workspace, &workspace.check().diagnostics, open, encoding)
}

/// Checks a file and what it depends on, and lists what was found in it, and in directories, by document; of directories alone
/// where the project has no such file.
pub fn of_file(workspace: &Workspace, path: &str, open: &OpenPaths, encoding: Encoding) -> Listed {
    by_document(workspace, &workspace.check_file(path), open, encoding)
}

fn by_document(
    workspace: &Workspace,
    diagnostics: &[diagnostics::Diagnostic],
    open: &OpenPaths,
    encoding: Encoding,
) -> Listed {
    let texts = View::texts(workspace, diagnostics);
    let view = View::new(workspace, open, encoding, &texts);
    let mut listed = Listed::new();
    for diagnostic in diagnostics {
        for (uri, _) in view.addresses(&diagnostic.file) {
            listed.entry(uri).or_default().push(view.diagnostic(diagnostic));
        }
    }
    listed
}

/// A project as the editor sees it: addresses and positions instead of paths and offsets.
pub struct View<'a> {
    workspace: &'a Workspace,
    open: &'a OpenPaths,
    texts: BTreeMap<&'a str, Text<'a>>,
}

impl<'a> View<'a> {
    /// The texts that `diagnostics` have places in.
    pub fn texts(
        workspace: &Workspace,
        diagnostics: &'a [diagnostics::Diagnostic],
    ) -> BTreeMap<&'a str, Arc<str>> {
        let own = diagnostics.iter().map(|diagnostic| &diagnostic.file);
        let related =
            diagnostics.iter().flat_map(|diagnostic| &diagnostic.related).map(|related| &related.file);
        let edits = diagnostics.iter().flat_map(|diagnostic| &diagnostic.fixes).flat_map(|fix| &fix.edits);
        let files = own.chain(related).chain(edits.map(|edit| &edit.file));
        let mut texts = BTreeMap::new();
        for file in files {
            if !texts.contains_key(file.as_str())
                && let Some(text) = workspace.text(file)
            {
                texts.insert(file.as_str(), text);
            }
        }
        texts
    }

    /// The project `workspace` with what is open of it.
    pub fn new(
        workspace: &'a Workspace,
        open: &'a OpenPaths,
        encoding: Encoding,
        texts: &'a BTreeMap<&'a str, Arc<str>>,
    ) -> Self {
        let text = |file: &str, text: &'a Arc<str>| {
            let is_open = workspace.place_of(file).is_some_and(|place| !open.at(place).is_empty());
            if is_open { Text::as_sent(text, encoding) } else { Text::on_disk(text, encoding) }
        };
        Self {
            workspace,
            open,
            texts: texts.iter().map(|(file, source)| (*file, text(file, source))).collect(),
        }
    }

    /// The addresses under which an editor knows a file, with the version of each that is open. What is wrong with a
    /// directory is shown in its project's manifest or, without one, in the open documents inside it.
    pub fn addresses(&self, file: &str) -> Vec<(Url, Option<i32>)> {
        let root = self.workspace.root();
        if let Some(place) = self.workspace.place_of(file) {
            return self.at(place);
        }
        if is_manifest(Path::new(file)) {
            return self.at(&root.join(file));
        }
        let manifests = ["app.jadpo", "provider.jadpo"];
        if let Some(place) = manifests.iter().find_map(|manifest| self.workspace.place_of(manifest)) {
            return self.at(place);
        }
        let inside = self.open.iter().filter(|(path, _)| path.parent() == Some(root));
        inside.flat_map(|(path, _)| self.at(path)).collect()
    }

    /// The range of a file in the editor's positions; the start of what has no text.
    pub fn range(&self, file: &str, range: diagnostics::Range) -> Range {
        self.texts.get(file).map(|text| text.range(range.span())).unwrap_or_default()
    }

    /// The bytes of a range of the editor, in a file that a diagnostic has a place in.
    pub fn span(&self, file: &str, range: Range) -> Option<Span> {
        self.texts.get(file).map(|text| text.span(range))
    }

    /// A diagnostic in the protocol's words.
    pub fn diagnostic(&self, diagnostic: &diagnostics::Diagnostic) -> Diagnostic {
        let message = match &diagnostic.help {
            Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let related: Vec<_> = diagnostic.related.iter().filter_map(|related| self.related(related)).collect();
        Diagnostic {
            range: self.range(&diagnostic.file, diagnostic.range),
            severity: Some(convert::severity(diagnostic.severity)),
            code: Some(NumberOrString::String(diagnostic.code.text().to_owned())),
            source: Some("jadpo".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    fn related(&self, related: &Related) -> Option<DiagnosticRelatedInformation> {
        let (uri, _) = self.addresses(&related.file).into_iter().next()?;
        let location = Location { uri, range: self.range(&related.file, related.range) };
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    }

    fn at(&self, place: &Path) -> Vec<(Url, Option<i32>)> {
        let open = self.open.at(place);
        if open.is_empty() {
            return Url::from_file_path(place).ok().map(|uri| (uri, None)).into_iter().collect();
        }
        open.iter().map(|(uri, version)| (uri.clone(), Some(*version))).collect()
    }
}

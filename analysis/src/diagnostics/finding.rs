//! What a rule finds: a diagnostic whose places still move with their declarations.

use jadpo_syntax::{LineIndex, Problem, Span};

use super::quoted::short;
use super::{Code, Diagnostic, Edit, Fix, Range, Related, Severity};
use crate::db::Db;
use crate::inputs::SourceFile;
use crate::items::DeclSrc;

/// What a place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Anchor<'db> {
    /// The first byte of a declaration.
    Decl(DeclSrc<'db>),
    /// The first byte of a file.
    File(SourceFile),
}

/// A range, relative to its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Place<'db> {
    /// What `span` is relative to.
    pub anchor: Anchor<'db>,
    /// The range.
    pub span: Span,
}

impl<'db> Place<'db> {
    /// A range of a declaration.
    pub fn in_decl(decl: DeclSrc<'db>, span: Span) -> Self {
        Self { anchor: Anchor::Decl(decl), span }
    }

    /// A range of a file.
    pub fn in_file(file: SourceFile, span: Span) -> Self {
        Self { anchor: Anchor::File(file), span }
    }

    /// Its file and range, as they are now.
    pub(crate) fn resolve(self, db: &'db dyn Db) -> (String, Range) {
        let (file, span) = match self.anchor {
            Anchor::Decl(decl) => (decl.file(db), self.span.offset_by(decl.offset(db))),
            Anchor::File(file) => (file, self.span),
        };
        (file.path(db).to_owned(), Range::of(file.text(db), line_index(db, file), span))
    }
}

/// Where the lines of a file start; asked only for files that a diagnostic names.
#[salsa::tracked]
fn line_index(db: &dyn Db, file: SourceFile) -> LineIndex {
    LineIndex::new(file.text(db))
}

/// A diagnostic of a rule, before its places are fixed.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Finding<'db> {
    code: Code,
    message: String,
    place: Place<'db>,
    label: String,
    related: Vec<(Place<'db>, String)>,
    help: Option<String>,
    fixes: Vec<FindingFix<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct FindingFix<'db> {
    title: String,
    safe: bool,
    edits: Vec<FindingEdit<'db>>,
}

/// One edit of a repair: its place and what stands there afterwards.
pub type FindingEdit<'db> = (Place<'db>, String);

impl<'db> Finding<'db> {
    /// A finding with nothing but its code, place and sentence.
    pub fn new(code: Code, place: Place<'db>, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            place,
            label: String::new(),
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Whether it is an error.
    pub(crate) fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }

    /// What `syntax` found, taken over as it is.
    pub fn of_problem(problem: &Problem, anchor: Anchor<'db>) -> Self {
        let place = |span| Place { anchor, span };
        let mut finding = Self::new(Code::of_syntax(problem.code), place(problem.span), &*problem.message);
        finding.help.clone_from(&problem.help);
        finding.related =
            problem.related.iter().map(|(span, message)| (place(*span), message.clone())).collect();
        finding.fixes = problem
            .edit
            .iter()
            .map(|edit| FindingFix {
                title: edit.title.clone(),
                safe: edit.safe,
                edits: vec![(place(edit.span), edit.text.clone())],
            })
            .collect();
        finding
    }

    /// What the frame says beside the range.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    /// Another place that explains it.
    pub fn related(&mut self, place: Place<'db>, message: impl Into<String>) -> &mut Self {
        self.related.push((place, message.into()));
        self
    }

    /// The `help:` line.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// A repair that a tool may apply without asking, of one edit.
    pub fn fix(&mut self, title: impl Into<String>, at: Place<'db>, text: impl Into<String>) -> &mut Self {
        self.fix_all(title, true, vec![(at, text.into())])
    }

    /// A repair that needs a choice, of one edit.
    pub fn suggest(
        &mut self,
        title: impl Into<String>,
        at: Place<'db>,
        text: impl Into<String>,
    ) -> &mut Self {
        self.fix_all(title, false, vec![(at, text.into())])
    }

    /// A repair of any number of edits.
    pub fn fix_all(
        &mut self,
        title: impl Into<String>,
        safe: bool,
        edits: Vec<FindingEdit<'db>>,
    ) -> &mut Self {
        self.fixes.push(FindingFix { title: title.into(), safe, edits });
        self
    }

    /// The nearest name, as a help line and a repair of the finding's own place. `None` changes nothing.
    pub fn nearest(&mut self, name: Option<&str>) -> &mut Self {
        let Some(name) = name else { return self };
        self.help = Some(format!("did you mean `{name}`?"));
        let place = self.place;
        self.fix(format!("write `{name}`"), place, name)
    }

    /// Whether its own place begins in one of these ranges of what it is anchored to.
    pub(crate) fn starts_in(&self, ranges: &[Span]) -> bool {
        let at = self.place.span.start;
        ranges.iter().any(|range| range.start <= at && at < range.end.max(range.start + 1))
    }

    /// The diagnostic, with its places as they are now.
    pub(crate) fn resolve(&self, db: &'db dyn Db) -> Diagnostic {
        let (file, range) = self.place.resolve(db);
        let related = self.related.iter().map(|(place, message)| {
            let (file, range) = place.resolve(db);
            Related { message: short(message), file, range }
        });
        let fixes = self.fixes.iter().map(|fix| {
            let edits = fix.edits.iter().map(|(place, text)| {
                let (file, range) = place.resolve(db);
                Edit { file, range, text: text.clone() }
            });
            Fix { title: short(&fix.title), safe: fix.safe, edits: edits.collect() }
        });
        Diagnostic {
            code: self.code,
            severity: self.code.severity(),
            message: short(&self.message),
            file,
            range,
            label: short(&self.label),
            related: related.collect(),
            help: self.help.as_deref().map(short),
            fixes: fixes.collect(),
        }
    }
}

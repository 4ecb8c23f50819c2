//! What is wrong with a file before its meaning is asked for.

use crate::check::files;
use crate::db::{Database, Db};
use crate::diagnostics::{Anchor, Diagnostic, Finding};
use crate::inputs::{Project, Scope, ScopeKind, SourceFile};
use crate::items::{file_items, parse};
use crate::source::Source;

/// Why a file can't be read, or the mistakes in its syntax, in the order of the file. The file stands alone, under the
/// name that diagnostics give it.
pub fn syntax_diagnostics(name: &str, source: Source) -> Vec<Diagnostic> {
    let db = Database::default();
    let project = Project::new(&db, None, Vec::new(), Vec::new(), Vec::new());
    let scope = Scope::new(&db, project, ScopeKind::App, "".into(), Vec::new(), None);
    let file = SourceFile::new(&db, scope, name.into(), source.text, source.problem);
    let mut found = of_file(&db, file);
    found.sort_by_key(|diagnostic| (diagnostic.range.start.offset, diagnostic.range.end.offset));
    found
}

fn of_file(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let items = file_items(db, file);
    let between = items.problems.iter().map(|problem| Finding::of_problem(problem, Anchor::File(file)));
    let inside = items.decls.iter().flat_map(|decl| {
        let problems = &parse(db, *decl).problems;
        problems.iter().map(|problem| Finding::of_problem(problem, Anchor::Decl(*decl)))
    });
    let found = files::unread(db, file).into_iter().chain(between).chain(inside);
    found.map(|finding| finding.resolve(db)).collect()
}

//! What every rule works with: the database, the declaration it looks at, and the findings so far.

use jadpo_syntax::tree::{Block, Keyword, Name};
use jadpo_syntax::{Problem, Span};

use crate::db::Db;
use crate::diagnostics::{Anchor, Code, Finding, Place};
use crate::inputs::{Project, Scope, ScopeKind};
use crate::items::DeclSrc;
use crate::names;
use crate::unread;

use super::overshadowed::has_wrong_braces;

/// The check of one declaration.
pub struct Check<'db> {
    /// The database.
    pub db: &'db dyn Db,
    /// The declaration that is checked.
    pub decl: DeclSrc<'db>,
    /// Its namespace.
    pub scope: Scope,
    /// The project that holds it.
    pub project: Project,
    /// Whether its syntax has problems: what seems missing then may be what could not be read.
    pub broken: bool,
    /// Whether braces are missing or too many: a key may then stand in another block than it was written for.
    pub unbraced: bool,
    found: Vec<Finding<'db>>,
    /// How many of `found`, the first ones, are about syntax.
    of_syntax: usize,
    /// Where everything has been said, and how many of `found` stood before.
    settled: Vec<(usize, Span)>,
}

impl<'db> Check<'db> {
    /// A check of `decl` that has found its syntax problems.
    pub fn new(db: &'db dyn Db, decl: DeclSrc<'db>, problems: &[Problem]) -> Self {
        let scope = decl.scope(db);
        let found = problems.iter().map(|problem| Finding::of_problem(problem, Anchor::Decl(decl)));
        let found: Vec<_> = found.collect();
        Self {
            db,
            decl,
            scope,
            project: scope.project(db),
            broken: !found.is_empty(),
            unbraced: has_wrong_braces(problems),
            of_syntax: found.len(),
            settled: Vec::new(),
            found,
        }
    }

    /// A place in the declaration that is checked.
    pub fn at(&self, span: Span) -> Place<'db> {
        Place::in_decl(self.decl, span)
    }

    /// Where the declaration's name stands, else its keyword.
    pub fn head(&self) -> Span {
        names::name_place(self.db, self.decl).span
    }

    /// Where an entry of `block` can be put, and that entry's text: beneath the last one where it stands on a line of its
    /// own, else beside it.
    pub fn insertion(&self, block: &Block, entry: &str) -> (Place<'db>, String) {
        let Some(last) = block.entries.last() else {
            return (self.at(block.span), format!("{{ {entry} }}"));
        };
        let before = &self.decl.text(self.db)[..last.key.span.start as usize];
        let line = before.rfind('\n').map(|at| &before[at..]).filter(|line| line.trim().is_empty());
        (self.at(Span::empty(last.span.end)), format!("{}{entry}", line.unwrap_or("  ")))
    }

    /// Reports, and gives the finding so that help, related places and fixes can be added.
    pub fn report(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Finding<'db> {
        let finding = Finding::new(code, self.at(span), message);
        self.found.push(finding);
        self.found.last_mut().expect("a finding was just pushed")
    }

    /// Whether something has been reported of `span`.
    pub fn has_report_in(&self, span: Span) -> bool {
        self.found.iter().any(|finding| finding.starts_in(&[span]))
    }

    /// The declaration of this kind that `name` names in the same namespace, or a report of `code` with the nearest.
    pub fn named(&mut self, keyword: Keyword, name: &Name, code: Code) -> Option<DeclSrc<'db>> {
        let found = names::find(self.db, self.scope, keyword, &name.text);
        if found.is_none() && names::is_missing(self.db, self.scope, keyword, &name.text) {
            let nearest = names::nearest_declared(self.db, self.scope, keyword, &name.text);
            let message = format!("there is no {} `{}`", keyword.text(), name.text);
            self.report(code, name.span, message).nearest(nearest);
        }
        found
    }

    /// The declared type that a path names: `Prices` in the same namespace, `coinfeed.Prices` in a package that
    /// an app uses. Otherwise a report of `code` with the nearest. Built-in types are not looked at.
    pub fn declared_type(&mut self, path: &[Name], code: Code) -> Option<DeclSrc<'db>> {
        match path {
            [name] => self.named(Keyword::Type, name, code),
            [package, name] if self.scope.kind(self.db) == ScopeKind::App => {
                self.package_type(package, name, code)
            }
            _ => {
                let span = path.first()?.span.to(path.last()?.span);
                self.report(
                    code,
                    span,
                    "a type is written `Name`, and one of a package `package.Name`, in an app only",
                );
                None
            }
        }
    }

    fn package_type(&mut self, package: &Name, name: &Name, code: Code) -> Option<DeclSrc<'db>> {
        let db = self.db;
        let scope = self.package(package, code)?;
        let Some(decl) = names::find(db, scope, Keyword::Type, &name.text) else {
            if !names::is_missing(db, scope, Keyword::Type, &name.text) {
                return None;
            }
            let public = names::declared(db, scope, Keyword::Type).filter(|decl| decl.public(db));
            let nearest = crate::nearest::nearest(&name.text, public.map(|decl| decl.name_text(db)));
            let message = format!("package `{}` has no type `{}`", package.text, name.text);
            self.report(code, name.span, message).nearest(nearest);
            return None;
        };
        if !decl.public(db) {
            let message = format!("`{}` is private to package `{}`", name.text, package.text);
            let declared = names::name_place(db, decl);
            self.report(code, name.span, message)
                .related(declared, "declared here without `public`")
                .help("an app may name only the public types of a package");
            return None;
        }
        Some(decl)
    }

    /// The package that `name` names, or a report of `code` with the nearest.
    pub fn package(&mut self, name: &Name, code: Code) -> Option<Scope> {
        let found = names::package(self.db, self.project, &name.text);
        if found.is_none() && !unread::has_package(self.db, self.project) {
            let nearest = names::nearest_package(self.db, self.project, &name.text);
            let message = format!("there is no package `{}`", name.text);
            self.report(code, name.span, message)
                .help(
                    "a package is a directory with a `provider.jadpo`, beneath the app or in its `packages`",
                )
                .nearest(nearest);
        }
        found
    }

    /// Says that what has been reported of `span` is all: the value is of another form than any rule takes it for.
    pub fn settle(&mut self, span: Span) {
        self.settled.push((self.found.len(), span));
    }

    /// What was found, without what the rules say of the overshadowed ranges and of what is settled.
    pub fn finish(self, overshadowed: &[Span]) -> Vec<Finding<'db>> {
        let settled = |at: usize, finding: &Finding<'_>| {
            self.settled.iter().any(|(before, span)| *before <= at && finding.starts_in(&[*span]))
        };
        let found = self.found.into_iter().enumerate().filter(|(at, finding)| {
            *at < self.of_syntax || !finding.starts_in(overshadowed) && !settled(*at, finding)
        });
        found.map(|(_, finding)| finding).collect()
    }
}

//! Rules that see a whole namespace: names declared twice, and the declaration that a scope can't do without.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use jadpo_syntax::Span;
use jadpo_syntax::tree::Keyword;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::db::Db;
use crate::diagnostics::codes::base;
use crate::diagnostics::{Finding, Place};
use crate::inputs::{Project, Scope, ScopeKind, SourceFile};
use crate::items::{DeclSrc, Name, file_decls};
use crate::names;

/// Two declarations that can't both have their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Clash<'db> {
    first: DeclSrc<'db>,
    again: DeclSrc<'db>,
    how: How,
}

/// Why two names clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Same,
    Case,
}

/// What is wrong with a file's part in its namespace.
pub fn findings(db: &dyn Db, file: SourceFile) -> Vec<Finding<'_>> {
    let scope = file.scope(db);
    let mut findings: Vec<_> = clashes(db, scope)
        .iter()
        .chain(package_clashes(db, scope.project(db)))
        .filter(|clash| clash.again.file(db) == file)
        .map(|clash| clash.finding(db))
        .collect();
    findings.extend(no_owner(db, file));
    findings
}

impl<'db> Clash<'db> {
    fn finding(&self, db: &'db dyn Db) -> Finding<'db> {
        let (first, again) = (self.first.name_text(db), self.again.name_text(db));
        let message = match self.how {
            How::Same => format!("`{again}` is declared twice"),
            How::Case => format!("`{again}` and `{first}` differ only in case"),
        };
        let mut finding = Finding::new(base::NAME_DUPLICATE, names::name_place(db, self.again), message);
        finding
            .label("declared again here")
            .related(names::name_place(db, self.first), "first declared here");
        if self.how == How::Case {
            finding
                .label("too like the first")
                .help("what tells them apart must be more than capital letters");
        }
        finding
    }
}

/// The clashes of a namespace. Names that differ in more than case differ in generated Rust too, which is made so. Places are no part of them, so an edit elsewhere changes nothing.
#[salsa::tracked(returns(deref))]
fn clashes(db: &dyn Db, scope: Scope) -> Vec<Clash<'_>> {
    let count = names::count(db, scope);
    let mut same: FxHashMap<(Space, Name<'_>), DeclSrc<'_>> =
        HashMap::with_capacity_and_hasher(count, FxBuildHasher);
    let mut alike: FxHashMap<(Keyword, AnyCase<'_>), DeclSrc<'_>> =
        HashMap::with_capacity_and_hasher(count, FxBuildHasher);
    let mut clashes = Vec::new();
    for file in scope.files(db) {
        for again in file_decls(db, *file).iter().copied() {
            let (Some(keyword), Some(name)) = (again.keyword(db), again.name(db)) else { continue };
            let Some(space) = Space::of(keyword) else { continue };
            if let Some(first) = same.get(&(space, name)) {
                clashes.push(Clash { first: *first, again, how: How::Same });
                continue;
            }
            same.insert((space, name), again);
            let first = *alike.entry((keyword, AnyCase(name.text(db)))).or_insert(again);
            if first != again {
                clashes.push(Clash { first, again, how: How::Case });
            }
        }
    }
    clashes
}

/// The namespaces within a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Space {
    Common,
    Connections,
    Stores,
}

impl Space {
    /// Where a declaration's name counts; the one `app` or `provider` is named by nobody here.
    fn of(keyword: Keyword) -> Option<Self> {
        match keyword {
            Keyword::App | Keyword::Provider => None,
            Keyword::Connection => Some(Self::Connections),
            Keyword::Store => Some(Self::Stores),
            _ => Some(Self::Common),
        }
    }
}

/// A name that equals all that differ from it only in case, so that none is copied to be compared.
struct AnyCase<'a>(&'a str);

/// How many bytes of a name are hashed at once; nearly all names are shorter.
const PIECE: usize = 64;

impl PartialEq for AnyCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for chunk in self.0.as_bytes().chunks(PIECE) {
            let mut piece = [0; PIECE];
            let piece = &mut piece[..chunk.len()];
            piece.copy_from_slice(chunk);
            piece.make_ascii_lowercase();
            state.write(piece);
        }
    }
}

/// Whether another name of the kind differs from a declaration's only in case, which says what is wrong with it.
#[salsa::tracked(returns(copy))]
pub fn differs_in_case<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> bool {
    cased(db, decl.scope(db)).contains(&decl)
}

/// The declarations that [`differs_in_case`] is true of: as many names may clash as there are.
#[salsa::tracked]
fn cased(db: &dyn Db, scope: Scope) -> FxHashSet<DeclSrc<'_>> {
    let clashes = clashes(db, scope).iter().filter(|clash| clash.how == How::Case);
    clashes.map(|clash| clash.again).collect()
}

/// Packages of one name.
#[salsa::tracked(returns(deref))]
fn package_clashes(db: &dyn Db, project: Project) -> Vec<Clash<'_>> {
    let packages = names::packages(db, project);
    let mut firsts = FxHashMap::default();
    let again = packages.iter().copied().filter_map(|(name, scope)| {
        let first = *firsts.entry(name).or_insert(scope);
        let (first, again) = (names::owner(db, first)?, names::owner(db, scope)?);
        (first != again).then_some(Clash { first, again, how: How::Same })
    });
    again.collect()
}

/// An `app.jadpo` without an `app`, a `provider.jadpo` without a `provider`.
fn no_owner(db: &dyn Db, file: SourceFile) -> Option<Finding<'_>> {
    let scope = file.scope(db);
    if !names::is_owner_file(db, scope, file.path(db)) || file.problem(db).is_some() {
        return None;
    }
    // A declaration whose head could not be read may be the one, and has been reported.
    let unread = file_decls(db, file).iter().any(|decl| decl.keyword(db).is_none());
    if unread || names::owner(db, scope).is_some() {
        return None;
    }
    let (code, message, help) = match scope.kind(db) {
        ScopeKind::App => (
            base::APP_DECLARATION_INVALID,
            "`app.jadpo` declares no `app`",
            "write `app <name> { }`; the name is what the built program is called",
        ),
        ScopeKind::Package => (
            base::PACKAGE_DECLARATION_INVALID,
            "`provider.jadpo` declares no `provider`",
            "write `provider <name> { base_url: \"https://…\" }`; the name is the package's",
        ),
    };
    let mut finding = Finding::new(code, Place::in_file(file, Span::empty(0)), message);
    finding.help(help);
    Some(finding)
}

//! Names: what each namespace declares, which names clash, how a name is looked up and how it must be spelt.

use std::collections::HashMap;

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Body, Keyword};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::db::Db;
use crate::diagnostics::Place;
use crate::inputs::{Project, Scope, ScopeKind};
use crate::items::{DeclSrc, Name, file_decls, parse};
use crate::nearest::nearest;
use crate::unread;

/// The built-in types, in the order of the language page.
pub const BUILTIN_TYPES: [&str; 16] = [
    "Text", "Int", "Decimal", "Bool", "Instant", "DateTime", "Date", "Duration", "Uuid", "Url", "Email",
    "Bytes", "Json", "Secret", "List", "Map",
];

/// What opens the body of a type.
pub const TYPE_BODIES: [&str; 3] = ["Object", "Event", "Enum"];

/// A name of one kind in one namespace: the key of a lookup.
#[salsa::interned(debug)]
pub struct Symbol<'db> {
    /// The namespace.
    #[returns(copy)]
    pub scope: Scope,
    /// The kind.
    #[returns(copy)]
    pub keyword: Keyword,
    /// The name.
    #[returns(copy)]
    pub name: Name<'db>,
}

/// What a namespace declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct ScopeIndex<'db> {
    first: FxHashMap<Declared<'db>, DeclSrc<'db>>,
}

/// A symbol of a known namespace, which needn't be interned to be one of thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
struct Declared<'db> {
    keyword: Keyword,
    name: Name<'db>,
}

/// The first declaration of each name.
#[salsa::tracked]
pub fn scope_index(db: &dyn Db, scope: Scope) -> ScopeIndex<'_> {
    let mut first = HashMap::with_capacity_and_hasher(count(db, scope), FxBuildHasher);
    for file in scope.files(db) {
        for decl in file_decls(db, *file) {
            if let (Some(keyword), Some(name)) = (decl.keyword(db), decl.name(db)) {
                first.entry(Declared { keyword, name }).or_insert(*decl);
            }
        }
    }
    ScopeIndex { first }
}

/// The declaration of a symbol. Who asks depends on this one name only.
#[salsa::tracked(returns(copy))]
pub fn lookup<'db>(db: &'db dyn Db, symbol: Symbol<'db>) -> Option<DeclSrc<'db>> {
    let wanted = Declared { keyword: symbol.keyword(db), name: symbol.name(db) };
    scope_index(db, symbol.scope(db)).first.get(&wanted).copied()
}

/// The declaration of this kind and name in a namespace.
pub fn find<'db>(db: &'db dyn Db, scope: Scope, keyword: Keyword, name: &str) -> Option<DeclSrc<'db>> {
    lookup(db, Symbol::new(db, scope, keyword, Name::new(db, name)))
}

/// Whether nothing of this kind and name is declared, as far as could be read.
pub fn is_missing(db: &dyn Db, scope: Scope, keyword: Keyword, name: &str) -> bool {
    let symbol = Symbol::new(db, scope, keyword, Name::new(db, name));
    lookup(db, symbol).is_none() && !unread::may_be(db, symbol)
}

/// How many declarations a namespace has, named or not.
pub fn count(db: &dyn Db, scope: Scope) -> usize {
    scope.files(db).iter().map(|file| file_decls(db, *file).len()).sum()
}

/// Every declaration of a kind, in the order of files and within them.
pub fn declared(db: &dyn Db, scope: Scope, keyword: Keyword) -> impl Iterator<Item = DeclSrc<'_>> {
    let decls = scope.files(db).iter().flat_map(move |file| file_decls(db, *file)).copied();
    decls.filter(move |decl| decl.keyword(db) == Some(keyword))
}

/// The declared name of this kind that is nearest to `written`.
pub fn nearest_declared<'db>(
    db: &'db dyn Db,
    scope: Scope,
    keyword: Keyword,
    written: &str,
) -> Option<&'db str> {
    Some(nearest_to(db, Symbol::new(db, scope, keyword, Name::new(db, written)))?.text(db))
}

/// The declared name that is nearest to a symbol's. Whoever renames a declaration has every use of it ask for the same.
#[salsa::tracked(returns(copy))]
fn nearest_to<'db>(db: &'db dyn Db, symbol: Symbol<'db>) -> Option<Name<'db>> {
    let names = declared(db, symbol.scope(db), symbol.keyword(db)).map(|decl| decl.name_text(db));
    nearest(symbol.name(db).text(db), names).map(|name| Name::new(db, name))
}

/// The `provider` of a package, or the `app` of an app: the first in the file that makes the scope.
#[salsa::tracked(returns(copy))]
pub fn owner(db: &dyn Db, scope: Scope) -> Option<DeclSrc<'_>> {
    let keyword = match scope.kind(db) {
        ScopeKind::App => Keyword::App,
        ScopeKind::Package => Keyword::Provider,
    };
    let file = scope.files(db).iter().find(|file| is_owner_file(db, scope, file.path(db)))?;
    file_decls(db, *file).iter().copied().find(|decl| decl.keyword(db) == Some(keyword))
}

/// Whether the file at `path` is the one that makes the scope.
pub fn is_owner_file(db: &dyn Db, scope: Scope, path: &str) -> bool {
    let name = scope.kind(db).file_name();
    match path.strip_prefix(scope.dir(db)) {
        Some(rest) => rest.trim_start_matches('/') == name,
        None => false,
    }
}

/// The packages of a project by name, in the order in which they were found.
#[salsa::tracked(returns(deref))]
pub fn packages(db: &dyn Db, project: Project) -> Vec<(Name<'_>, Scope)> {
    let packages = project.packages(db).iter();
    packages.filter_map(|scope| Some((owner(db, *scope)?.name(db)?, *scope))).collect()
}

/// The package of this name.
pub fn package(db: &dyn Db, project: Project, name: &str) -> Option<Scope> {
    packages(db, project).iter().find(|(known, _)| known.text(db) == name).map(|(_, scope)| *scope)
}

/// The package whose name is nearest to `written`.
pub fn nearest_package<'db>(db: &'db dyn Db, project: Project, written: &str) -> Option<&'db str> {
    nearest(written, packages(db, project).iter().map(|(name, _)| name.text(db)))
}

/// Where a declaration's name stands, else its head. For reports only: it reads the other declaration's tree.
pub fn name_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Place<'db> {
    let declaration = parse(db, decl).declaration.as_ref();
    let span = declaration.map(|it| it.name.as_ref().map_or(it.keyword_span, |name| name.span));
    Place::in_decl(decl, span.unwrap_or(Span::empty(0)))
}

/// Where the entry of a path of keys stands in a declaration's block, as `["polls", "prices"]`; the name where it
/// isn't there. For reports only.
pub fn key_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>, path: &[&str]) -> Place<'db> {
    let found = || {
        let Body::Block(block) = &parse(db, decl).declaration.as_ref()?.body else { return None };
        let mut entries = &block.entries;
        let mut span = None;
        for key in path {
            let entry = entries.iter().find(|entry| &*entry.key.text == *key)?;
            span = Some(entry.key.span);
            if let Some(jadpo_syntax::tree::ValueKind::Block(inner)) =
                entry.value.as_ref().map(|value| &value.kind)
            {
                entries = &inner.entries;
            }
        }
        span
    };
    found().map_or_else(|| name_place(db, decl), |span| Place::in_decl(decl, span))
}

/// How a name must be spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `UpperCamelCase`, for types.
    UpperCamel,
    /// `lower_snake_case`, for everything else.
    LowerSnake,
}

impl Case {
    /// How names of this kind of declaration are spelt.
    pub fn of(keyword: Keyword) -> Self {
        if keyword == Keyword::Type { Self::UpperCamel } else { Self::LowerSnake }
    }

    /// Whether `name` is spelt so.
    pub fn holds(self, name: &str) -> bool {
        match self {
            Self::UpperCamel => {
                name.starts_with(|c: char| c.is_ascii_uppercase())
                    && name.bytes().all(|b| b.is_ascii_alphanumeric())
            }
            Self::LowerSnake => {
                let word = |word: &str| {
                    !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                };
                name.starts_with(|c: char| c.is_ascii_lowercase()) && name.split('_').all(word)
            }
        }
    }

    /// `name`, spelt so; `None` for one without a letter to begin with.
    pub fn repair(self, name: &str) -> Option<String> {
        let repaired = match self {
            Self::UpperCamel => upper_camel(name),
            Self::LowerSnake => lower_snake(name),
        };
        self.holds(&repaired).then_some(repaired)
    }

    /// Its own name, spelt so.
    pub fn text(self) -> &'static str {
        match self {
            Self::UpperCamel => "UpperCamelCase",
            Self::LowerSnake => "lower_snake_case",
        }
    }
}

/// `fetch_prices` as `FetchPrices`, the name of what is generated for it.
pub fn upper_camel(name: &str) -> String {
    let words = name.split(['_', '-']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
    };
    words.map(capital).collect()
}

/// `FetchPrices`, `fetchPrices` or `Fetch-Prices` as `fetch_prices`; a run of capitals is one word.
pub fn lower_snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let starts_word = c.is_ascii_uppercase()
            && before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            || c.is_ascii_uppercase()
                && before.is_some_and(|b| b.is_ascii_uppercase())
                && after.is_some_and(char::is_ascii_lowercase);
        let separates = matches!(*c, '_' | '-');
        if (separates || starts_word) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if !separates {
            out.push(c.to_ascii_lowercase());
        }
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Case, lower_snake, upper_camel};

    #[test]
    fn names_are_repaired_word_by_word() {
        assert_eq!(lower_snake("fetchPrices"), "fetch_prices");
        assert_eq!(lower_snake("HTTPServer2Go"), "http_server2_go");
        assert_eq!(upper_camel("prices_changed"), "PricesChanged");
        assert_eq!(Case::UpperCamel.repair("HTTP_Server").as_deref(), Some("HTTPServer"));
        assert_eq!(Case::LowerSnake.repair("_links").as_deref(), Some("links"));
        assert_eq!(Case::LowerSnake.repair("_"), None);
        assert_eq!(Case::LowerSnake.repair("1st"), None);
    }
}

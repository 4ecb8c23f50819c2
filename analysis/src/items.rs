//! What a file declares, without what the declarations say: the wall that stops an edit inside one declaration.

use jadpo_syntax::tree::Keyword;
use jadpo_syntax::{Parsed, Problem};
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::{Scope, SourceFile};

/// A name of a declaration.
#[salsa::interned(debug)]
pub struct Name<'db> {
    /// As written.
    #[returns(deref)]
    pub text: String,
}

/// One declaration of a file: its identity (file, keyword, name, and which of its equals), its text and its place.
///
/// The text is the declaration's own, so all spans in what is made of it are relative. Only [`crate::check`]'s
/// `file_diagnostics` reads the offset.
#[salsa::tracked(debug)]
pub struct DeclSrc<'db> {
    /// The file that it stands in.
    #[returns(copy)]
    pub file: SourceFile,
    /// Its keyword; `None` for text that starts like no declaration.
    #[returns(copy)]
    pub keyword: Option<Keyword>,
    /// Its name; `None` where it could not be read.
    #[returns(copy)]
    pub name: Option<Name<'db>>,
    /// How many before it in the file have its keyword and its name. Salsa tells equals apart by itself, but looks through
    /// all of them for each.
    #[returns(copy)]
    pub nth: u32,
    /// Whether it is `public`.
    #[tracked]
    #[returns(copy)]
    pub public: bool,
    /// From its first doc line or token to its last token.
    #[tracked]
    #[returns(deref)]
    pub text: Box<str>,
    /// Where `text` starts in the file.
    #[tracked]
    #[returns(copy)]
    pub offset: u32,
}

impl<'db> DeclSrc<'db> {
    /// The namespace that it stands in.
    pub fn scope(self, db: &'db dyn Db) -> Scope {
        self.file(db).scope(db)
    }

    /// Its name, or nothing.
    pub fn name_text(self, db: &'db dyn Db) -> &'db str {
        self.name(db).map_or("", |name| name.text(db))
    }
}

/// A file cut into declarations.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct FileItems<'db> {
    /// In the order of the file.
    pub decls: Vec<DeclSrc<'db>>,
    /// What is wrong between them; spans are those of the file.
    pub problems: Vec<Problem>,
}

/// Cuts a file into declarations.
#[salsa::tracked]
pub fn file_items(db: &dyn Db, file: SourceFile) -> FileItems<'_> {
    if file.problem(db).is_some() {
        return FileItems { decls: Vec::new(), problems: Vec::new() };
    }
    let text = file.text(db);
    let split = jadpo_syntax::split(text);
    let mut equals: FxHashMap<_, u32> = FxHashMap::default();
    let decls = split.chunks.iter().map(|chunk| {
        let name = chunk.name.as_ref().map(|name| Name::new(db, &**name));
        let source = &text[chunk.span.start as usize..chunk.span.end as usize];
        let count = equals.entry((chunk.keyword, name)).or_default();
        let nth = std::mem::replace(count, *count + 1);
        DeclSrc::new(db, file, chunk.keyword, name, nth, chunk.public, source.into(), chunk.span.start)
    });
    FileItems { decls: decls.collect(), problems: split.problems }
}

/// The declarations of a file: equal to before whenever only texts, places or problems changed.
#[salsa::tracked(returns(deref))]
pub fn file_decls(db: &dyn Db, file: SourceFile) -> Vec<DeclSrc<'_>> {
    file_items(db, file).decls.clone()
}

/// The tree of a declaration and what is wrong with its syntax.
#[salsa::tracked]
pub fn parse<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Parsed {
    jadpo_syntax::parse(decl.text(db))
}

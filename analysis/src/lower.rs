//! From the database to the model: the meaning of a project that has no errors.

use std::collections::BTreeMap;

use jadpo_syntax::tree::Keyword;

use crate::check;
use crate::db::Db;
use crate::inputs::Project;
use crate::items::DeclSrc;
use crate::model;
use crate::walk::App;

/// The meaning of a project; `None` where a package is checked alone.
pub fn project(db: &dyn Db, project: Project) -> Option<model::Project> {
    let app = App::of(db, project)?;
    let declaration = app.declaration(db)?;
    Some(model::Project {
        app: model::App {
            name: declaration.name_text(db).to_owned(),
            doc: declaration.doc(db),
            types: BTreeMap::new(),
            stores: by_name(db, app, Keyword::Store, |decl| {
                check::store::lower(decl.name_text(db), decl.doc(db), decl.fields(db)?)
            }),
            connections: BTreeMap::new(),
            subscribers: BTreeMap::new(),
            deployables: BTreeMap::new(),
        },
        packages: BTreeMap::new(),
    })
}

/// The app's declarations of a kind, lowered, by name.
fn by_name<'db, T>(
    db: &'db dyn Db,
    app: App,
    keyword: Keyword,
    lower: impl Fn(DeclSrc<'db>) -> Option<T>,
) -> BTreeMap<String, T> {
    let decls = app.declared(db, keyword);
    decls.filter_map(|decl| Some((decl.name_text(db).to_owned(), lower(decl)?))).collect()
}

//! From the database to the model: the meaning of a project that has no errors.

mod package;
mod types;

pub use types::placed;

use std::collections::{BTreeMap, BTreeSet};

use jadpo_syntax::tree::Keyword;

use crate::check::{action, backfill, batch, connection, deployable, route, schedule, store, subscriber};
use crate::db::Db;
use crate::inputs::Project;
use crate::items::DeclSrc;
use crate::model;
use crate::names;
use crate::signature::package_name;
use crate::walk::App;

/// The meaning of a project; `None` where a package is checked alone.
pub fn project(db: &dyn Db, project: Project) -> Option<model::Project> {
    let app = App::of(db, project)?;
    let declaration = app.declaration(db)?;
    let app_model = model::App {
        name: declaration.name_text(db).to_owned(),
        doc: declaration.doc(db),
        types: types::types(db, app.0),
        stores: by_name(db, app, Keyword::Store, |decl| store::lower(db, decl)),
        connections: by_name(db, app, Keyword::Connection, |decl| connection::lower(db, decl)),
        subscribers: by_name(db, app, Keyword::Subscriber, |decl| subscriber::lower(db, decl)),
        actions: by_name(db, app, Keyword::Action, |decl| action::lower(db, decl)),
        routes: by_name(db, app, Keyword::Route, |decl| route::lower(db, decl)),
        schedules: by_name(db, app, Keyword::Schedule, |decl| schedule::lower(db, decl)),
        batches: by_name(db, app, Keyword::Batch, |decl| batch::lower(db, decl)),
        backfills: by_name(db, app, Keyword::Backfill, |decl| backfill::lower(db, decl)),
        deployables: by_name(db, app, Keyword::Deployable, |decl| deployable::lower(db, decl)),
    };
    let packages = used_packages(db, app, &app_model).into_iter().filter_map(|name| {
        let scope = names::package(db, project, &name)?;
        Some((name, package::package(db, scope)?))
    });
    Some(model::Project { packages: packages.collect(), app: app_model })
}

/// The names of the packages that an app uses: those of its connections, and those whose types its own types hold or
/// its actions, batches and backfills name.
fn used_packages(db: &dyn Db, app: App, lowered: &model::App) -> BTreeSet<String> {
    let connections = app.declared(db, Keyword::Connection);
    let mut used: BTreeSet<String> =
        connections.filter_map(|decl| package_name(db, decl)).map(str::to_owned).collect();
    for declared in lowered.types.values() {
        match &declared.kind {
            model::TypeKind::Object { fields } | model::TypeKind::Event { fields, .. } => {
                for field in fields {
                    packages_in(&field.ty, &mut used);
                }
            }
            model::TypeKind::Newtype(ty) | model::TypeKind::Alias { target: ty, .. } => {
                packages_in(ty, &mut used);
            }
            model::TypeKind::Enum { .. } => {}
        }
    }
    let (actions, batches) = (lowered.actions.values(), lowered.batches.values());
    used.extend(actions.clone().filter_map(|action| action.input.as_ref()?.package.clone()));
    actions.filter_map(|action| action.output.as_ref()).for_each(|output| packages_in(output, &mut used));
    used.extend(batches.filter_map(|batch| batch.input.as_ref()?.package.clone()));
    used.extend(lowered.backfills.values().filter_map(|backfill| backfill.record.package.clone()));
    used
}

fn packages_in(ty: &model::Type, used: &mut BTreeSet<String>) {
    match ty {
        model::Type::Named(named) => used.extend(named.package.clone()),
        model::Type::List(item, _) | model::Type::Nullable(item) => packages_in(item, used),
        model::Type::Map(key, value) => {
            packages_in(key, used);
            packages_in(value, used);
        }
        _ => {}
    }
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

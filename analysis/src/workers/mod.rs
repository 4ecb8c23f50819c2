//! What runs on Workers, where a cap holds for one isolate and no further.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::deployables::{parts, what_runs};
use crate::inputs::Scope;
use crate::model::Target;
use crate::names;
use crate::package_facts::facts;
use crate::signature::{connection_signature, package_name};
use crate::walk::App;

/// A deployable that is built for Workers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OnWorkers {
    /// Its name.
    pub deployable: String,
    /// The connections with a cap that it reaches, by name.
    pub capped: Vec<Capped>,
}

/// A connection with a cap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capped {
    /// Its name.
    pub connection: String,
    /// How many of its calls may be under way at once, in each isolate.
    pub max_concurrent: u64,
}

/// The app's deployables that are built for Workers, by name.
#[salsa::tracked(returns(deref))]
pub fn on_workers(db: &dyn Db, app: Scope) -> Vec<OnWorkers> {
    let deployables = App(app).declared(db, Keyword::Deployable);
    let workers = deployables.filter(|decl| what_runs(db, *decl).target == Some(Target::Workers));
    let mut found: Vec<_> = workers
        .map(|decl| {
            let reached: BTreeSet<&str> =
                parts(db, decl).iter().flat_map(|part| &part.calls).map(|name| &**name).collect();
            let capped = reached.into_iter().filter_map(|connection| {
                let max_concurrent = cap(db, app, connection)?;
                Some(Capped { connection: connection.to_owned(), max_concurrent })
            });
            OnWorkers { deployable: decl.name_text(db).to_owned(), capped: capped.collect() }
        })
        .collect();
    found.sort();
    found
}

/// The cap of a connection: its own, else its package's.
fn cap(db: &dyn Db, app: Scope, connection: &str) -> Option<u64> {
    let decl = names::find(db, app, Keyword::Connection, connection)?;
    let of_package = || {
        let package = names::package(db, app.project(db), package_name(db, decl)?)?;
        facts(db, package).max_concurrent
    };
    connection_signature(db, decl).max_concurrent.or_else(of_package)
}

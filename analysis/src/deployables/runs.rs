//! What each deployable runs.

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::live_polls::live_polls;
use crate::model::Target;
use crate::signature::{Listed, deployable_signature};
use crate::walk::App;

/// What a deployable runs, each list by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// What it is built for; `None` where that isn't given rightly.
    pub target: Option<Target>,
    /// The routes that it serves.
    pub routes: Vec<Box<str>>,
    /// The subscribers that it runs.
    pub subscribers: Vec<Box<str>>,
    /// The schedules that it runs.
    pub schedules: Vec<Box<str>>,
    /// The live polls that it runs, as connection and poll.
    pub polls: Vec<(Box<str>, Box<str>)>,
    /// The batches and backfills that it runs.
    pub batches: Vec<Box<str>>,
    /// Whether it has a listener: it serves a route, or says how it listens.
    pub listens: bool,
}

/// What a deployable runs.
#[salsa::tracked]
pub fn what_runs<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Runs {
    let (app, signature) = (decl.scope(db), deployable_signature(db, decl));
    let routes = named(db, app, &[Keyword::Route], &signature.routes);
    Runs {
        target: signature.target,
        subscribers: named(db, app, &[Keyword::Subscriber], &signature.subscribers),
        schedules: named(db, app, &[Keyword::Schedule], &signature.schedules),
        polls: polls(db, app, &signature.polls),
        batches: named(db, app, &[Keyword::Batch, Keyword::Backfill], &signature.batches),
        listens: signature.says_host || !routes.is_empty(),
        routes,
    }
}

/// The declarations of these kinds that a list takes in, by name.
fn named(db: &dyn Db, app: Scope, keywords: &[Keyword], listed: &Listed<Box<str>>) -> Vec<Box<str>> {
    let declared = keywords.iter().flat_map(|keyword| App(app).declared(db, *keyword));
    let named = declared.filter(|decl| decl.name(db).is_some()).map(|decl| decl.name_text(db).into());
    let mut names: Vec<Box<str>> = named.filter(|name| listed.takes(name)).collect();
    names.sort();
    names.dedup();
    names
}

/// The live polls that a list takes in, as connection and poll, by name.
fn polls(db: &dyn Db, app: Scope, listed: &Listed<(Box<str>, Box<str>)>) -> Vec<(Box<str>, Box<str>)> {
    let mut polls: Vec<_> = App(app)
        .declared(db, Keyword::Connection)
        .flat_map(|connection| {
            let name: Box<str> = connection.name_text(db).into();
            live_polls(db, connection).iter().map(move |poll| (name.clone(), poll.name.as_str().into()))
        })
        .filter(|poll| listed.takes(poll))
        .collect();
    polls.sort();
    polls.dedup();
    polls
}

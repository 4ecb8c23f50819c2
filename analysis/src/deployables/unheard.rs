//! Events that go into a database which no deployable that runs their subscriber reads.
//!
//! A store has one database for each target, so what is emitted natively is read by native deployables alone, and what
//! is emitted on Workers by those on Workers.

use std::collections::{BTreeMap, BTreeSet};

use jadpo_syntax::tree::Keyword;

use super::{Part, has_database, parts, what_runs};
use crate::check::subscriber::heard_connections;
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::{Target, TypeRef};
use crate::names;
use crate::signature::{Listed, deployable_signature, subscriber_signature};
use crate::unread;
use crate::walk::App;

/// An event that nobody delivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unheard {
    /// The first deployable that emits it.
    pub deployable: Box<str>,
    /// What that is built for.
    pub target: Target,
    /// What of it emits the event.
    pub part: Part,
    /// The event.
    pub event: TypeRef,
    /// The subscriber that hears it.
    pub subscriber: Box<str>,
    /// A deployable that runs the subscriber, for the other target.
    pub run_by: Option<Box<str>>,
}

/// The events that nobody delivers: one for each subscriber and target.
#[salsa::tracked(returns(deref))]
pub fn unheard_events(db: &dyn Db, app: Scope) -> Vec<Unheard> {
    let deployables: Vec<_> = App(app).declared(db, Keyword::Deployable).collect();
    if unread::has_declaration(db, app) || deployables.iter().any(|decl| is_unsure(db, app, *decl)) {
        return Vec::new();
    }
    let runners = Runners::of(db, &deployables);
    let hearers = Hearers::of(db, app);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for decl in deployables {
        let Some(target) = what_runs(db, decl).target else { continue };
        let kept = |part: &&Part| has_database(db, app, part.store.as_deref(), target);
        for part in parts(db, decl).iter().filter(kept) {
            for (event, subscriber) in hearers.of_part(part) {
                if !runners.run(target, subscriber) && seen.insert((target, subscriber)) {
                    found.push(Unheard {
                        deployable: decl.name_text(db).into(),
                        target,
                        part: part.clone(),
                        event: event.clone(),
                        subscriber: subscriber.into(),
                        run_by: runners.for_another(target, subscriber),
                    });
                }
            }
        }
    }
    found
}

/// Whether a deployable may run more than it seems to: it has no target, or names a subscriber that isn't there.
fn is_unsure(db: &dyn Db, app: Scope, decl: DeclSrc<'_>) -> bool {
    let signature = deployable_signature(db, decl);
    let known = |name: &str| names::find(db, app, Keyword::Subscriber, name).is_some();
    signature.target.is_none()
        || matches!(&signature.subscribers, Listed::These(these) if !these.iter().all(|name| known(name)))
}

/// Which deployables run each subscriber.
struct Runners<'db> {
    by_subscriber: BTreeMap<&'db str, Vec<(Target, &'db str)>>,
}

impl<'db> Runners<'db> {
    fn of(db: &'db dyn Db, deployables: &[DeclSrc<'db>]) -> Self {
        let mut by_subscriber = BTreeMap::<_, Vec<_>>::new();
        for decl in deployables {
            let runs = what_runs(db, *decl);
            for name in &runs.subscribers {
                let runner = runs.target.map(|target| (target, decl.name_text(db)));
                by_subscriber.entry(&**name).or_default().extend(runner);
            }
        }
        Self { by_subscriber }
    }

    fn run(&self, target: Target, subscriber: &str) -> bool {
        self.of_subscriber(subscriber).any(|(runs_for, _)| runs_for == target)
    }

    fn for_another(&self, target: Target, subscriber: &str) -> Option<Box<str>> {
        self.of_subscriber(subscriber).find(|(runs_for, _)| *runs_for != target).map(|(_, name)| name.into())
    }

    fn of_subscriber(&self, name: &str) -> impl Iterator<Item = (Target, &'db str)> {
        self.by_subscriber.get(name).into_iter().flatten().copied()
    }
}

/// A subscriber's name, and the connections that it hears.
type Hearer<'db> = (&'db str, &'db [Box<str>]);

/// Which subscribers hear each event.
struct Hearers<'db> {
    by_event: BTreeMap<&'db TypeRef, Vec<Hearer<'db>>>,
}

impl<'db> Hearers<'db> {
    fn of(db: &'db dyn Db, app: Scope) -> Self {
        let mut by_event = BTreeMap::<_, Vec<_>>::new();
        for decl in App(app).declared(db, Keyword::Subscriber) {
            for event in &subscriber_signature(db, decl).on {
                let hearer = (decl.name_text(db), heard_connections(db, decl));
                by_event.entry(event).or_default().push(hearer);
            }
        }
        Self { by_event }
    }

    /// What of its events whoever hears, each with the subscriber's name.
    fn of_part<'a>(&'a self, part: &'a Part) -> impl Iterator<Item = (&'a TypeRef, &'db str)> {
        let through = part.poll_connection();
        part.emits.iter().flat_map(move |event| {
            let hearers = self.by_event.get(event).into_iter().flatten();
            let reached = hearers.filter(move |(_, heard)| {
                through.is_none_or(|through| heard.iter().any(|name| &**name == through))
            });
            reached.map(move |(name, _)| (event, *name))
        })
    }
}

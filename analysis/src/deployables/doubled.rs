//! Polls that run in two databases, each of which keeps what they bring and calls the provider for it.

use std::collections::BTreeMap;

use jadpo_syntax::tree::Keyword;

use super::{has_database, what_runs};
use crate::db::Db;
use crate::event_stores::events_store;
use crate::inputs::Scope;
use crate::model::Target;
use crate::names;
use crate::signature::{Listed, deployable_signature};
use crate::walk::App;

/// A poll that a deployable runs, and one for another target too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubled {
    /// The deployable that says so: the one whose list names it, else the later of the two.
    pub deployable: Box<str>,
    /// The other.
    pub other: Box<str>,
    /// As connection and poll.
    pub poll: (Box<str>, Box<str>),
    /// Whether the deployable's list names it.
    pub listed: bool,
}

/// The polls that are run over different databases, each once.
#[salsa::tracked(returns(deref))]
pub fn doubled_polls(db: &dyn Db, app: Scope) -> Vec<Doubled> {
    let mut runners = BTreeMap::<_, Vec<_>>::new();
    for decl in App(app).declared(db, Keyword::Deployable) {
        let (runs, signature) = (what_runs(db, decl), deployable_signature(db, decl));
        let Some(target) = runs.target else { continue };
        for poll in &runs.polls {
            let listed = matches!(signature.polls, Listed::These(_));
            runners.entry(poll).or_default().push((target, decl.name_text(db), listed));
        }
    }
    let kept = |connection: &str| {
        let decl = names::find(db, app, Keyword::Connection, connection);
        let store = decl.and_then(|decl| events_store(db, decl));
        [Target::Native, Target::Workers].into_iter().all(|target| has_database(db, app, store, target))
    };
    let twice = runners.into_iter().filter_map(|(poll, runners)| {
        let last = |target| runners.iter().rfind(|(runs_for, ..)| *runs_for == target).copied();
        let first = runners.first()?.0;
        let second = if first == Target::Native { Target::Workers } else { Target::Native };
        let (first, second) = (last(first)?, last(second)?);
        let (says, other) = if first.2 && !second.2 { (first, second) } else { (second, first) };
        kept(&poll.0).then(|| Doubled {
            deployable: says.1.into(),
            other: other.1.into(),
            poll: poll.clone(),
            listed: says.2,
        })
    });
    twice.collect()
}

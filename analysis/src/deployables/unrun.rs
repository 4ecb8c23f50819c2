//! Batches and backfills that are started in a database whose runs no deployable makes.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use super::{Part, has_database, parts, what_runs};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::Target;
use crate::names;
use crate::signature::{Listed, deployable_signature};
use crate::unread;
use crate::walk::App;

/// A batch or a backfill whose runs nobody makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrun {
    /// The first deployable that starts it.
    pub deployable: Box<str>,
    /// What that is built for.
    pub target: Target,
    /// What of it starts the runs.
    pub part: Part,
    /// The batch or the backfill.
    pub batch: Box<str>,
    /// A deployable that runs it, for the other target.
    pub run_by: Option<Box<str>>,
}

/// The batches and backfills whose runs nobody makes: one for each target.
#[salsa::tracked(returns(deref))]
pub fn unrun_batches(db: &dyn Db, app: Scope) -> Vec<Unrun> {
    let deployables: Vec<_> = App(app).declared(db, Keyword::Deployable).collect();
    if unread::has_declaration(db, app) || deployables.iter().any(|decl| is_unsure(db, app, *decl)) {
        return Vec::new();
    }
    let run_by = |batch: &str, fits: &dyn Fn(Target) -> bool| {
        let runs = |decl: &&DeclSrc<'_>| {
            let runs = what_runs(db, **decl);
            runs.target.is_some_and(fits) && runs.batches.iter().any(|own| **own == *batch)
        };
        deployables.iter().find(runs).map(|decl| decl.name_text(db).into())
    };
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for decl in &deployables {
        let Some(target) = what_runs(db, *decl).target else { continue };
        let kept = |part: &&Part| has_database(db, app, part.store.as_deref(), target);
        for part in parts(db, *decl).iter().filter(kept) {
            for batch in part.starts.iter().filter(|batch| is_known(db, app, batch)) {
                if run_by(batch, &|runs_for| runs_for == target).is_none()
                    && seen.insert((target, batch.clone()))
                {
                    found.push(Unrun {
                        deployable: decl.name_text(db).into(),
                        target,
                        part: part.clone(),
                        batch: batch.clone(),
                        run_by: run_by(batch, &|runs_for| runs_for != target),
                    });
                }
            }
        }
    }
    found
}

/// Whether a deployable may run more than it seems to: it has no target, or names a batch that isn't there.
fn is_unsure(db: &dyn Db, app: Scope, decl: DeclSrc<'_>) -> bool {
    let signature = deployable_signature(db, decl);
    signature.target.is_none()
        || matches!(&signature.batches, Listed::These(these) if !these.iter().all(|name| is_known(db, app, name)))
}

fn is_known(db: &dyn Db, app: Scope, name: &str) -> bool {
    [Keyword::Batch, Keyword::Backfill].into_iter().any(|kind| names::find(db, app, kind, name).is_some())
}

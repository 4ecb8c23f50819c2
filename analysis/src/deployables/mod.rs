//! What an app's deployables run, what each reaches through it, and what doesn't fit among them.

mod budget;
mod doubled;
mod reach;
mod runs;
mod unheard;
mod unrun;

pub use budget::{Limit, Short, short_calls};
pub use doubled::doubled_polls;
pub use reach::{Part, PartKind, parts};
pub use runs::what_runs;
pub use unheard::{Unheard, unheard_events};
pub use unrun::{Unrun, unrun_batches};

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::model::Target;
use crate::names;
use crate::signature::store_signature;

/// Whether a store has a database for a target; where it hasn't, that is all that need be said of it.
fn has_database(db: &dyn Db, app: Scope, store: Option<&str>, target: Target) -> bool {
    let store = store.and_then(|store| names::find(db, app, Keyword::Store, store));
    store.is_some_and(|store| store_signature(db, store).engines.contains_key(&target))
}

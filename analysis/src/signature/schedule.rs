//! The signature of a schedule.

use crate::db::Db;
use crate::items::DeclSrc;

/// What others need to know of a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScheduleSignature {
    /// The action that it names.
    pub action: Option<Box<str>>,
}

/// The signature of a schedule; that of an empty one where its block could not be read.
#[salsa::tracked]
pub fn schedule_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> ScheduleSignature {
    let named = || Some(decl.fields(db)?.name("run")?.text.clone());
    ScheduleSignature { action: named() }
}

//! The signature of a connection.

use crate::db::Db;
use crate::items::{DeclSrc, parse};
use crate::keys::MINUTE_MS;
use crate::values;

/// What others need to know of a connection, besides its package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionSignature {
    /// Its own cap, where it is one.
    pub max_concurrent: Option<u64>,
    /// The intervals that it gives polls, where they are intervals.
    pub intervals: Vec<(Box<str>, u64)>,
    /// Whether `events: { store: }` is given, rightly or not.
    pub says_store: bool,
    /// The store that it names.
    pub store: Option<Box<str>>,
    /// How long its events are kept, where it says so.
    pub keep_ms: Option<u64>,
}

/// The signature of a connection.
#[salsa::tracked]
pub fn connection_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> ConnectionSignature {
    let Some(fields) = decl.fields(db) else { return ConnectionSignature::default() };
    let events = fields.block("events");
    let intervals = fields.open_entries("polls").iter().filter_map(|entry| {
        let ms = values::duration_ms(entry.value.as_ref()?).filter(|ms| *ms >= MINUTE_MS)?;
        Some((entry.key.text.clone(), u64::try_from(ms).ok()?))
    });
    ConnectionSignature {
        max_concurrent: fields.whole("max_concurrent").and_then(|whole| u64::try_from(whole).ok()),
        intervals: intervals.collect(),
        says_store: events.is_some_and(|events| events.entry("store").is_some())
            || fields.entry("events").is_some() && events.is_none(),
        store: events.and_then(|events| Some(events.name("store")?.text.clone())),
        keep_ms: events.and_then(|events| events.duration_ms("keep")),
    }
}

/// The name of a connection's package, as written. It stands apart, since most who ask for it ask for nothing else.
#[salsa::tracked(returns(as_deref))]
pub fn package_name<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<Box<str>> {
    Some(decl.fields(db)?.name("package")?.text.clone())
}

/// Whether the syntax of a declaration has problems, so that what seems missing may be what could not be read.
#[salsa::tracked(returns(copy))]
pub fn is_broken<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> bool {
    !parse(db, decl).problems.is_empty()
}

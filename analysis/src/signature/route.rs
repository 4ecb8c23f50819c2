//! The signature of a route.

use crate::db::Db;
use crate::items::DeclSrc;
use crate::model::Segment;

/// What others need to know of a route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteSignature {
    /// One of the methods; `None` where it isn't given rightly.
    pub method: Option<&'static str>,
    /// Its path's segments; `None` where it isn't given rightly.
    pub path: Option<Vec<Segment>>,
    /// The action that it names.
    pub action: Option<Box<str>>,
    /// The longest that it waits, where that is given rightly.
    pub within_ms: Option<u64>,
    /// Whether `within:` is given.
    pub says_within: bool,
    /// Whether its answer waits for what the action sets off, where that is given rightly.
    pub settle: Option<bool>,
}

/// The signature of a route; that of an empty one where its block could not be read.
#[salsa::tracked]
pub fn route_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> RouteSignature {
    let Some(fields) = decl.fields(db) else { return RouteSignature::default() };
    RouteSignature {
        method: fields.word("method"),
        path: fields.text("path").and_then(|path| segments(&path.value)),
        action: fields.name("run").map(|name| name.text.clone()),
        within_ms: fields.duration_ms("within"),
        says_within: fields.entry("within").is_some(),
        settle: fields.boolean("settle"),
    }
}

/// The segments of a path; `None` for one that has no `/` at its start, an empty segment, or a hole that is none of
/// `{input.name}` or no whole segment. The path `/` has none.
pub fn segments(path: &str) -> Option<Vec<Segment>> {
    match path.strip_prefix('/')? {
        "" => Some(Vec::new()),
        rest => rest.split('/').map(segment).collect(),
    }
}

fn segment(text: &str) -> Option<Segment> {
    if let Some(field) = text.strip_prefix("{input.").and_then(|rest| rest.strip_suffix('}')) {
        let is_name = !field.is_empty() && field.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        return is_name.then(|| Segment::Input(field.to_owned()));
    }
    (!text.is_empty() && !text.contains(['{', '}'])).then(|| Segment::Text(text.to_owned()))
}

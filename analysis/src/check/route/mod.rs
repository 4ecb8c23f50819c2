//! Rules of `route`: which requests it answers, and how they fill the input of its action.

mod alike;
mod fill;
mod path;

use jadpo_syntax::tree::Keyword;

use super::{Check, objects};
use crate::db::Db;
use crate::diagnostics::codes::app::NAME_UNKNOWN;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Route;
use crate::signature::{FieldSignature, action_signature, route_signature, type_signature};
use crate::values;

/// What the action of a route is given.
#[derive(Clone, Copy)]
enum Given<'db> {
    /// It can't be known, which is reported elsewhere.
    Unknown,
    /// Nothing: the action has no input.
    Nothing(DeclSrc<'db>),
    /// The object of this declaration.
    Object(DeclSrc<'db>, &'db [FieldSignature]),
}

/// It answers requests that no other does, and they fill what its action is given.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let given = Given::find(cx, fields);
    let filled = path::check(cx, fields, given);
    fill::check(cx, fields, given, filled.as_deref());
    alike::check(cx, fields);
}

impl<'db> Given<'db> {
    fn find(cx: &mut Check<'db>, fields: Fields<'_>) -> Self {
        let db = cx.db;
        let action = fields.name("run").and_then(|name| cx.named(Keyword::Action, name, NAME_UNKNOWN));
        let Some(action) = action else { return Self::Unknown };
        let signature = action_signature(db, action);
        match &signature.input {
            Some(input) => match objects::object(db, cx.scope, input) {
                Some(decl) => Self::Object(decl, type_signature(db, decl).fields()),
                None => Self::Unknown,
            },
            None if signature.has_input || signature.unsure => Self::Unknown,
            None => Self::Nothing(action),
        }
    }
}

/// The meaning of a route without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<Route> {
    let fields = decl.fields(db)?;
    let signature = route_signature(db, decl);
    let bearer = fields.call("auth").and_then(|(_, args)| values::env(args.first()?));
    Some(Route {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        method: signature.method?.to_owned(),
        path: signature.path.clone()?,
        action: signature.action.as_deref()?.to_owned(),
        bearer: bearer.map(|variable| variable.value.to_string()),
        settle: signature.settle?,
        within_ms: signature.within_ms?,
    })
}

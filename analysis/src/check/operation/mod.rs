//! Rules of `operation`: where its request goes, what fills it, and what is read of the answer.

mod answer;
mod input;
mod path;

use super::Check;
use super::headers::{self, Taken};
use super::provider::sent_by_auth;
use super::templates::{self, Input, Site, Used};
use crate::db::Db;
use crate::diagnostics::codes::package::PACKAGE_OPERATION_INVALID;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::names;
use crate::values;

/// Checks what the form of each key can't say.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let input = input::check(cx, fields);
    let mut used = Used::default();
    path::check(cx, fields, site(input, "a path"), &mut used);
    query(cx, fields, input, &mut used);
    headers(cx, fields, input, &mut used);
    input::leftover(cx, fields, input, &used);
    answer::check(cx, fields);
}

/// A place of an operation that a value may be left out of, and that no secret may stand in.
fn site<'a, 'db>(input: Input<'db>, what: &'a str) -> Site<'a, 'db> {
    Site { code: PACKAGE_OPERATION_INVALID, what, secret: false, required: false, list: false, input }
}

fn query<'db>(cx: &mut Check<'db>, fields: Fields<'_>, input: Input<'db>, used: &mut Used) {
    let site = Site { list: true, ..site(input, "a query") };
    for entry in fields.open_entries("query") {
        if entry.key.text.is_empty() {
            cx.report(PACKAGE_OPERATION_INVALID, entry.key.span, "a query key has a name");
        }
        templates::value(cx, entry, site, used);
    }
}

fn headers<'db>(cx: &mut Check<'db>, fields: Fields<'_>, input: Input<'db>, used: &mut Used) {
    let mut taken: Vec<Taken> = Vec::new();
    if let Some((_, [value])) = fields.call("idempotency_key")
        && let Some(name) = values::text(value)
        && headers::name(cx, &name.value, name.span, PACKAGE_OPERATION_INVALID)
    {
        taken.push((name.value.to_ascii_lowercase(), "`idempotency_key`"));
    }
    let entries = fields.open_entries("headers");
    if !entries.is_empty()
        && let Some(owner) = names::owner(cx.db, cx.scope)
    {
        taken.extend(auth_headers(cx.db, owner).iter().cloned());
    }
    let site = Site { secret: true, ..site(input, "a header") };
    headers::check(cx, entries, &taken, site, used);
}

/// The header that the provider's `auth:` sends.
#[salsa::tracked(returns(deref))]
fn auth_headers<'db>(db: &'db dyn Db, owner: DeclSrc<'db>) -> Vec<Taken> {
    owner.fields(db).map(sent_by_auth).unwrap_or_default()
}

//! Rules of `provider`: its version, its address, its settings, and what it sends with every call.

mod address;
pub mod polls;
mod settings;
pub mod version;

use jadpo_syntax::tree::Value;

use super::headers::{self, Taken};
use super::templates::{self, Input, Site, Used};
use super::{Check, waits};
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::keys::Fields;
use crate::values;

/// Checks what the form of each key can't say.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    version::check(cx, fields);
    address::check(cx, fields);
    settings::check(cx, fields);
    auth(cx, fields);
    headers::check(cx, fields.open_entries("headers"), &sent_by_auth(fields), HEADER, &mut Used::default());
    retry(cx, fields);
    polls::check(cx, fields);
}

const HEADER: Site<'static, 'static> = Site {
    code: PACKAGE_PROVIDER_INVALID,
    what: "a header",
    secret: true,
    required: false,
    list: false,
    input: Input::OfNobody,
};

const AUTH: Site<'static, 'static> = Site { what: "`auth`", ..HEADER };

fn auth(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some((name, args)) = fields.call("auth") else { return };
    if let ("header", Some(header)) = (&*name.text, args.first().and_then(values::text)) {
        headers::name(cx, &header.value, header.span, PACKAGE_PROVIDER_INVALID);
    }
    if let ("query", Some(key)) = (&*name.text, args.first().and_then(values::text))
        && key.value.is_empty()
    {
        cx.report(PACKAGE_PROVIDER_INVALID, key.span, "`query` needs the name of a query key");
    }
    for value in credentials(&name.text, args) {
        if &*name.text != "query" {
            headers::line(cx, value, PACKAGE_PROVIDER_INVALID);
        }
        if let Some(template) = values::template(value) {
            templates::quoted_name(cx, value, AUTH);
            templates::check(cx, &template, AUTH, &mut Used::default());
        }
    }
}

/// The arguments of `auth` that are sent, names of headers and query keys apart.
fn credentials<'a>(name: &str, args: &'a [Value]) -> &'a [Value] {
    if matches!(name, "header" | "query") { args.get(1..).unwrap_or_default() } else { args }
}

/// The header that `auth` sends.
pub fn sent_by_auth(fields: Fields<'_>) -> Vec<Taken> {
    let Some((name, args)) = fields.call("auth") else { return Vec::new() };
    let header = match &*name.text {
        "bearer" | "basic" => Some("authorization".to_owned()),
        "header" => args.first().and_then(values::text).map(|text| text.value.to_ascii_lowercase()),
        _ => None,
    };
    header.into_iter().map(|header| (header, "`auth`")).collect()
}

/// The first wait of a retry is no longer than the longest.
fn retry(cx: &mut Check<'_>, fields: Fields<'_>) {
    if let Some(retry) = fields.block("retry") {
        waits::ordered(cx, retry, PACKAGE_PROVIDER_INVALID);
    }
}

//! Rules of `base_url`: an address over https, or one of this machine.

use url::{Host, Url};

use crate::base_url::BaseUrl;
use crate::check::Check;
use crate::check::templates::{self, Input, Site, Used};
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::keys::Fields;
use crate::model::Type;
use crate::resolve::{self, Kind};
use crate::signature::{settings, type_text};
use crate::values::{self, HoleSource};

const SITE: Site<'static, 'static> = Site {
    code: PACKAGE_PROVIDER_INVALID,
    what: "`base_url`",
    secret: false,
    required: true,
    list: false,
    input: Input::OfNobody,
};

/// Checks `base_url:`.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(value) = fields.value("base_url") else { return };
    let Some(template) = values::template(value) else { return };
    let holes_right = template.holes().all(|hole| hole.source == HoleSource::Settings);
    templates::check(cx, &template, SITE, &mut Used::default());
    let Some(url) = BaseUrl::split(&template) else {
        return no_scheme(cx, value);
    };
    if let Some(problem) = problem(&url).filter(|_| holes_right) {
        cx.report(PACKAGE_PROVIDER_INVALID, value.span, problem);
        return;
    }
    if plain_http(&url) && holes_right {
        let place = cx.at(value.span);
        let message = "`base_url` is `https`; `http` goes to this machine only, such as `http://127.0.0.1`";
        let finding = cx.report(PACKAGE_PROVIDER_INVALID, value.span, message);
        if let Some(text) =
            values::text(value).filter(|text| text.span.len() as usize == text.value.len() + 2)
        {
            let https = format!("\"{}\"", text.value.replacen("http://", "https://", 1));
            finding.suggest(format!("write {https}"), place, https);
        }
        return;
    }
    host_holes(cx, &url);
}

fn no_scheme(cx: &mut Check<'_>, value: &jadpo_syntax::tree::Value) {
    let place = cx.at(value.span);
    let written = values::text(value).map(|text| &*text.value);
    let finding = cx.report(PACKAGE_PROVIDER_INVALID, value.span, "`base_url` starts with `https://`");
    match written {
        None => {
            finding.help("a setting may give the host: \"https://{settings.host}\"");
        }
        Some(text)
            if !text.contains("://")
                && !text.trim_start_matches('/').is_empty()
                && !text.starts_with('{') =>
        {
            let text = format!("\"https://{}\"", text.trim_start_matches('/'));
            finding.suggest(format!("write {text}"), place, text);
        }
        Some(_) => {}
    }
}

/// What is wrong with an address, whatever its holes are filled with.
fn problem(url: &BaseUrl<'_, '_>) -> Option<String> {
    let example = url.example();
    // The parser takes such segments away, so they are looked for in what was written.
    if example.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Some("`base_url` leads to another path than it says, by a segment `.` or `..`".to_owned());
    }
    let parsed = match Url::parse(&example) {
        Ok(parsed) => parsed,
        Err(why) => return Some(format!("`base_url` is no address: {why}")),
    };
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Some("`base_url` may hold no user and password; `auth: basic(…)` sends them".to_owned());
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Some(
            "`base_url` may hold no query and no fragment; an operation has its `query:`".to_owned(),
        );
    }
    None
}

/// Whether it is `http` to another machine. Where a setting gives the host, the connection decides.
fn plain_http(url: &BaseUrl<'_, '_>) -> bool {
    let parsed = Url::parse(&url.example());
    url.is_http()
        && url.literal_host().is_some()
        && !parsed.is_ok_and(|parsed| parsed.host().is_some_and(|host| is_loopback(&host)))
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(domain) => *domain == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// A host is letters, digits, `-` and `.`: types whose text never is can't give one.
fn host_holes(cx: &mut Check<'_>, url: &BaseUrl<'_, '_>) {
    for hole in url.host_holes() {
        let setting = settings(cx.db, cx.scope).iter().find(|setting| &*setting.name == hole.name);
        let Some(ty) = setting.and_then(|setting| setting.ty.as_ref()) else { continue };
        let Some(resolved) = resolve::kind(cx.db, cx.scope, ty) else { continue };
        let never = matches!(
            resolved.kind,
            Kind::Scalar(Type::Url | Type::Email | Type::Instant(_) | Type::DateTime)
        );
        if never {
            let message =
                format!("`settings.{}` is `{}`, whose text is never a host", hole.name, type_text(ty));
            cx.report(PACKAGE_PROVIDER_INVALID, hole.span, message)
                .help("a host holds letters, digits, `-` and `.`: give it alone, as `Text`");
        }
    }
}

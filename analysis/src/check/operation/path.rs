//! Rules of `path:`: where under the provider's address the request goes.

use jadpo_syntax::Span;
use jadpo_syntax::tree::StringLit;

use crate::check::Check;
use crate::check::templates::{self, Site, Used};
use crate::diagnostics::codes::package::PACKAGE_OPERATION_INVALID;
use crate::keys::Fields;
use crate::values::{Part, Template};

/// Checks `path:`.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, site: Site<'_, 'db>, used: &mut Used) {
    let Some(path) = fields.text("path") else {
        // What stands in a path that can't be read is unknown.
        used.misses = true;
        return;
    };
    let template = Template::of(path);
    form(cx, path, &template);
    templates::check(cx, &template, Site { required: true, ..site }, used);
}

fn form(cx: &mut Check<'_>, path: &StringLit, template: &Template<'_>) {
    let place = cx.at(path.span);
    let value = &*path.value;
    if !value.starts_with('/') {
        let finding = cx.report(PACKAGE_OPERATION_INVALID, path.span, "a path starts with `/`");
        if !value.starts_with('{') && !value.contains("://") && !value.contains(['"', '\\', '\n']) {
            finding.fix(format!("write \"/{value}\""), place, format!("\"/{value}\""));
        } else if value.contains("://") {
            finding.help("the scheme and the host stand in the provider's `base_url:`");
        }
        return;
    }
    let texts = template.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        Part::Hole(_) => None,
    });
    if texts.clone().any(|text| text.contains('?')) {
        cx.report(PACKAGE_OPERATION_INVALID, of_char(path, '?'), "a path has no `?`")
            .help("what stands behind it goes into `query:`, each key with its value");
        return;
    }
    if texts.clone().any(|text| text.contains(char::is_control) || text.contains('\\')) {
        cx.report(PACKAGE_OPERATION_INVALID, path.span, "a path has no `\\` and no control characters");
        return;
    }
    if value.split('/').any(|segment| matches!(segment, "." | "..")) {
        let message = "a path's segment `.` or `..` would lead to another path than the one that is written";
        cx.report(PACKAGE_OPERATION_INVALID, path.span, message);
    }
}

/// Where the first `c` of a path stands.
fn of_char(path: &StringLit, c: char) -> Span {
    let at = path.value.find(c).and_then(|at| u32::try_from(at).ok());
    at.map_or(path.span, |at| path.inner_span(at, at + 1))
}

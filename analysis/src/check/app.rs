//! Rules of `app`.

use crate::diagnostics::codes::base;
use crate::keys::Fields;
use crate::values;

use super::Check;

/// Each path of `packages:` leads to a package.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let known = cx.project.package_paths(cx.db);
    for text in fields.elements("packages").iter().filter_map(values::text) {
        let missing = known.iter().any(|known| known.path == text.value && !known.found);
        if missing {
            let message = format!("there is no package at `{}`", text.value);
            cx.report(base::APP_VALUE_INVALID, text.span, message).help(
                "a package is a directory with a `provider.jadpo`; the path starts at the app's directory",
            );
        }
    }
}

//! A version by Semantic Versioning.

use crate::check::Check;
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::keys::Fields;

/// Checks `version:`.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(version) = fields.text("version") else { return };
    if is_semver(&version.value) {
        return;
    }
    let place = cx.at(version.span);
    let message = format!("{:?} is no version by SemVer, such as \"1.0.0\"", version.value);
    let finding = cx.report(PACKAGE_PROVIDER_INVALID, version.span, message);
    if let Some(repaired) = repaired(&version.value) {
        finding.fix(format!("write \"{repaired}\""), place, format!("\"{repaired}\""));
    }
}

/// `1.2.3`, `1.2.3-rc.1`, `1.2.3+build`: no part of a number starts with a zero.
pub fn is_semver(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |part: &str| {
        is_digits(part) && (part == "0" || !part.starts_with('0')) && part.parse::<u64>().is_ok()
    };
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let parts: Vec<_> = core.split('.').collect();
    parts.len() == 3
        && parts.iter().all(|part| is_number(part))
        && pre.is_none_or(|pre| {
            pre.split('.').all(|part| if is_digits(part) { is_number(part) } else { is_word(part) })
        })
        && build.is_none_or(|build| build.split('.').all(is_word))
}

/// A version with what most often is missing or too much: `1`, `1.2`, `v1.2.3`.
fn repaired(text: &str) -> Option<String> {
    let plain = text.trim().trim_start_matches(['v', 'V']);
    let mut repaired = plain.to_owned();
    for _ in 0..2 {
        if is_semver(&repaired) {
            break;
        }
        repaired.push_str(".0");
    }
    is_semver(&repaired).then_some(repaired)
}

#[cfg(test)]
mod tests {
    use super::{is_semver, repaired};

    #[test]
    fn versions_follow_semver() {
        for right in ["0.0.0", "1.2.3", "1.0.0-alpha.1", "1.0.0-0A.x-y", "1.0.0+001", "1.0.0-rc.1+build.5"] {
            assert!(is_semver(right), "{right}");
        }
        for wrong in
            ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.0.0-", "1.0.0-01", "1.0.0+", "v1.0.0", "1.0.0 "]
        {
            assert!(!is_semver(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_missing_is_offered() {
        assert_eq!(repaired("1").as_deref(), Some("1.0.0"));
        assert_eq!(repaired("v2.1").as_deref(), Some("2.1.0"));
        assert_eq!(repaired("next"), None);
    }
}

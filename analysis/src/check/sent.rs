//! Values of settings that can't be sent where their package sends them, which start-up would refuse.

use crate::signature::Sent;

/// Why a value, as canonical JSON, can't be sent, after the name of its setting; `None` where it can.
pub fn refused(sent: Sent, json: &str) -> Option<&'static str> {
    if sent.in_host && !is_host_text(json.trim_matches('"')) {
        return Some("stands in the host of `base_url`, where only letters, digits, `-` and `.` may");
    }
    (sent.in_header && has_control(json)).then_some("stands in a header, whose value is one line")
}

fn is_host_text(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
}

/// Whether a text in JSON holds a control character other than a tab.
fn has_control(json: &str) -> bool {
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next() } else { None };
        if c.is_control() || matches!(escaped, Some('n' | 'r' | 'b' | 'f' | 'u')) {
            return true;
        }
    }
    false
}

//! What an editor is to be shown, worked out from `check` by counting UTF-16 units anew.

use std::collections::BTreeMap;
use std::path::Path;

use jadpo_analysis::diagnostics::{Diagnostic, Range, Severity};
use jadpo_analysis::{Report, Workspace};
use serde_json::{Value, json};

use super::editor::uri;

/// A byte order mark, which no editor shows.
const BOM: char = '\u{feff}';

/// By path, the diagnostics of a project as the protocol has them, sorted by place.
pub fn of(workspace: &Workspace, root: &Path) -> BTreeMap<String, Vec<Value>> {
    let report: Report = workspace.check();
    let mut expected: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        let file = shown_in(&diagnostic.file, root);
        expected.entry(file).or_default().push(protocol(workspace, root, diagnostic));
    }
    for list in expected.values_mut() {
        list.sort_by_key(place);
    }
    expected
}

/// The same of what came from a server, without what only the protocol has.
pub fn sorted(mut shown: Vec<Value>) -> Vec<Value> {
    shown.sort_by_key(place);
    shown
}

fn place(diagnostic: &Value) -> (u64, u64, String) {
    let start = &diagnostic["range"]["start"];
    let number = |name: &str| start[name].as_u64().unwrap();
    (number("line"), number("character"), diagnostic.to_string())
}

/// What is wrong with a directory is shown in the manifest that makes it a project.
fn shown_in(file: &str, root: &Path) -> String {
    let is_manifest = Path::new(file).extension().is_some_and(|extension| extension == "jadpo");
    if is_manifest || root.join(file).is_file() {
        return file.to_owned();
    }
    let manifests = ["app.jadpo", "provider.jadpo"];
    manifests.into_iter().find(|manifest| root.join(manifest).is_file()).unwrap_or_default().to_owned()
}

fn protocol(workspace: &Workspace, root: &Path, diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let message = match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let range = |file: &str, range: Range| {
        let text = workspace.text(file).unwrap_or_else(|| "".into());
        let at = |offset: u32| position(&text, offset as usize);
        json!({ "start": at(range.start.offset), "end": at(range.end.offset) })
    };
    let mut value = json!({
        "range": range(&diagnostic.file, diagnostic.range),
        "severity": severity,
        "code": diagnostic.code.text(),
        "source": "jadpo",
        "message": message,
    });
    if !diagnostic.related.is_empty() {
        let related = diagnostic.related.iter().map(|related| {
            let uri = uri(&root.join(&related.file));
            json!({ "location": { "uri": uri, "range": range(&related.file, related.range) }, "message": related.message })
        });
        value["relatedInformation"] = related.collect();
    }
    value
}

/// Line and UTF-16 column from 0, as an editor counts that opened the file.
fn position(text: &str, offset: usize) -> Value {
    let text = text.strip_prefix(BOM).map_or((text, 0), |rest| (rest, BOM.len_utf8()));
    let (text, offset) = (text.0, offset.saturating_sub(text.1));
    let before = &text[..offset];
    let mut line = 0;
    let mut start = 0;
    for (at, byte) in before.bytes().enumerate() {
        let ends = byte == b'\n' || (byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n'));
        if ends {
            line += 1;
            start = at + 1;
        }
    }
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

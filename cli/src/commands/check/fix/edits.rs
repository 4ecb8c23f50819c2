//! Edits of texts: which ones go together, and what they make of a text.

use std::collections::BTreeMap;

use jadpo_analysis::diagnostics::Edit;

/// What stands before the first line of some files.
const BOM: char = '\u{feff}';

/// Whether an edit has its place in `text`.
pub fn fits(text: &str, edit: &Edit) -> bool {
    let span = edit.range.span();
    text.get(span.start as usize..span.end as usize).is_some_and(|there| there != edit.text)
}

/// The text with edits that don't touch each other. What they insert gets the line ends of the text; everything else
/// stays byte for byte.
pub fn applied(text: &str, edits: &[&Edit]) -> String {
    let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let has_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit.range);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        let span = edit.range.span();
        // Nothing may come to stand before a byte order mark.
        let (start, end) = ((span.start as usize).max(bom), (span.end as usize).max(bom));
        out.push_str(&text[copied..start]);
        if has_crlf {
            out.push_str(&edit.text.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            out.push_str(&edit.text);
        }
        copied = end;
    }
    out.push_str(&text[copied..]);
    out
}

/// The places that are edited already: by file, for each start its end. No two of them touch.
#[derive(Default)]
pub struct Places(BTreeMap<String, BTreeMap<u32, u32>>);

impl Places {
    /// Takes the places of all of `edits`, unless one of them touches another or a place that is taken. Edits that only
    /// meet are taken to touch: what stands between them afterwards would depend on their order.
    pub fn take(&mut self, edits: &[Edit]) -> bool {
        for (at, edit) in edits.iter().enumerate() {
            let span = edit.range.span();
            let taken = self.0.entry(edit.file.clone()).or_default();
            // Of all that start no later than this one ends, the last one ends last.
            let touches = taken.range(..=span.end).next_back().is_some_and(|(_, end)| *end >= span.start);
            if touches {
                self.free(&edits[..at]);
                return false;
            }
            taken.insert(span.start, span.end);
        }
        !edits.is_empty()
    }

    fn free(&mut self, edits: &[Edit]) {
        for edit in edits {
            if let Some(taken) = self.0.get_mut(&edit.file) {
                taken.remove(&edit.range.span().start);
            }
        }
    }
}

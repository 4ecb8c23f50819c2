//! Diagnostics as people read them. No other file of this crate knows ariadne.

use std::ops::Range;
use std::sync::Arc;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

use super::{Diagnostic, Severity};

/// The longest line, in bytes, that a frame shows.
const LINE_BYTES_MAX: usize = 1_000;

/// A place as ariadne wants it.
type At = (String, Range<usize>);

/// One diagnostic with its source frame; `text_of` gives the text of a file, where there is one.
pub fn human(diagnostic: &Diagnostic, text_of: impl Fn(&str) -> Option<Arc<str>>, color: bool) -> String {
    let frames: Vec<_> =
        files_of(diagnostic).into_iter().filter_map(|file| Some((file, text_of(file)?))).collect();
    if !frames.iter().any(|(file, text)| *file == diagnostic.file && !text.is_empty()) {
        return headline(diagnostic, color, "");
    }
    if frames.iter().any(|(file, text)| shows_long_line(diagnostic, file, text)) {
        let start = diagnostic.range.start;
        return headline(diagnostic, color, &format!(":{}:{}", start.line, start.column));
    }
    let mut cache =
        Frames(frames.into_iter().map(|(file, text)| (file.to_owned(), Source::from(text))).collect());
    let mut out = Vec::new();
    // Writing to memory fails for no reason of its own, and the headline says the same in one line.
    match report(diagnostic, color, &cache).write(&mut cache, &mut out) {
        Ok(()) if color => tidy(&String::from_utf8_lossy(&out)),
        Ok(()) => tidy(&plain(&String::from_utf8_lossy(&out))),
        Err(_) => headline(diagnostic, color, ""),
    }
}

fn report(diagnostic: &Diagnostic, color: bool, cache: &Frames) -> Report<'static, At> {
    let (word, tint) = match diagnostic.severity {
        Severity::Error => ("error", Color::Red),
        Severity::Warning => ("warning", Color::Yellow),
        Severity::Note => ("note", Color::Blue),
    };
    let place = at(&diagnostic.file, diagnostic.range);
    let config = Config::new().with_index_type(IndexType::Byte).with_color(color).with_tab_width(4);
    let primary = Label::new(place.clone()).with_color(tint).with_priority(1);
    let (label, help) = words(diagnostic);
    let primary = primary.with_message(label);
    let mut labels = vec![((place.0.clone(), place.1.start), primary)];
    for related in diagnostic.related.iter().filter(|related| cache.has(&related.file)) {
        let at = at(&related.file, related.range);
        let label = Label::new(at.clone()).with_message(&related.message).with_color(Color::Cyan);
        labels.push(((at.0, at.1.start), label));
    }
    // A label that stands above the one before it would open a frame of its own.
    labels.sort_by(|(one, _), (other, _)| {
        let key = |at: &(String, usize)| (at.0 != diagnostic.file, at.clone());
        key(one).cmp(&key(other))
    });
    let mut report = Report::build(ReportKind::Custom(word, tint), place)
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(labels.into_iter().map(|(_, label)| label));
    if let Some(help) = help {
        report = report.with_help(help);
    }
    report.finish()
}

/// What stands beside the primary range, and the help beneath the frame. Without a label of its own the repair that a
/// tool would make stands there, and what asks for the same is not said a second time.
fn words(diagnostic: &Diagnostic) -> (&str, Option<&str>) {
    let (label, help) = (&*diagnostic.label, diagnostic.help.as_deref());
    match (diagnostic.fixes.first(), help) {
        _ if !label.is_empty() => (label, help),
        // A frame marks nothing without a word beside it.
        (None, _) => ("here", help),
        (Some(fix), Some(help)) if asks_for(help, &fix.title) => (help, None),
        (Some(fix), _) => (&fix.title, help),
    }
}

/// Whether a help says in its one line no more than the title of a repair: "did you mean `x`?", "write `x`".
fn asks_for(help: &str, title: &str) -> bool {
    let name = title.strip_prefix("write ");
    help == title
        || name.is_some_and(|name| {
            help.strip_prefix("did you mean ").is_some_and(|asked| asked.strip_suffix('?') == Some(name))
        })
}

/// Whether a frame of `file` would have a line that no person reads to its end, such as that of generated text.
fn shows_long_line(diagnostic: &Diagnostic, file: &str, text: &str) -> bool {
    let own = (&diagnostic.file, diagnostic.range);
    let places = diagnostic.related.iter().map(|related| (&related.file, related.range)).chain([own]);
    places.filter(|(of, _)| *of == file).any(|(_, range)| {
        let start = text.floor_char_boundary(range.start.offset as usize);
        let end = text.floor_char_boundary((range.end.offset as usize).max(start));
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
        text[from..to].split('\n').any(|line| line.len() > LINE_BYTES_MAX)
    })
}

/// The diagnostic in one line, its file with `place` in another, and its help.
fn headline(diagnostic: &Diagnostic, color: bool, place: &str) -> String {
    let tint = match diagnostic.severity {
        Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "34",
    };
    let (on, off) = if color { (format!("\u{1b}[{tint}m"), "\u{1b}[0m") } else { (String::new(), "") };
    let Diagnostic { code, severity, message, file, .. } = diagnostic;
    let help = diagnostic.help.as_ref().map(|help| format!("  help: {help}\n")).unwrap_or_default();
    format!("{on}[{code}] {severity}{off}: {message}\n  in {file}{place}\n{help}")
}

fn files_of(diagnostic: &Diagnostic) -> Vec<&str> {
    let mut files = vec![&*diagnostic.file];
    for related in &diagnostic.related {
        if !files.contains(&&*related.file) {
            files.push(&related.file);
        }
    }
    files
}

fn at(file: &str, range: super::Range) -> At {
    (file.to_owned(), range.start.offset as usize..range.end.offset as usize)
}

/// Without white space at line ends, which frames are full of.
fn tidy(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Without escape sequences: the kind of a report is coloured whatever the configuration says.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    out
}

/// The texts that a diagnostic shows.
struct Frames(Vec<(String, Source<Arc<str>>)>);

impl Frames {
    fn has(&self, file: &str) -> bool {
        self.0.iter().any(|(name, _)| name == file)
    }
}

impl ariadne::Cache<String> for &mut Frames {
    type Storage = Arc<str>;

    fn fetch(&mut self, id: &String) -> Result<&Source<Arc<str>>, impl std::fmt::Debug> {
        self.0.iter().find(|(name, _)| name == id).map(|(_, source)| source).ok_or("no such file")
    }

    fn display<'a>(&self, id: &'a String) -> Option<impl std::fmt::Display + 'a> {
        Some(id)
    }
}

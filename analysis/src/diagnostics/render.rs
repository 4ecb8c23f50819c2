//! Diagnostics as people read them. No other file of this crate knows ariadne.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};

use super::{Diagnostic, Severity};

/// The longest line, in bytes, that a frame shows.
const LINE_BYTES_MAX: usize = 1_000;

/// How many lines may lie between two places of a frame. What is farther apart gets frames of its own, since drawing a
/// frame takes a step for each line that it passes over.
const FRAME_LINES_MAX: u32 = 200;

/// The texts that diagnostics are shown with. Each is fetched and cut into lines once, however many diagnostics have a
/// place in it.
pub struct Frames<F> {
    text_of: F,
    color: bool,
    sources: BTreeMap<String, Option<Source<Arc<str>>>>,
}

impl<F: Fn(&str) -> Option<Arc<str>>> Frames<F> {
    /// Frames with what `text_of` gives as the text of a file, where there is one.
    pub fn new(text_of: F, color: bool) -> Self {
        Self { text_of, color, sources: BTreeMap::new() }
    }

    /// One diagnostic with its source frame.
    pub fn human(&mut self, diagnostic: &Diagnostic) -> String {
        let color = self.color;
        let files = files_of(diagnostic);
        for file in &files {
            if !self.sources.contains_key(*file) {
                let source = (self.text_of)(file).map(Source::from);
                self.sources.insert((*file).to_owned(), source);
            }
        }
        let texts: Vec<_> = files.into_iter().filter_map(|file| Some((file, self.text(file)?))).collect();
        if !texts.iter().any(|(file, text)| *file == diagnostic.file && !text.is_empty()) {
            return headline(diagnostic, color, "");
        }
        if texts.iter().any(|(file, text)| shows_long_line(diagnostic, file, text)) {
            let start = diagnostic.range.start;
            return headline(diagnostic, color, &format!(":{}:{}", start.line, start.column));
        }
        let mut out = Vec::new();
        // Writing to memory fails for no reason of its own, and the headline says the same in one line.
        match self.report(diagnostic).write(Cached(&self.sources), &mut out) {
            Ok(()) if color => tidy(&String::from_utf8_lossy(&out)),
            Ok(()) => tidy(&plain(&String::from_utf8_lossy(&out))),
            Err(_) => headline(diagnostic, color, ""),
        }
    }

    fn text(&self, file: &str) -> Option<&str> {
        self.sources.get(file)?.as_ref().map(Source::text)
    }

    fn report(&self, diagnostic: &Diagnostic) -> Report<'static, At> {
        let (word, tint) = match diagnostic.severity {
            Severity::Error => ("error", Color::Red),
            Severity::Warning => ("warning", Color::Yellow),
            Severity::Note => ("note", Color::Blue),
        };
        let config = Config::new().with_index_type(IndexType::Byte).with_color(self.color).with_tab_width(4);
        let (label, help) = words(diagnostic);
        let own = (&*diagnostic.file, diagnostic.range, label, tint);
        let related = diagnostic.related.iter().filter(|related| self.text(&related.file).is_some());
        let related = related.map(|related| (&*related.file, related.range, &*related.message, Color::Cyan));
        let mut labels: Vec<_> = std::iter::once(own).chain(related).collect();
        // A label that stands above the one before it would open a frame of its own.
        labels.sort_by_key(|(file, range, ..)| (*file != diagnostic.file, *file, range.start.offset));
        let parts = parts(&labels);
        let of_own = labels.iter().position(|label| *label == own).map_or(0, |at| parts[at]);
        let mut labels: Vec<_> = labels.into_iter().zip(parts).collect();
        // The place of the diagnostic itself is what the first line names.
        labels.sort_by_key(|(_, part)| *part != of_own);
        let labels = labels.into_iter().map(|(shown, part)| {
            let (file, range, message, tint) = shown;
            let label = Label::new(at(file, part, range)).with_message(message);
            label.with_color(tint).with_priority(i32::from(shown == own))
        });
        let place = at(&diagnostic.file, of_own, diagnostic.range);
        let mut report = Report::build(ReportKind::Custom(word, tint), place)
            .with_config(config)
            .with_code(diagnostic.code)
            .with_message(&diagnostic.message)
            .with_labels(labels);
        if let Some(help) = help {
            report = report.with_help(help);
        }
        report.finish()
    }
}

/// A place as ariadne wants it: a part of a file, and bytes of the file.
type At = (Part, Range<usize>);

/// A file, and which of its frames.
type Part = (String, usize);

/// What a frame shows: a file, a place in it, what stands beside it, in which colour.
type Shown<'a> = (&'a str, super::Range, &'a str, Color);

/// In which frame of its file each label is shown.
fn parts(labels: &[Shown<'_>]) -> Vec<usize> {
    let mut part = 0;
    let mut before: Option<&Shown<'_>> = None;
    let parts = labels.iter().map(|label| {
        let is_far = before.is_some_and(|(file, range, ..)| {
            *file == label.0 && range.end.line.saturating_add(FRAME_LINES_MAX) < label.1.start.line
        });
        part += usize::from(is_far);
        before = Some(label);
        part
    });
    parts.collect()
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
        // No more is looked at than makes a line too long, since one such line may be the whole file.
        let first = text.floor_char_boundary(start.saturating_sub(LINE_BYTES_MAX + 1));
        let last = text.floor_char_boundary(end.saturating_add(LINE_BYTES_MAX + 4));
        let from = text[first..start].rfind('\n').map_or(first, |at| first + at + 1);
        let to = text[end..last].find('\n').map_or(last, |at| end + at);
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

fn at(file: &str, part: usize, range: super::Range) -> At {
    ((file.to_owned(), part), range.start.offset as usize..range.end.offset as usize)
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

/// The texts as ariadne asks for them.
struct Cached<'a>(&'a BTreeMap<String, Option<Source<Arc<str>>>>);

impl ariadne::Cache<Part> for Cached<'_> {
    type Storage = Arc<str>;

    fn fetch(&mut self, (file, _): &Part) -> Result<&Source<Arc<str>>, impl std::fmt::Debug> {
        self.0.get(file).and_then(Option::as_ref).ok_or("no such file")
    }

    fn display<'a>(&self, (file, _): &'a Part) -> Option<impl std::fmt::Display + 'a> {
        Some(file)
    }
}

//! `jadpo fmt`: lays manifests out in their one form.

pub mod replace;

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jadpo_analysis::diagnostics::{Diagnostic, render};
use jadpo_analysis::format::{self, Discrepancy, File, Found, Outcome};
use jadpo_analysis::system::{FileKind, OsSystem, System};
use similar::TextDiff;

use crate::args::{Color, Fmt};
use crate::commands::coloured;
use crate::exit::Exit;

/// What standard input is called.
const STDIN: &str = "<stdin>";
/// How many bytes are read of standard input: enough to see that it is too large.
const STDIN_BYTES_MAX: u64 = 4 * 1024 * 1024 + 1;

/// Formats, says what changed, and whether all went well.
pub fn run(fmt: &Fmt, color: Color) -> Exit {
    let mut said = Said::new(fmt, color);
    if fmt.stdin {
        stdin(&mut said);
    } else {
        files(fmt, &mut said);
    }
    said.finish()
}

/// What is done with a file, and what is said of it.
enum Done {
    Canonical,
    Changed(String),
    Failed(String),
}

/// Formats the files at the given paths, on as many threads as the machine runs at once.
fn files(fmt: &Fmt, said: &mut Said) {
    let files = find(&fmt.paths, said);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let coloured = said.coloured;
    let work = || {
        let take = || files.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).map(|file| (file, one(fmt, file, coloured))).collect::<Vec<_>>()
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = threads.into_iter().flat_map(|thread| thread.join().expect("formatting never panics"));
        done.collect()
    });
    done.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    done.into_iter().for_each(|(_, done)| said.file(done));
    said.sum_up(fmt);
}

/// The files at the given paths, each once.
fn find(paths: &[PathBuf], said: &mut Said) -> Vec<Found> {
    let mut taken = BTreeSet::new();
    let mut files = Vec::new();
    for path in paths {
        let (found, problems) = match OsSystem.kind(path) {
            Some(FileKind::Dir) => format::beneath(&OsSystem, path),
            _ => {
                let canonical = OsSystem.canonical(path).unwrap_or_else(|_| path.clone());
                (vec![Found { path: path.clone(), canonical }], Vec::new())
            }
        };
        said.problems(&problems, &Arc::from(""));
        files.extend(found.into_iter().filter(|file| taken.insert(file.canonical.clone())));
    }
    files
}

fn one(fmt: &Fmt, found: &Found, coloured: bool) -> Done {
    let name = name_of(&found.path);
    let file = File::open(&OsSystem, &name, &found.canonical);
    match file.outcome {
        Outcome::Canonical => Done::Canonical,
        Outcome::Formatted(formatted) if fmt.diff => Done::Changed(diff(&name, &file.text, &formatted)),
        Outcome::Formatted(_) if fmt.check => Done::Changed(format!("{name}\n")),
        Outcome::Formatted(formatted) => match replace::replace(&found.canonical, &file.text, &formatted) {
            Ok(()) => Done::Changed(format!("{name}\n")),
            Err(error) => Done::Failed(format!("error: cannot write {name}: {error}\n")),
        },
        Outcome::Unclear(problems) => Done::Failed(people(&problems, &file.text, coloured)),
        Outcome::Unsound(discrepancy) => Done::Failed(unsound(&name, &discrepancy)),
    }
}

/// Formats standard input; with a mistake in it nothing is written.
fn stdin(said: &mut Said) {
    let mut bytes = Vec::new();
    if let Err(error) = io::stdin().lock().take(STDIN_BYTES_MAX).read_to_end(&mut bytes) {
        return said.file(Done::Failed(format!("error: cannot read standard input: {error}\n")));
    }
    let file = File::from_bytes(STDIN, bytes);
    let changed = matches!(file.outcome, Outcome::Formatted(_));
    let text = match file.outcome {
        Outcome::Canonical => file.text.to_string(),
        Outcome::Formatted(formatted) => formatted,
        Outcome::Unclear(problems) => {
            return said.file(Done::Failed(people(&problems, &file.text, said.coloured)));
        }
        Outcome::Unsound(discrepancy) => {
            return said.file(Done::Failed(unsound(STDIN, &discrepancy)));
        }
    };
    match (said.writes, said.diff) {
        (true, _) => said.out.push_str(&text),
        (false, _) if !changed => {}
        (false, true) => said.file(Done::Changed(diff(STDIN, &file.text, &text))),
        (false, false) => said.file(Done::Changed(format!("{STDIN}\n"))),
    }
}

/// What has been said so far.
struct Said {
    coloured: bool,
    writes: bool,
    diff: bool,
    out: String,
    err: String,
    files: usize,
    changed: usize,
    failed: usize,
    broken: bool,
}

impl Said {
    fn new(fmt: &Fmt, color: Color) -> Self {
        Self {
            coloured: coloured(color, &io::stderr()),
            writes: !fmt.check && !fmt.diff,
            diff: fmt.diff,
            out: String::new(),
            err: String::new(),
            files: 0,
            changed: 0,
            failed: 0,
            broken: false,
        }
    }

    fn file(&mut self, done: Done) {
        self.files += 1;
        match done {
            Done::Canonical => {}
            Done::Changed(text) => {
                self.changed += 1;
                self.out.push_str(&text);
            }
            Done::Failed(text) => {
                self.failed += 1;
                self.err.push_str(&text);
            }
        }
    }

    fn problems(&mut self, problems: &[Diagnostic], text: &Arc<str>) {
        self.broken |= !problems.is_empty();
        self.err.push_str(&people(problems, text, self.coloured));
    }

    /// One line for people: how many files there are and what became of them.
    fn sum_up(&mut self, fmt: &Fmt) {
        let files = |n: usize| format!("{n} {}", if n == 1 { "file" } else { "files" });
        let verb = if fmt.check || fmt.diff { "would format" } else { "formatted" };
        let left =
            if self.failed == 0 { String::new() } else { format!(", left {} as it was", files(self.failed)) };
        let left = if self.failed > 1 { left.replace("as it was", "as they were") } else { left };
        self.err.push_str(&format!("{verb} {} of {}{left}\n", self.changed, files(self.files)));
    }

    fn finish(self) -> Exit {
        // Whoever closes a pipe early has read enough; the exit code still tells how it went.
        let _ = io::stderr().lock().write_all(self.err.as_bytes());
        let _ = io::stdout().lock().write_all(self.out.as_bytes());
        let differs = !self.writes && self.changed > 0;
        if self.broken || self.failed > 0 || differs { Exit::Failed } else { Exit::Ok }
    }
}

/// A path as people know it: without the `./` that the default directory brings.
fn name_of(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

fn people(problems: &[Diagnostic], text: &Arc<str>, coloured: bool) -> String {
    problems.iter().map(|problem| render::human(problem, |_| Some(text.clone()), coloured)).collect()
}

fn diff(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(name, name).to_string()
}

fn unsound(name: &str, discrepancy: &Discrepancy) -> String {
    let Discrepancy { what, text, formatted } = discrepancy;
    let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    format!(
        "error: formatting {name} would change what it says, so it is left as it was: {what}\n\
         This is a mistake in jadpo. Please report it with the text that shows it:\n\n{}\nwhich would become:\n\n{}\n",
        indented(text),
        indented(formatted)
    )
}

//! `jadpo fmt`: lays manifests out in their one form.

pub mod replace;

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jadpo_analysis::diagnostics::Diagnostic;
use jadpo_analysis::diagnostics::render::Frames;
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
        files(&fmt.paths, &mut said);
    }
    said.finish()
}

/// What is done where a file is laid out otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    /// The file is named.
    Check,
    /// The difference is shown.
    Diff,
}

impl Mode {
    fn of(fmt: &Fmt) -> Self {
        match (fmt.check, fmt.diff) {
            (true, _) => Self::Check,
            (_, true) => Self::Diff,
            _ => Self::Write,
        }
    }
}

/// What is done with a file, and what is said of it.
enum Done {
    Canonical,
    Changed(String),
    Failed(String),
}

/// Formats the files at the given paths, on as many threads as the machine runs at once.
fn files(paths: &[PathBuf], said: &mut Said) {
    let files = find(paths, said);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let (mode, coloured) = (said.mode, said.coloured);
    let work = || {
        let take = || files.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).map(|file| (file, one(mode, file, coloured))).collect::<Vec<_>>()
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = threads.into_iter().flat_map(|thread| thread.join().expect("formatting never panics"));
        done.collect()
    });
    done.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    for (_, done) in done {
        said.file(done);
    }
    said.sum_up();
}

/// The files at the given paths, each once.
fn find(paths: &[PathBuf], said: &mut Said) -> Vec<Found> {
    let mut taken = BTreeSet::new();
    let mut files = Vec::new();
    for path in paths {
        let (found, problems) = if OsSystem.kind(path) == Some(FileKind::Dir) {
            format::beneath(&OsSystem, path)
        } else {
            let canonical = OsSystem.canonical(path).unwrap_or_else(|_| path.clone());
            (vec![Found { path: path.clone(), canonical }], Vec::new())
        };
        said.directories(problems);
        files.extend(found.into_iter().filter(|file| taken.insert(file.canonical.clone())));
    }
    files
}

fn one(mode: Mode, found: &Found, coloured: bool) -> Done {
    let name = name_of(&found.path);
    let file = File::open(&OsSystem, &name, &found.canonical);
    match file.outcome {
        Outcome::Canonical => Done::Canonical,
        Outcome::Formatted(formatted) => match mode {
            Mode::Diff => Done::Changed(diff(&name, &file.text, &formatted)),
            Mode::Check => Done::Changed(format!("{name}\n")),
            Mode::Write => match replace::replace(&found.canonical, &file.text, &formatted) {
                Ok(()) => Done::Changed(format!("{name}\n")),
                Err(error) => Done::Failed(format!("error: cannot write {name}: {error}\n")),
            },
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
    match said.mode {
        Mode::Write => said.out.push_str(&text),
        _ if !changed => {}
        Mode::Diff => said.file(Done::Changed(diff(STDIN, &file.text, &text))),
        Mode::Check => said.file(Done::Changed(format!("{STDIN}\n"))),
    }
}

/// What has been said so far.
struct Said {
    mode: Mode,
    coloured: bool,
    out: String,
    err: String,
    files: usize,
    changed: usize,
    failed: usize,
    /// How much is wrong with directories.
    wrong: usize,
}

impl Said {
    fn new(fmt: &Fmt, color: Color) -> Self {
        Self {
            mode: Mode::of(fmt),
            coloured: coloured(color, &io::stderr()),
            out: String::new(),
            err: String::new(),
            files: 0,
            changed: 0,
            failed: 0,
            wrong: 0,
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

    fn directories(&mut self, mut problems: Vec<Diagnostic>) {
        for problem in &mut problems {
            problem.file = name_of(Path::new(&problem.file));
        }
        self.wrong += problems.len();
        self.err.push_str(&people(&problems, &Arc::from(""), self.coloured));
    }

    /// One line for people: how many files there are and what became of them.
    fn sum_up(&mut self) {
        let count = |n: usize| format!("{n} {}", if n == 1 { "file" } else { "files" });
        let did = if self.mode == Mode::Write { "formatted" } else { "would format" };
        let left = match self.failed {
            0 => String::new(),
            1 => ", left 1 as it was".to_owned(),
            n => format!(", left {n} as they were"),
        };
        self.err.extend([did, &format!(" {} of {}", self.changed, count(self.files)), &left, "\n"]);
    }

    fn finish(self) -> Exit {
        // Whoever closes a pipe early has read enough; the exit code still tells how it went.
        let _ = io::stderr().lock().write_all(self.err.as_bytes());
        let _ = io::stdout().lock().write_all(self.out.as_bytes());
        let differs = self.mode != Mode::Write && self.changed > 0;
        if self.wrong > 0 || self.failed > 0 || differs { Exit::Failed } else { Exit::Ok }
    }
}

/// A path as people know it: without the `./` that the default directory brings.
fn name_of(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

fn people(problems: &[Diagnostic], text: &Arc<str>, coloured: bool) -> String {
    let mut frames = Frames::new(|_: &str| Some(text.clone()), coloured);
    problems.iter().map(|problem| frames.human(problem)).collect()
}

fn diff(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(name, name).to_string()
}

fn unsound(name: &str, discrepancy: &Discrepancy) -> String {
    let Discrepancy { what, text, formatted } = discrepancy;
    let indented = |text: &str| text.lines().flat_map(|line| ["    ", line, "\n"]).collect::<String>();
    format!(
        "error: formatting {name} would change what it says, so it is left as it was: {what}\n\
         This is a mistake in jadpo. Please report it with the text that shows it:\n\n{}\nwhich would become:\n\n{}\n",
        indented(text),
        indented(formatted)
    )
}

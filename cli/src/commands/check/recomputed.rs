//! `jadpo check --why-recomputed FILE`: which queries an edit of a manifest makes run again, and why.
//!
//! The edit is what lies between the text before, of git or of another file, and the text on disk. The project is checked
//! with the one and then with the other.

mod human;
mod json;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Report;
use jadpo_analysis::recomputed::{Recomputed, Recorded};

use super::watch::stamps::Stamps;
use super::watch::{signals, until_changed};
use crate::args::{Check, Format};
use crate::commands::git;
use crate::exit::Exit;

/// An edit of a manifest and what it made run.
struct Edit<'a> {
    /// The manifest, as diagnostics name it.
    file: &'a str,
    /// What the text before is, as it was asked for.
    since: &'a str,
    recomputed: &'a Recomputed,
    report: &'a Report,
}

/// Checks before and after the edit, and prints; with `--watch`, after each further one too.
pub fn run(check: &Check, file: &Path) -> Exit {
    if !matches!(check.format, Format::Human | Format::Json) {
        return usage("`--why-recomputed` prints for people or as JSON: use `human` or `json`");
    }
    let stamps = Arc::new(Stamps::default());
    let mut recorded = Recorded::open(stamps.clone(), &check.path);
    let manifest = file.canonicalize().ok().and_then(|place| {
        let file = recorded.workspace.path_of(&place)?.to_owned();
        Some((recorded.workspace.text(&file)?, file, place))
    });
    let Some((now, file, place)) = manifest else {
        return usage(&format!(
            "`{}` is no manifest of the project in `{}`; another project's directory stands before the option: \
             `jadpo check DIR --why-recomputed FILE`",
            file.display(),
            check.path.display()
        ));
    };
    let before = match text_before(&check.since, &place) {
        Ok(before) => before,
        Err(why) => return usage(&why),
    };
    if *before == *now && !check.watch {
        print(&same(check, &file));
        return Exit::Ok;
    }
    recorded.workspace.set_text(&place, before.as_str());
    recorded.check();
    recorded.workspace.remove(&place);
    let exit = told(check, &mut recorded, &file, &check.since, *before != *now);
    if check.watch { watched(check, &mut recorded, &file, &stamps, exit) } else { exit }
}

/// Prints what each further edit makes run. The exit is that of the last check.
fn watched(check: &Check, recorded: &mut Recorded, file: &str, stamps: &Stamps, exit: Exit) -> Exit {
    let stop = signals::stop();
    let mut exit = exit;
    let mut before = recorded.workspace.text(file);
    while until_changed(stamps, &stop).is_some() {
        stamps.forget();
        recorded.workspace.refresh();
        let now = recorded.workspace.text(file);
        // Other files are kept up with too, so that nothing of theirs is taken for an effect of this one's edit.
        exit = told(check, recorded, file, "the edit before", now != before);
        before = now;
    }
    exit
}

/// Checks, and prints what ran for it unless the manifest is the same.
fn told(check: &Check, recorded: &mut Recorded, file: &str, since: &str, differs: bool) -> Exit {
    let (report, recomputed) = recorded.check();
    if differs {
        let edit = Edit { file, since, recomputed: &recomputed, report: &report };
        print(&match check.format {
            Format::Json => json::edit(&edit),
            _ => human::edit(&edit),
        });
    }
    if report.is_ok() { Exit::Ok } else { Exit::Failed }
}

/// The text before the edit.
fn text_before(since: &str, place: &Path) -> Result<String, String> {
    match since.strip_prefix("git:") {
        Some(revision) => git::text_at(place, revision),
        None => std::fs::read_to_string(since).map_err(|error| format!("`{since}` can't be read: {error}")),
    }
}

/// What is said where there is no edit.
fn same(check: &Check, file: &str) -> String {
    match check.format {
        Format::Json => json::nothing(file, &check.since),
        _ => format!("`{file}` says what it said at `{}`: nothing has to run again\n", check.since),
    }
}

fn usage(message: &str) -> Exit {
    let _ = writeln!(io::stderr(), "error: {message}");
    Exit::Usage
}

fn print(text: &str) {
    // Whoever closes the pipe early has read enough.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    let _ = io::stdout().lock().flush();
}

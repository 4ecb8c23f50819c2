//! `jadpo check --watch`: a report for each change, until somebody ends it.
//!
//! Files are looked at, not subscribed to: that works on every file system, costs a look at each path that the last
//! check has asked for, and sees nothing of what no check reads, such as `target/` and `build/`.

pub(super) mod signals;
pub(super) mod stamps;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use jadpo_analysis::{Report, Workspace};

use self::stamps::Stamps;
use crate::args::{Check, Color, Format};
use crate::commands::check::{rendered, report};
use crate::commands::coloured;
use crate::exit::Exit;
use crate::output::human;

/// How long is waited between two looks, when a look costs next to nothing.
const WAIT_MIN: Duration = Duration::from_millis(100);

/// How many times as long as a look the wait after it is at least, so that all looks together take at most one part in
/// so many of a processor.
const WAIT_PER_LOOK: u32 = 50;

/// How long nothing must change before a change counts as over: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(40);

/// How long a change that doesn't end is waited for.
const QUIET_WAIT_MAX: Duration = Duration::from_millis(800);

/// What a terminal needs to show the next text alone; what scrolled out of it stays.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Checks again after each change. The exit is that of the last check.
pub fn run(check: &Check, color: Color) -> Exit {
    if let Format::Sarif | Format::Gitlab | Format::Junit = check.format {
        let _ = writeln!(
            io::stderr(),
            "error: `--watch` gives one report after another, and this format is a document of one: \
             use `human`, `concise`, `json` or `github`"
        );
        return Exit::Usage;
    }
    let stop = signals::stop();
    let stamps = Arc::new(Stamps::default());
    let mut workspace = Workspace::open(stamps.clone(), &check.path);
    let mut seen = Seen::of(check, &workspace);
    loop {
        let exit = if seen.report.is_ok() { Exit::Ok } else { Exit::Failed };
        // Whoever closed the pipe reads no further report either.
        if print(check, color, &workspace, &seen.report).is_err() {
            return exit;
        }
        loop {
            if until_changed(&stamps, &stop).is_none() {
                return exit;
            }
            stamps.forget();
            workspace.refresh();
            let now = Seen::of(check, &workspace);
            if now != seen {
                seen = now;
                break;
            }
        }
    }
}

/// All that a report depends on. As long as it stays, nothing has changed, whatever was written.
#[derive(PartialEq)]
struct Seen {
    texts: Vec<(String, Option<Arc<str>>)>,
    report: Report,
}

impl Seen {
    fn of(check: &Check, workspace: &Workspace) -> Self {
        let texts = workspace.files().into_iter().map(|file| (file.to_owned(), workspace.text(file)));
        Self { texts: texts.collect(), report: report(check, workspace) }
    }
}

/// Waits until something has changed and keeps still again; `None` when it was asked to stop.
pub(super) fn until_changed(stamps: &Stamps, stop: &Receiver<()>) -> Option<()> {
    let mut wait = WAIT_MIN;
    loop {
        pause(stop, wait)?;
        let look = Instant::now();
        if stamps.changed(SystemTime::now()) {
            break;
        }
        wait = wait_after(look.elapsed());
    }
    let changed = Instant::now();
    let mut before = stamps.now();
    while changed.elapsed() < QUIET_WAIT_MAX {
        pause(stop, QUIET)?;
        let now = stamps.now();
        if now == before {
            break;
        }
        before = now;
    }
    Some(())
}

/// How long is waited after a look that took so long.
fn wait_after(look: Duration) -> Duration {
    WAIT_MIN.max(look.saturating_mul(WAIT_PER_LOOK))
}

fn pause(stop: &Receiver<()>, wait: Duration) -> Option<()> {
    matches!(stop.recv_timeout(wait), Err(RecvTimeoutError::Timeout)).then_some(())
}

fn print(check: &Check, color: Color, workspace: &Workspace, report: &Report) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() && check.format == Format::Human {
        stdout.write_all(CLEAR.as_bytes())?;
    }
    let text = rendered(check.format, workspace, report, coloured(color, &stdout));
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    if let Format::Concise | Format::Github = check.format {
        // A report without a line can't be told from one that is yet to come.
        let _ = io::stderr().write_all(human::summary(report).as_bytes());
    }
    Ok(())
}

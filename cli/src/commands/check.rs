//! `jadpo check`: what is wrong where.

mod fix;
mod naming;
mod recomputed;
mod watch;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::diagnostics::Severity;
use jadpo_analysis::diagnostics::render::Frames;
use jadpo_analysis::system::OsSystem;
use jadpo_analysis::{Report, Workspace};

use self::naming::Naming;
use crate::args::{Check, Color, Deny, Format};
use crate::commands::coloured;
use crate::exit::Exit;
use crate::output::{concise, github, gitlab, human, json, junit, sarif, workers};

/// Checks, repairs if that is asked for, prints, and says whether there were errors.
pub fn run(check: &Check, color: Color) -> Exit {
    if let Some(file) = &check.why_recomputed {
        return recomputed::run(check, file);
    }
    if check.watch {
        return watch::run(check, color);
    }
    let mut workspace = open(&check.path);
    let said = if check.fix { fix::write::on_disk(&mut workspace) } else { fix::write::Said::default() };
    if check.fix {
        // What is reported is what stands on disk now.
        workspace = open(&check.path);
    }
    let report = report(check, &workspace);
    let mut stdout = std::io::stdout().lock();
    let text = rendered(check.format, &workspace, &report, coloured(color, &stdout));
    // Whoever closes the pipe early has read enough; the exit code still tells what was found.
    let _ = std::io::stderr().write_all(said.failed.as_bytes());
    let _ = match check.format {
        Format::Human => stdout.write_all(said.fixed.as_bytes()),
        // Standard output is the report's alone where programs read it.
        _ => std::io::stderr().write_all(said.fixed.as_bytes()),
    };
    let _ = stdout.write_all(text.as_bytes());
    if report.is_ok() && said.failed.is_empty() { Exit::Ok } else { Exit::Failed }
}

/// The project or package of a directory.
pub fn open(path: &Path) -> Workspace {
    Workspace::open(Arc::new(OsSystem), path)
}

/// A report as people read it.
pub fn people(workspace: &Workspace, report: &Report, coloured: bool) -> String {
    let mut frames = Frames::new(|file: &str| workspace.text(file), coloured);
    let mut text: String = report.diagnostics.iter().map(|diagnostic| frames.human(diagnostic)).collect();
    text.push_str(&human::summary(report));
    text
}

/// A report as whoever reads `format` wants it.
fn rendered(format: Format, workspace: &Workspace, report: &Report, coloured: bool) -> String {
    match format {
        Format::Human => people(workspace, report, coloured) + &workers::section(&report.on_workers),
        Format::Json => json::report(report),
        Format::Concise => concise::report(&Naming::for_terminal(workspace).report(report)),
        Format::Sarif => sarif::report(&Naming::for_service(workspace).report(report)),
        Format::Github => github::report(&Naming::for_service(workspace).report(report)),
        Format::Gitlab => gitlab::report(&Naming::for_service(workspace).report(report)),
        Format::Junit => {
            let naming = Naming::for_service(workspace);
            junit::report(&naming.report(report), &naming.files())
        }
    }
}

/// What the check finds, with the severities that were asked for.
fn report(check: &Check, workspace: &Workspace) -> Report {
    let mut report = workspace.check();
    if check.deny.contains(&Deny::Warnings) {
        deny_warnings(&mut report);
    }
    report
}

fn deny_warnings(report: &mut Report) {
    let warnings =
        report.diagnostics.iter_mut().filter(|diagnostic| diagnostic.severity == Severity::Warning);
    warnings.for_each(|diagnostic| diagnostic.severity = Severity::Error);
}

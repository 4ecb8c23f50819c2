//! `jadpo surface`: what apps can see of a package, accepted and compared.

mod accept;
mod diff;
mod human;
mod json;
mod show;

use std::io::Write;
use std::path::Path;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::Severity;
use jadpo_analysis::diagnostics::codes::base::FILE_SURFACE_INVALID;
use jadpo_analysis::diagnostics::codes::package::SURFACE_BREAKING;
use jadpo_analysis::surface::PackageSurface;

use crate::args::{Color, Surface, SurfaceCommand};
use crate::commands::{check, coloured};
use crate::exit::Exit;

/// Shows, accepts or compares.
pub fn run(surface: &Surface, color: Color) -> Exit {
    match &surface.command {
        SurfaceCommand::Show(show) => show::run(show, color),
        SurfaceCommand::Accept(accept) => accept::run(accept, color),
        SurfaceCommand::Diff(diff) => diff::run(diff, color),
    }
}

/// The workspace of a directory and the surfaces of its packages; without any, what is wrong is told.
fn open(path: &Path, color: Color) -> Result<(Workspace, Vec<PackageSurface>), Exit> {
    let workspace = check::open(path);
    let surfaces = workspace.surfaces();
    if surfaces.is_empty() {
        tell_errors(&workspace, color);
        return Err(fail(&format!("there is no package in `{}`", path.display())));
    }
    Ok((workspace, surfaces))
}

/// Shows on standard error why a workspace has packages without a surface. What `check` says of accepted surfaces is no
/// such reason.
fn tell_errors(workspace: &Workspace, color: Color) {
    let mut report = workspace.check();
    report.diagnostics.retain(|diagnostic| {
        diagnostic.severity == Severity::Error
            && ![SURFACE_BREAKING, FILE_SURFACE_INVALID].contains(&diagnostic.code)
    });
    if !report.diagnostics.is_empty() {
        let mut stderr = std::io::stderr().lock();
        let text = check::people(workspace, &report, coloured(color, &stderr));
        let _ = stderr.write_all(text.as_bytes());
    }
}

fn fail(message: &str) -> Exit {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    Exit::Failed
}

fn print(text: &str) {
    // Whoever closes the pipe early has read enough.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

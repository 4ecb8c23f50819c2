//! `jadpo surface diff`: what changed for apps, what it hits, and the least version that is honest.

use std::mem::ManuallyDrop;
use std::path::Path;

use jadpo_analysis::Workspace;
use jadpo_analysis::surface::{Against, Comparison, Document, PackageSurface};

use super::{fail, human, json, open, print, tell_errors};
use crate::args::{Color, SurfaceDiff, SurfaceFormat};
use crate::commands::git::Revision;
use crate::commands::{check, coloured};
use crate::exit::Exit;

/// What was compared with.
enum Before {
    Accepted,
    Documents(Vec<Document>),
    Workspace(Box<Workspace>),
    Revision(Box<Revision>),
}

/// Compares, prints, and says whether every break is versioned.
pub fn run(diff: &SurfaceDiff, color: Color) -> Exit {
    // The process ends next. To take two databases apart before would be a sixth of its time.
    let opened = ManuallyDrop::new(open(&diff.path, color));
    let (workspace, surfaces) = match &*opened {
        Ok(opened) => opened,
        Err(exit) => return *exit,
    };
    let against = diff.against.as_deref();
    let before = match against.map_or(Ok(Before::Accepted), |against| before(&diff.path, against, surfaces)) {
        Ok(before) => ManuallyDrop::new(before),
        Err(why) => return fail(&why),
    };
    let knows = |dir: &Path| match &*before {
        Before::Revision(revision) => revision.knows(dir),
        _ => true,
    };
    let comparison = workspace.compare_surfaces(match &*before {
        Before::Accepted => Against::Accepted,
        Before::Documents(documents) => Against::Documents(documents),
        Before::Workspace(workspace) => Against::Workspace(workspace),
        Before::Revision(revision) => Against::Part(&revision.workspace, &knows),
    });
    if surfaces.iter().any(|package| package.surface.is_none()) {
        tell_errors(workspace, color);
    }
    if diff.format == SurfaceFormat::Json {
        print(&json::comparison(&comparison, against));
    }
    if let (true, Some(why)) = (comparison.packages.is_empty(), nothing_compared(&comparison, against)) {
        return fail(&why);
    }
    let stdout = std::io::stdout();
    if diff.format == SurfaceFormat::Human {
        print(&human::comparison(&comparison, against, coloured(color, &stdout)));
    }
    for (package, why) in &comparison.failed {
        fail(&format!("`{package}` can't be compared: {why}"));
    }
    if comparison.is_ok() { Exit::Ok } else { Exit::Failed }
}

/// What `--against` names.
fn before(path: &Path, against: &str, now: &[PackageSurface]) -> Result<Before, String> {
    if let Some(revision) = against.strip_prefix("git:") {
        let names: Vec<_> = now.iter().map(|package| &*package.name).collect();
        let read = Revision::read(path, revision, &names)?;
        if read.workspace.surfaces().is_empty() {
            return Err(format!("there was no package in `{}` at `{revision}`", path.display()));
        }
        return Ok(Before::Revision(Box::new(read)));
    }
    let file = Path::new(against);
    if file.is_dir() {
        let workspace = check::open(file);
        if workspace.surfaces().is_empty() {
            return Err(format!("there is no package in `{against}`"));
        }
        return Ok(Before::Workspace(Box::new(workspace)));
    }
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("`{against}` can't be read: {error}"))?;
    let documents = Document::read_all(&text).map_err(|why| format!("`{against}` can't be read: {why}"))?;
    Ok(Before::Documents(documents))
}

/// Why there is nothing to show, where nothing was compared.
fn nothing_compared(comparison: &Comparison, against: Option<&str>) -> Option<String> {
    if let Some((package, why)) = comparison.failed.first() {
        return Some(format!("`{package}` can't be compared: {why}"));
    }
    Some(match (against, comparison.uncompared.first()?) {
        (None, package) => {
            format!("`{package}` has no `surface.json` to compare with; `jadpo surface accept` writes one")
        }
        (Some(against), package) => format!("`{against}` holds no surface of `{package}`"),
    })
}

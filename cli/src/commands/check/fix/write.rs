//! Repairs as they are made on disk: the plan's files are written, and what was done is told.

use std::fmt::Write;

use jadpo_analysis::Workspace;

use super::{Fixed, plan};
use crate::commands::fmt::replace::replace;
use crate::output::concise::one_line;

/// What is said of it.
#[derive(Debug, Default)]
pub struct Said {
    /// A line for each repair that stands on disk now.
    pub fixed: String,
    /// A line for each file that couldn't be written, and for an end before everything was tried.
    pub failed: String,
}

/// Makes the repairs of a workspace. If files were written, the workspace is to be opened again: it still holds what
/// they were to say.
pub fn on_disk(workspace: &mut Workspace) -> Said {
    let mut said = Said::default();
    // A directory that isn't there has no files that could be repaired.
    let Ok(root) = workspace.root().canonicalize() else { return said };
    let plan = plan(workspace, &root);
    let mut unwritten = Vec::new();
    for file in &plan.files {
        if let Err(error) = replace(&file.place, &file.before, &file.after) {
            let line = one_line(&format!("error: cannot write {}: {error}", file.file));
            writeln!(said.failed, "{line}").expect("a string takes any text");
            unwritten.push(&file.file);
        }
    }
    let stands = |fixed: &&Fixed| !fixed.edited.iter().any(|file| unwritten.contains(&file));
    for fixed in plan.fixed.iter().filter(stands) {
        let Fixed { code, file, position, title, .. } = fixed;
        let line =
            one_line(&format!("fixed  {file}:{}:{}: {title} [{code}]", position.line, position.column));
        writeln!(said.fixed, "{line}").expect("a string takes any text");
    }
    if !plan.complete {
        said.failed.push_str("error: this would take too many attempts; run it again to go on\n");
    }
    said
}

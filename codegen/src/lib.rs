//! From the model of a jadpo project to its plan and its typed Rust.
//!
//! [`generate`] is a function of the model alone: the same model gives the same bytes, whatever the machine, the time or
//! the order in which files were found.

mod build_script;
mod crate_output;
mod listed;
mod lower;
mod names;
mod reach;
mod rust;
mod verify;
mod write;

use std::collections::BTreeMap;

use jadpo_analysis::model::Project;

pub use build_script::build;
pub use crate_output::{Built, generate_crate, kept_crate, verify_crate, write_crate};
pub use listed::{inputs, manifests};
pub use verify::{Finding, Verified};
pub use write::{WriteError, Written, write};

/// The generated files, by path with `/` between its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Each file's text.
    pub files: BTreeMap<String, String>,
}

/// `app.rs` for an `include!`, and the `plan.json` beside it.
pub fn generate(project: &Project) -> Output {
    let files = [("app.rs", rust::render(project, "plan.json")), ("plan.json", plan_json(project))];
    Output { files: files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect() }
}

/// The plan as a person can read and compare it.
fn plan_json(project: &Project) -> String {
    let plan = lower::lower(project);
    let mut text =
        serde_json::to_string_pretty(&plan).expect("the plan is plain data whose maps have text keys");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;

//! From the model to Rust that a person can read.
//!
//! Names of the language and of the standard library are written as absolute paths, so that a type of the manifest
//! called `Option` or `Send` hides nothing that the generated code needs.

mod app;
mod codec;
mod connections;
mod constraints;
mod context;
mod dispatcher;
mod docs;
mod enums;
mod events;
mod handler;
mod handlers;
mod newtypes;
mod origin;
mod print;
mod types;
mod usage;

pub use app::needs_postgres;

use jadpo_analysis::model::Project;

/// The text of the generated module `app`, which finds the plan at `plan_path`, relative to its own file.
pub fn render(project: &Project, plan_path: &str) -> String {
    print::print(app::module(project, plan_path))
}

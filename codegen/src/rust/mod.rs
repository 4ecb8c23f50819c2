//! From the model to Rust that a person can read.
//!
//! Names of the language and of the standard library are written as absolute paths, so that a type of the manifest
//! called `Option` or `Send` hides nothing that the generated code needs.

mod app;
mod codec;
mod connections;
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

use std::sync::atomic::{AtomicUsize, Ordering};

use jadpo_analysis::model::Project;

use app::Module;

/// How much stack a thread has that lays code out: as much as a program begins with, since types may be nested deeply.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// The text of the generated module `app`, which finds the plan at `plan_path`, relative to its own file.
pub fn render(project: &Project, plan_path: &str) -> String {
    let module = Module::of(project);
    let packages: Vec<_> = project.packages.values().collect();
    let parts = in_parallel(packages.len() + 2, |part| match part.checked_sub(1) {
        None => module.head(plan_path),
        Some(at) => packages.get(at).map_or_else(|| module.tail(), |package| module.package(package)),
    });
    module.joined(&parts)
}

/// What `make` gives for each number below `count`, in order, on as many threads as the machine runs at once.
fn in_parallel<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    let work = || {
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count);
        std::iter::from_fn(take).map(|number| (number, make(number))).collect::<Vec<_>>()
    };
    let mut made: Vec<_> = std::thread::scope(|scope| {
        let other = || std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        // Without another thread this one does all.
        let others: Vec<_> = (1..threads).filter_map(|_| other().ok()).collect();
        let own = work();
        let others = others.into_iter().flat_map(|thread| thread.join().expect("printing never panics"));
        own.into_iter().chain(others).collect()
    });
    made.sort_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, made)| made).collect()
}

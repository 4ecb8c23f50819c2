//! What ran again, as people read it: a line for each query, and one beneath it that says why.

use std::fmt::Write;

use jadpo_analysis::recomputed::{Asked, Run, Why};

use super::Edit;
use crate::output::human;

/// How many queries a reason names; where more of one kind ran, it can't be told which of them it was.
const CAUSES_MAX: usize = 3;

const WRITES: &str = "a string takes any text";

/// The edit, what it made run, and what the check says now.
pub fn edit(edit: &Edit<'_>) -> String {
    let mut out = format!("{} since {}\n\n", edit.file, edit.since);
    let runs = &edit.recomputed.runs;
    let wide = runs.iter().map(|run| run.query.name.len()).max().unwrap_or_default();
    for run in runs {
        let of = run.query.of.as_ref().map(|of| format!("{of}: ")).unwrap_or_default();
        writeln!(out, "{:<wide$}  {of}{}", run.query.name, run.words).expect(WRITES);
        writeln!(out, "{:<wide$}  {}", "", why(run)).expect(WRITES);
    }
    if !runs.is_empty() {
        out.push('\n');
    }
    writeln!(out, "re-ran {} of {} queries", runs.len(), edit.recomputed.all).expect(WRITES);
    out + &human::summary(edit.report)
}

fn why(run: &Run) -> String {
    match &run.why {
        Why::New => "is asked for the first time".to_owned(),
        Why::Text => "since its text changed".to_owned(),
        Why::Layout => "since the files of the project changed".to_owned(),
        Why::Other => "since something that it reads changed".to_owned(),
        Why::Since(causes) => {
            let mut named: Vec<_> = causes.iter().take(CAUSES_MAX).map(|cause| named(cause, run)).collect();
            match causes.len().saturating_sub(CAUSES_MAX) {
                0 => {}
                more => named.push(format!("one of {more} more")),
            }
            format!("since {} ran again", named.join(" or "))
        }
    }
}

fn named(cause: &Asked, run: &Run) -> String {
    match &cause.of {
        of if *of == run.query.of => format!("`{}` of the same", cause.name),
        Some(of) => format!("`{}` of {of}", cause.name),
        None => format!("`{}`", cause.name),
    }
}

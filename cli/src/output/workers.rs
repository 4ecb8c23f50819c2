//! What holds on Workers for one instance only: the section at the end of `check`, and `build`'s `calls` lines.

use std::fmt::Write;

use jadpo_analysis::OnWorkers;

/// What holds for every cap, said once.
const NOTE: &str = "Workers runs many instances, and each counts its own calls. A provider that needs a limit for all of them\n\
                    sets it on its side: its rate-limit answers make calls back off.\n";

/// The section; nothing where no deployable is built for Workers.
pub fn section(on_workers: &[OnWorkers]) -> String {
    if on_workers.is_empty() {
        return String::new();
    }
    let rows: Vec<_> = on_workers.iter().flat_map(rows).collect();
    let width = |column: fn(&(String, String, String)) -> &str| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or_default()
    };
    let (first, second) = (width(|row| &row.0), width(|row| &row.1));
    let mut text = "\nOn Workers\n".to_owned();
    for (deployable, connection, what) in &rows {
        let line = format!("{deployable:<first$}  {connection:<second$}  {what}");
        writeln!(text, "{}", line.trim_end()).expect("a string takes any text");
    }
    if on_workers.iter().any(|worker| !worker.capped.is_empty()) {
        text.push_str(NOTE);
    }
    text
}

/// One row for each connection with a cap, or one that says that there is none.
fn rows(worker: &OnWorkers) -> Vec<(String, String, String)> {
    if worker.capped.is_empty() {
        let none = "calls through no connection with a `max_concurrent`".to_owned();
        return vec![(worker.deployable.clone(), none, String::new())];
    }
    let rows = worker.capped.iter().map(|capped| {
        let calls = if capped.max_concurrent == 1 { "call" } else { "calls" };
        let what = format!("at most {} {calls} at once, on Workers, per instance", capped.max_concurrent);
        (worker.deployable.clone(), capped.connection.clone(), what)
    });
    rows.collect()
}

/// One line for each Worker, with its connections that have a cap.
pub fn calls(on_workers: &[OnWorkers]) -> String {
    let lines = on_workers.iter().map(|worker| {
        let capped =
            worker.capped.iter().map(|capped| format!("{} ≤ {}", capped.connection, capped.max_concurrent));
        let capped: Vec<_> = capped.collect();
        let what = if capped.is_empty() { "no cap".to_owned() } else { capped.join(", ") };
        format!("calls  {}: {what} on Workers, per instance\n", worker.deployable)
    });
    lines.collect()
}

//! `rates --minutes N`: minutes of ticks in seconds, against the real exchange, under a clock that stands while a call is
//! pending.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use jadpo_runtime::rehearsal::{Rehearsal, RehearsalOptions};
use jadpo_runtime::sim::ClockServer;

use crate::provider::{Exchange, Stats};

/// How long the exchange takes for each answer, in milliseconds of virtual time: long enough for calls to meet.
const ANSWER_MS: u32 = 3_000;

/// Rehearses in a store of its own, and ends with a table.
pub fn run(minutes: u32) -> std::io::Result<ExitCode> {
    let exchange = Exchange::start(&["--virtual", "--slow-ms", &ANSWER_MS.to_string()])?;
    let folder = tempfile::tempdir()?;
    let app =
        crate::app(&exchange, false).store_file("main", folder.path().join("rates.db").display().to_string());
    let clock = ClockServer::new(format!("http://127.0.0.1:{}/clock", exchange.port()))?;
    let rehearsal = app
        .rehearse(RehearsalOptions::real(minutes, Some(Arc::new(clock))))
        .map_err(std::io::Error::other)?;
    let stats = exchange.stop()?;
    std::io::stdout().write_all(table(&rehearsal, &stats).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn table(rehearsal: &Rehearsal, stats: &Stats) -> String {
    let rows = [
        ("minutes", u64::from(rehearsal.minutes)),
        ("ticks", rehearsal.ticks),
        ("polls made", rehearsal.polls_made),
        ("  of them repeats", rehearsal.polls_same),
        ("  of them failed", rehearsal.polls_failed),
        ("events kept", rehearsal.events_kept),
        ("deliveries done", rehearsal.deliveries_done),
        ("  given back for a slot", rehearsal.deliveries_given_back),
        ("  failed", rehearsal.deliveries_failed),
        ("  left", rehearsal.deliveries_left),
        ("calls, as the exchange counts", stats.calls),
        ("calls at once at most", stats.at_once_max),
    ];
    let lines: Vec<String> = rows.iter().map(|(what, n)| format!("{what:<32}{n:>8}\n")).collect();
    lines.concat()
}

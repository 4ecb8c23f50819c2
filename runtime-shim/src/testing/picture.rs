//! Everything that a failed assertion shows: what was kept, what became of it, and which calls were made.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::world::TestApp;

/// The most lines of each kind; of more, the last are shown.
const LINES_MAX: usize = 30;

/// The most characters of a payload or an error.
const CHARS_MAX: usize = 300;

impl TestApp {
    /// Everything that was kept and called so far, as failed assertions show it.
    #[track_caller]
    pub fn picture(&mut self) -> String {
        let mut text = format!("\nat {}, {:?} after the beginning\n", self.now(), self.passed());
        part(&mut text, "events", &self.event_lines());
        part(&mut text, "deliveries", &self.delivery_lines());
        part(&mut text, "batch runs", &self.run_lines());
        part(&mut text, "errors of polls and schedules", &self.error_lines());
        part(&mut text, "calls", &self.call_lines());
        text
    }

    #[track_caller]
    fn event_lines(&mut self) -> Vec<String> {
        let shown = self.all_events().into_iter().map(|event| {
            let through = event.source.map(|source| format!(" through {source}")).unwrap_or_default();
            format!("{} {}{through} {}", event.at, event.name, short(&event.payload.to_string()))
        });
        shown.collect()
    }

    #[track_caller]
    fn delivery_lines(&mut self) -> Vec<String> {
        let shown = self.all_deliveries().into_iter().map(|delivery| {
            let due =
                if delivery.state == "pending" { format!(", due {}", delivery.due) } else { String::new() };
            let (event, attempts) = (&delivery.event.1, counted_attempts(delivery.attempts));
            let line = format!("{} of {event}: {}{due}, {attempts}", delivery.subscriber, delivery.state);
            with_error(line, delivery.error.as_deref())
        });
        shown.collect()
    }

    #[track_caller]
    fn run_lines(&mut self) -> Vec<String> {
        let shown = self.all_runs().into_iter().map(|run| {
            let line = format!("{}: {}, steps {}, skipped {}", run.batch, run.state, run.steps, run.skipped);
            with_error(line, run.error.as_deref())
        });
        shown.collect()
    }

    #[track_caller]
    fn error_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for store in self.stores().into_keys() {
            let polls = self.ask(&store, |store| store.poll_states());
            let polls = polls.into_iter().filter_map(|poll| Some((poll.name, poll.last_error?)));
            let schedules = self.ask(&store, |store| store.schedule_states());
            let schedules = schedules
                .into_iter()
                .filter_map(|schedule| Some((format!("schedule {}", schedule.name), schedule.last_error?)));
            lines.extend(polls.chain(schedules).map(|(name, error)| format!("{name}: {}", short(&error))));
        }
        lines
    }

    fn call_lines(&self) -> Vec<String> {
        let mut counts: BTreeMap<(bool, String), usize> = BTreeMap::new();
        for call in self.all_calls() {
            *counts.entry((call.scripted, call.shown())).or_default() += 1;
        }
        let shown = counts.into_iter().map(|((scripted, call), count)| {
            let answered = if scripted { "" } else { "  which the test has no answer for" };
            format!("{count} × {}{answered}", short(&call))
        });
        shown.collect()
    }
}

fn part(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        let _ = writeln!(text, "{title}: none");
        return;
    }
    let left_out = lines.len().saturating_sub(LINES_MAX);
    let shown =
        if left_out > 0 { format!(" (the last {LINES_MAX} of {})", lines.len()) } else { String::new() };
    let _ = writeln!(text, "{title}:{shown}");
    for line in &lines[left_out..] {
        let _ = writeln!(text, "  {line}");
    }
}

fn with_error(line: String, error: Option<&str>) -> String {
    match error {
        Some(error) => format!("{line}: {}", short(error)),
        None => line,
    }
}

fn counted_attempts(attempts: i64) -> String {
    if attempts == 1 { "1 attempt".to_owned() } else { format!("{attempts} attempts") }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

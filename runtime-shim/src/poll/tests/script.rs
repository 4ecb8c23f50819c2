//! The language of the scripts: one poll, a clock, a provider, and the row it leaves.
//!
//! - `every 5m`: the connection's interval from now on.
//! - `answer TEXT`, `answer 503`, `answer broken`: what the provider says from now on; `slow 90s` before it, and `etag TAG`
//!   with it.
//! - `tick 60s`: the clock moves, and a tick runs the poll to its end. `behind 4m` ticks by a clock that is so far behind.
//! - `begin 0s`: the same, but nobody waits for the call; `end 90s`: the clock moves while it goes on.
//! - `crash 0s`: a process claims the poll and dies.
//! - `sql …`: changes the row behind everybody's back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::host::Host;
use crate::poll::{self, PollEnd, PollTask};
use crate::sim::Reply;
use crate::store::ClaimPoll;
use crate::trial::{Instance, START_MS, Trial, fine};

/// Runs a script and compares each line with what it left.
#[track_caller]
pub fn check(script: &str) {
    let trial = Trial::new(|plan| {
        let operations = &mut plan.packages.get_mut("coinfeed").unwrap().operations;
        operations.get_mut("fetch_prices").unwrap().timeout_ms = 600_000;
    });
    let mut run = Run::new(&trial);
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    let shown = lines.map(|line| run.line(line)).collect::<Vec<_>>().join("\n");
    let wanted = script.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert!(shown == wanted, "\n--- this is what happened\n{shown}\n--- and not\n{wanted}");
}

struct Run<'a> {
    trial: &'a Trial,
    instance: Instance,
    task: PollTask,
    slow_ms: u64,
    etag: String,
    ends: Arc<Mutex<Vec<PollEnd>>>,
    digests: BTreeMap<String, char>,
}

impl Run<'_> {
    fn new(trial: &Trial) -> Run<'_> {
        let instance = trial.start(0, fine);
        let task = poll::tasks(&instance.engine.plan, &instance.engine.deployable).unwrap().remove(0);
        Run {
            trial,
            instance,
            task,
            slow_ms: 0,
            etag: String::new(),
            ends: Arc::default(),
            digests: BTreeMap::new(),
        }
    }

    fn line(&mut self, line: &str) -> String {
        let said = line.split("=>").next().unwrap().trim();
        let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
        let left = match word {
            "every" => {
                self.task.every_ms = ms(rest);
                return said.to_owned();
            }
            "answer" | "slow" | "etag" | "sql" => {
                self.set(word, rest);
                return said.to_owned();
            }
            "tick" => {
                self.trial.pass(ms(rest).unsigned_abs());
                self.tick(0)
            }
            "behind" => self.tick(ms(rest)),
            "begin" => {
                self.trial.pass(ms(rest).unsigned_abs());
                self.begin();
                "begun".to_owned()
            }
            "end" => {
                self.trial.pass(ms(rest).unsigned_abs());
                end_text(&self.ends.lock().unwrap().remove(0))
            }
            "crash" => {
                self.trial.pass(ms(rest).unsigned_abs());
                self.crash()
            }
            other => panic!("no such line: {other}"),
        };
        format!("{said} => {left}{}", self.row())
    }

    fn set(&mut self, word: &str, rest: &str) {
        if word == "slow" {
            self.slow_ms = ms(rest).unsigned_abs();
            return;
        }
        if word == "etag" {
            rest.clone_into(&mut self.etag);
            return;
        }
        if word == "sql" {
            self.trial.execute(rest);
            return;
        }
        let reply = match (rest, rest.parse::<u16>()) {
            ("broken", _) => Reply::broken("it broke"),
            (_, Ok(status)) => Reply::status(status),
            _ => Reply::json(rest),
        };
        let reply = reply.header("etag", &self.etag).after_ms(self.slow_ms);
        self.trial.script.set("/v1/prices", move |_, _| reply.clone());
    }

    fn tick(&mut self, behind_ms: i64) -> String {
        let tick_ms = self.now_ms() - behind_ms;
        let engine = self.instance.engine.clone();
        let connection = engine.connections["feed"].clone();
        let open = self.instance.open();
        let calls = self.trial.script.calls();
        let end = self.trial.sim.run(poll::run(&engine, &open, &connection, &self.task, tick_ms));
        assert_eq!(
            self.trial.script.calls() - calls,
            usize::from(end != PollEnd::NotDue),
            "one call a claim"
        );
        end_text(&end)
    }

    fn begin(&mut self) {
        let tick_ms = self.now_ms();
        let (engine, open, task) = (self.instance.engine.clone(), self.instance.open(), self.task.clone());
        let ends = self.ends.clone();
        self.instance.machine.spawn(Box::pin(async move {
            let connection = engine.connections["feed"].clone();
            let end = poll::run(&engine, &open, &connection, &task, tick_ms).await;
            ends.lock().unwrap().push(end);
        }));
        // A millisecond lets the claim reach the store and the call go out.
        self.trial.pass(1);
    }

    fn crash(&mut self) -> String {
        let claim = ClaimPoll {
            name: self.task.name.clone(),
            tick_ms: self.now_ms(),
            every_ms: self.task.every_ms,
            keep_ms: self.task.keep_ms,
        };
        let open = self.instance.open();
        let claimed = self.trial.sim.run(open.store.claim_poll(claim)).unwrap();
        if claimed.is_some() { "claimed".to_owned() } else { "not due".to_owned() }
    }

    fn now_ms(&self) -> i64 {
        START_MS + self.trial.now_ms()
    }

    /// The row, times since the start of the script, and how many events and deliveries there are.
    fn row(&mut self) -> String {
        let sql = format!(
            "SELECT (next_due_ms - {START_MS}) / 1000, every_ms / 1000, claim_no, digest, (changed_at_ms - {START_MS}) / 1000,
                    last_error ->> 'kind', (failed_at_ms - {START_MS}) / 1000,
                    (SELECT count(*) FROM jadpo_events), (SELECT count(*) FROM jadpo_deliveries) FROM jadpo_polls"
        );
        let rows = self.trial.rows(&sql);
        let Some(row) = rows.first() else { return " | no row".to_owned() };
        let cells: Vec<&str> = row.split(" | ").collect();
        let digest = match cells[3] {
            "-" => "-".to_owned(),
            digest => {
                let next = char::from(b'A' + u8::try_from(self.digests.len()).unwrap());
                self.digests.entry(digest.to_owned()).or_insert(next).to_string()
            }
        };
        let changed = if cells[4] == "-" { String::new() } else { format!(" changed {}s", cells[4]) };
        let failed = if cells[5] == "-" { String::new() } else { format!(" {} {}s", cells[5], cells[6]) };
        let every = if cells[1] == "-" { "-".to_owned() } else { format!("{}s", cells[1]) };
        assert_eq!(cells[7], cells[8], "one delivery for each event");
        format!(
            " | due {}s every {every} claim {} digest {digest}{changed}{failed} events {}",
            cells[0], cells[2], cells[7]
        )
    }
}

fn end_text(end: &PollEnd) -> String {
    match end {
        PollEnd::NotDue => "not due".to_owned(),
        PollEnd::Kept => "kept".to_owned(),
        PollEnd::Same => "same".to_owned(),
        PollEnd::Overtaken => "overtaken".to_owned(),
        PollEnd::Failed(error) => format!("failed: {}", error.text),
        PollEnd::Stopped => "stopped".to_owned(),
        PollEnd::StoreFailed => "store failed".to_owned(),
    }
}

/// `90s`, `5m`, `12h`, `40d`, `-3ms` in milliseconds.
fn ms(text: &str) -> i64 {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap();
    let number: i64 = text[..at].parse().unwrap();
    let unit = match &text[at..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        other => panic!("no unit: {other}"),
    };
    number * unit
}

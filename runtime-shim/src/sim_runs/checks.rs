//! What must hold at the end of a run, whatever happened in it.

use std::collections::BTreeMap;

use super::code::{REFUSED_STEP, STARTS_EVERY, STEPS};
use super::plan::KEEP_MS;
use super::scenario::Report;
use super::world::{Kept, Outcome, STORES, World, written};
use crate::limits;
use crate::store::{DeliveryCounts, RunCounts};

/// The most statements that an idle instance asks of both stores in a minute.
const IDLE_STATEMENTS_MAX: u64 = 40;

/// Purges after which all that ended is gone.
const PURGES_MAX: u64 = 4;

/// How long it is watched while it is idle, min.
const IDLE_MIN: u64 = 3;

/// By store, what bodies did and to what.
type Ledger = BTreeMap<String, BTreeMap<(String, String), u64>>;

/// Whether everything that was kept has ended.
pub async fn nothing_is_left(world: &World<'_>) -> bool {
    let (deliveries, runs, schedules) = counts(world).await;
    let kept = deliveries.pending + deliveries.claimed + runs.pending + runs.claimed + schedules;
    kept == 0 && world.waiting() == 0
}

/// What has not ended.
pub async fn left(world: &World<'_>) -> String {
    let (deliveries, runs, schedules) = counts(world).await;
    format!("{deliveries:?}, {runs:?}, {schedules} schedules run, {} transfers wait", world.waiting())
}

/// Lets what ended grow old, and checks that the next start lets go of all of it.
pub async fn purge(world: &mut World<'_>) {
    world.timers.sleep(KEEP_MS + 60_000).await;
    world.start();
    // A machine that could not yet read the stores' clock went by its own, which may have been ahead.
    for _ in 0..PURGES_MAX {
        world.timers.sleep(2 * 60_000).await;
        let (deliveries, runs, _) = counts(world).await;
        if (deliveries, runs) == (DeliveryCounts::default(), RunCounts::default()) {
            break;
        }
        world.timers.sleep(limits::PURGE_EVERY_MS.unsigned_abs()).await;
    }
    let (deliveries, runs, _) = counts(world).await;
    assert_eq!((deliveries, runs), (DeliveryCounts::default(), RunCounts::default()), "what is old is gone");
    let events = world.record.facts().events.len();
    let heard: u64 = ledger(world).await["desk"].values().sum();
    assert!(heard <= events as u64, "nothing is made again");
}

/// Checks everything.
pub async fn all(world: &mut World<'_>) -> Report {
    let idle = statements_while_idle(world).await;
    for one in &world.live {
        world.check_instance(one);
    }
    let (deliveries, runs, _) = counts(world).await;
    let ledger = ledger(world).await;
    let mut wrong = std::mem::take(&mut world.record.facts().wrong);
    let most = IDLE_STATEMENTS_MAX * IDLE_MIN * world.live.len() as u64;
    if idle > most {
        wrong.push(format!("{idle} statements in {IDLE_MIN} idle min, more than {most}"));
    }
    wrong.extend(lost_or_doubled(world, &ledger, deliveries));
    wrong.extend(polls(world));
    wrong.extend(schedules(world, &ledger));
    wrong.extend(batches(world, &ledger, runs));
    wrong.extend(money(world, &ledger));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let facts = world.record.facts();
    let (events, statements) = (facts.events.len(), facts.statements);
    drop(facts);
    Report { events, deliveries: deliveries.done, statements, trace: world.record.take_trace() }
}

async fn statements_while_idle(world: &World<'_>) -> u64 {
    let before = world.record.facts().statements;
    world.timers.sleep(IDLE_MIN * 60_000).await;
    world.record.facts().statements - before
}

/// Every event that was kept is heard by each of its subscribers, and what each wrote is kept once.
fn lost_or_doubled(world: &World<'_>, ledger: &Ledger, counts: DeliveryCounts) -> Vec<String> {
    let facts = world.record.facts();
    let mut wrong = Vec::new();
    let mut deliveries = 0;
    for event in &facts.events {
        for delivery in &event.deliveries {
            deliveries += 1;
            let store = match delivery.subscriber.as_str() {
                "watch" => continue,
                "hear_kept" => "desk",
                _ => "main",
            };
            let times = times(ledger, store, &delivery.subscriber, &event.payload);
            if times != 1 {
                let (name, payload) = (&event.name, &event.payload);
                wrong.push(format!("{name} {payload} is written {times} times by {}", delivery.subscriber));
            }
        }
    }
    if counts != (DeliveryCounts { done: deliveries, ..DeliveryCounts::default() }) {
        wrong.push(format!("of {deliveries} deliveries: {counts:?}"));
    }
    wrong
}

/// No change of the price is kept twice, none out of order, and no call is made without a claim.
fn polls(world: &World<'_>) -> Vec<String> {
    let facts = world.record.facts();
    let mut wrong = Vec::new();
    let prices = facts.events.iter().filter(|event| event.name == "coinfeed.PricesChanged");
    let prices: Vec<u64> = prices.filter_map(|event| price(&event.payload)).collect();
    wrong.extend(
        prices
            .windows(2)
            .filter(|two| two[0] >= two[1])
            .map(|two| format!("the price {} is kept after {}", two[1], two[0])),
    );
    // A call is at most two attempts.
    let asked = world.provider.prices_asked();
    if asked > 2 * facts.poll_claims {
        wrong.push(format!("{asked} requests for {} claims of the poll", facts.poll_claims));
    }
    wrong
}

/// Each run of a schedule ends once: its action is committed, or it is recorded failed.
fn schedules(world: &World<'_>, ledger: &Ledger) -> Vec<String> {
    let facts = world.record.facts();
    let mut wrong = Vec::new();
    if facts.runs_claimed != facts.runs_done + facts.runs_failed {
        let (claimed, done, failed) = (facts.runs_claimed, facts.runs_done, facts.runs_failed);
        wrong.push(format!("of {claimed} runs of the schedule {done} are done and {failed} failed"));
    }
    let written = times(ledger, "main", "sweep", "all");
    if written != facts.runs_done {
        wrong.push(format!("{} runs of the schedule are done, and {written} are written", facts.runs_done));
    }
    wrong
}

/// Each step of each run is written once.
fn batches(world: &World<'_>, ledger: &Ledger, counts: RunCounts) -> Vec<String> {
    let facts = world.record.facts();
    let mut wrong = Vec::new();
    for input in &facts.runs {
        for step in 0..STEPS {
            let times = times(ledger, "main", "step", &format!("{input} {step}"));
            if times != 1 {
                wrong.push(format!("step {step} of the run {input} is written {times} times"));
            }
        }
    }
    for step in 0..STEPS {
        let wanted = if step == REFUSED_STEP { 0 } else { facts.fills };
        let times = times(ledger, "main", "fill", &step.to_string());
        if times != wanted {
            wrong.push(format!("step {step} of {} backfills is written {times} times", facts.fills));
        }
    }
    let runs = facts.runs.len() as u64 + facts.fills;
    if counts != (RunCounts { done: runs, ..RunCounts::default() }) {
        wrong.push(format!("of {runs} runs: {counts:?}"));
    }
    wrong
}

/// Both sides of a transfer are kept or none, once; one that was answered is kept, one that was refused is not.
fn money(world: &World<'_>, ledger: &Ledger) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, outcome) in world.transfers().iter() {
        let kept = format!(r#"{{"btc":"{number}"}}"#);
        let sides = ["debit", "credit"].map(|side| times(ledger, "main", side, &kept));
        let wanted: &[u64] = match outcome {
            Outcome::Done => &[1],
            Outcome::Refused => &[0],
            Outcome::Unknown => &[0, 1],
        };
        let runs = world.record.facts().runs.iter().filter(|input| **input == kept).count() as u64;
        let starts = sides[0] * u64::from(number.is_multiple_of(STARTS_EVERY));
        if sides[0] != sides[1] || !wanted.contains(&sides[0]) || runs != starts {
            wrong.push(format!("transfer {number}, {outcome:?}: {sides:?} sides, {runs} runs"));
        }
    }
    wrong
}

async fn counts(world: &World<'_>) -> (DeliveryCounts, RunCounts, u64) {
    let (mut deliveries, mut runs, mut schedules) = (DeliveryCounts::default(), RunCounts::default(), 0);
    let one = world.live.first().expect("one is live");
    for store in one.stores.values() {
        let of = store.delivery_counts().await.expect("the store answers");
        deliveries.pending += of.pending;
        deliveries.claimed += of.claimed;
        deliveries.done += of.done;
        deliveries.failed += of.failed;
        deliveries.discarded += of.discarded;
        let of = store.run_counts().await.expect("the store answers");
        runs.pending += of.pending;
        runs.claimed += of.claimed;
        runs.done += of.done;
        runs.failed += of.failed;
        runs.discarded += of.discarded;
        let states = store.schedule_states().await.expect("the store answers");
        schedules += states.iter().filter(|state| state.running).count() as u64;
    }
    (deliveries, runs, schedules)
}

async fn ledger(world: &World<'_>) -> Ledger {
    let mut ledger = Ledger::new();
    for name in STORES {
        let lines = match &world.kept {
            Kept::Memory { stores, .. } => written(&stores[name]),
            Kept::Files { .. } => in_file(world, name).await,
        };
        let of_store = ledger.entry(name.to_owned()).or_default();
        for line in lines {
            *of_store.entry(line).or_default() += 1;
        }
    }
    ledger
}

async fn in_file(world: &World<'_>, store: &str) -> Vec<(String, String)> {
    let one = world.live.first().expect("one is live");
    let rows = one.stores[store].query("SELECT btc, eth FROM quotes".to_owned(), Vec::new()).await;
    let rows = rows.expect("the store answers").expect("the table is there");
    let text = |row: &crate::sql::Row, at: usize| row.get::<String>(at).expect("it is text");
    rows.iter().map(|row| (text(row, 0), text(row, 1))).collect()
}

/// Whether what a transfer emitted has committed in the store that is not its own.
pub async fn is_heard(world: &World<'_>, transfer: u64) -> bool {
    times(&ledger(world).await, "desk", "hear_kept", &format!(r#"{{"btc":"{transfer}"}}"#)) > 0
}

fn times(ledger: &Ledger, store: &str, what: &str, to: &str) -> u64 {
    ledger[store].get(&(what.to_owned(), to.to_owned())).copied().unwrap_or(0)
}

fn price(payload: &str) -> Option<u64> {
    let payload: serde_json::Value = serde_json::from_str(payload).ok()?;
    payload["btc"].as_str()?.parse().ok()
}

//! What must be true of the stores, and of what the provider counted, when all is done.

use std::collections::BTreeSet;

use super::gauge::{CAP, Gauge};
use super::kept::Kept;

/// What was promised from outside.
pub struct Promised<'a> {
    /// Transfers that clients were told are done.
    pub transfers: &'a [String],
    /// Whole minutes that passed on the processes' clock.
    pub minutes: u64,
}

/// How much of each kind was kept.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    pub events: u64,
    pub deliveries: u64,
    /// Deliveries that took more than one attempt.
    pub repeated: u64,
    pub polls: u64,
    pub runs: u64,
    /// Transfers that backfills have marked.
    pub marked: u64,
}

/// Queries over a store whose answer is 0: each counts one kind of what is lost or done twice.
const NONE: &[(&str, &str, &str)] = &[
    ("lost", "main", "SELECT count(*) FROM jadpo_deliveries WHERE state IN ('pending', 'claimed')"),
    // No handler fails here, and a process that is killed costs an attempt of far fewer than all.
    ("failed", "main", "SELECT count(*) FROM jadpo_deliveries WHERE state = 'failed'"),
    (
        "lost",
        "main",
        "SELECT count(*) FROM jadpo_events WHERE (SELECT count(*) FROM jadpo_deliveries WHERE event_id = jadpo_events.id)
            <> CASE WHEN name LIKE '%Moved' THEN 2 ELSE 1 END",
    ),
    (
        "doubled",
        "main",
        "SELECT count(*) FROM (SELECT 1 FROM jadpo_events GROUP BY name, payload HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "main",
        "SELECT count(*) FROM (SELECT 1 FROM booked GROUP BY transfer HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "side",
        "SELECT count(*) FROM (SELECT 1 FROM mirrored GROUP BY transfer HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "main",
        "SELECT count(*) FROM (SELECT 1 FROM levels GROUP BY what, number HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "side",
        "SELECT count(*) FROM (SELECT 1 FROM filed GROUP BY what, number HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "main",
        "SELECT count(*) FROM (SELECT 1 FROM counts GROUP BY run, number HAVING count(*) > 1) doubled",
    ),
    (
        "doubled",
        "main",
        "SELECT count(*) FROM (SELECT 1 FROM marks GROUP BY transfer HAVING count(*) > 1) doubled",
    ),
    ("marked against the rule", "main", "SELECT count(*) FROM marks WHERE mark = 0"),
    (
        "marked otherwise than told",
        "main",
        "SELECT count(*) FROM marks JOIN transfers ON transfers.id = marks.transfer WHERE marks.mark IS DISTINCT FROM transfers.mark",
    ),
    ("failed", "main", "SELECT count(*) FROM jadpo_batch_runs WHERE state = 'failed'"),
    (
        "lost",
        "main",
        "SELECT count(*) FROM accounts WHERE cents <>
            (SELECT COALESCE(sum(cents), 0) FROM transfers WHERE credit = accounts.id)
            - (SELECT COALESCE(sum(cents), 0) FROM transfers WHERE debit = accounts.id)",
    ),
];

/// A store, and a query over it that gives a number.
type Number = (&'static str, &'static str);

/// Pairs of numbers that are the same.
const SAME: &[(&str, Number, Number)] = &[
    (
        "each transfer and its event",
        ("main", "SELECT count(*) FROM transfers"),
        ("main", "SELECT count(*) FROM jadpo_events WHERE name LIKE '%Moved'"),
    ),
    (
        "what was heard of transfers in their own store",
        ("main", "SELECT count(*) FROM booked"),
        ("main", "SELECT count(*) FROM jadpo_deliveries WHERE subscriber = 'book' AND state = 'done'"),
    ),
    (
        "what was heard of transfers in the other store",
        ("side", "SELECT count(*) FROM mirrored"),
        ("main", "SELECT count(*) FROM jadpo_deliveries WHERE subscriber = 'mirror' AND state = 'done'"),
    ),
    (
        "what was heard of levels",
        ("main", "SELECT count(*) FROM levels"),
        ("main", "SELECT count(*) FROM jadpo_deliveries WHERE subscriber = 'keep_level' AND state = 'done'"),
    ),
    (
        "what was emitted by those who heard",
        ("main", "SELECT count(*) FROM levels"),
        ("main", "SELECT count(*) FROM jadpo_events WHERE name LIKE '%Explained'"),
    ),
    (
        "what was heard of that in the other store",
        ("side", "SELECT count(*) FROM filed"),
        ("main", "SELECT count(*) FROM jadpo_deliveries WHERE subscriber = 'file' AND state = 'done'"),
    ),
    (
        "runs to the end",
        ("main", "SELECT count(*) FROM counts WHERE number = 50"),
        ("main", "SELECT count(*) FROM jadpo_batch_runs WHERE batch = 'count_up' AND state = 'done'"),
    ),
    (
        "what a run marked, and what it told of that",
        ("main", "SELECT count(*) FROM transfers WHERE mark IS NOT NULL"),
        ("main", "SELECT count(*) FROM marks"),
    ),
    (
        "steps of runs to the end",
        (
            "main",
            "SELECT count(*) FROM counts c WHERE EXISTS (SELECT 1 FROM counts e WHERE e.run = c.run AND e.number = 50)",
        ),
        ("main", "SELECT 50 * count(*) FROM jadpo_batch_runs WHERE batch = 'count_up' AND state = 'done'"),
    ),
];

/// Everything at once, so that one run tells all that is wrong with it.
pub fn check(kept: &Kept<'_>, gauge: &Gauge, promised: &Promised<'_>) -> Result<Kinds, String> {
    let mut wrong = Vec::new();
    for (what, store, sql) in NONE {
        let count = kept.count(store, sql);
        if count > 0 {
            wrong.push(format!("{what}, {count}: {sql}"));
        }
    }
    for (what, one, other) in SAME {
        let (count, of) = (kept.count(one.0, one.1), kept.count(other.0, other.1));
        if count != of {
            wrong.push(format!("{what}: {count}, not {of}"));
        }
    }
    let kept_ids: BTreeSet<String> = kept.rows("main", "SELECT id FROM transfers").into_iter().collect();
    let broken: Vec<&String> = promised.transfers.iter().filter(|id| !kept_ids.contains(*id)).collect();
    if !broken.is_empty() {
        wrong.push(format!("transfers that were promised and are gone: {broken:?}"));
    }
    if !kept.is_whole() {
        wrong.push("a file is broken".to_owned());
    }
    let polls = check_calls(kept, gauge, promised, &mut wrong);
    if wrong.is_empty() { Ok(kinds(kept, polls)) } else { Err(wrong.join("\n")) }
}

/// What the provider counted; how often polls were claimed.
fn check_calls(kept: &Kept<'_>, gauge: &Gauge, promised: &Promised<'_>, wrong: &mut Vec<String>) -> u64 {
    if gauge.most_at_once() > CAP {
        wrong.push(format!("{} attempts at once of one process", gauge.most_at_once()));
    }
    let mut all = 0;
    for (poll, every_minutes) in [("level", 1), ("tide", 2)] {
        let claims =
            kept.count("main", &format!("SELECT claim_no FROM jadpo_polls WHERE name = 'poll feed.{poll}'"));
        let attempts = gauge.attempts(poll);
        // Its answers are good, so a claim has no second attempt; one that was killed may have none at all.
        if attempts > claims {
            wrong.push(format!("{poll} was asked for {attempts} times, and claimed {claims}"));
        }
        // The first tick is for the minute before.
        if claims > promised.minutes / every_minutes + 2 {
            wrong.push(format!("{poll} was claimed {claims} times in {} minutes", promised.minutes));
        }
        all += claims;
    }
    let runs = kept.count("main", "SELECT count(*) FROM jadpo_batch_runs WHERE batch = 'count_up'");
    if runs > promised.minutes + 1 {
        wrong.push(format!("the schedule ran {runs} times in {} minutes", promised.minutes));
    }
    all
}

fn kinds(kept: &Kept<'_>, polls: u64) -> Kinds {
    let main = |sql| kept.count("main", sql);
    Kinds {
        events: main("SELECT count(*) FROM jadpo_events"),
        deliveries: main("SELECT count(*) FROM jadpo_deliveries"),
        repeated: main("SELECT count(*) FROM jadpo_deliveries WHERE attempts > 1"),
        polls,
        runs: main("SELECT count(*) FROM jadpo_batch_runs WHERE state = 'done'"),
        marked: main("SELECT count(*) FROM marks"),
    }
}

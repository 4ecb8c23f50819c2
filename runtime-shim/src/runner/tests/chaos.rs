//! Machines that are lost at any moment: no committed event loses a delivery, and no change is kept twice.

use super::{Value, states};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::Host;
use crate::sim::Reply;
use crate::trial::{Trial, fine};

const SECOND_MS: u64 = 1_000;

/// Takes a while, fails or panics now and then, and writes what came.
fn unsteady<'a>(_: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        let fate = cx.host.random();
        cx.host.sleep(fate % 20_000).await;
        match fate % 11 {
            0 => return Err(Failure::new("unlucky")),
            1 => panic!("very unlucky"),
            _ => {}
        }
        cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (event.payload.as_str(),));
        Ok(())
    })
}

/// A provider whose price changes every few minutes, that is slow and fails now and then.
fn provider(trial: &Trial) {
    trial.script.set("/v1/prices", |_, call| match call % 9 {
        4 => Reply::status(503),
        7 => Reply::json(r#"{"btc":"x"}"#),
        _ => Reply::json(&format!(r#"{{"btc":{},"eth":2}}"#, call / 3))
            .after_ms(u64::try_from(call).unwrap() % 4_000),
    });
}

/// Runs a seed, and gives all that it left: when the provider was called, and every row.
fn run(seed: u64) -> Vec<String> {
    let trial = Trial::seeded(seed, |plan| {
        plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = 60_000;
        let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
        subscriber.within_ms = 24 * 3_600_000;
        subscriber.retry.attempts = 50;
        subscriber.retry.max_ms = 30_000;
    });
    provider(&trial);
    let chance = trial.start(99, fine);
    let mut running = vec![trial.serve(1, unsteady), trial.serve(2, unsteady)];
    for machine in 3..30 {
        trial.pass(chance.machine.random() % (90 * SECOND_MS));
        let at = usize::try_from(chance.machine.random()).unwrap_or(0) % running.len();
        let lost = running.remove(at);
        if chance.machine.random().is_multiple_of(3) {
            lost.stop(&trial);
        } else {
            lost.crash();
        }
        running.push(trial.serve(machine, unsteady));
    }
    trial.script.set("/v1/prices", |_, _| Reply::status(503));
    trial.pass(1_200 * SECOND_MS);
    let events: usize = trial.rows("SELECT count(*) FROM jadpo_events")[0].parse().unwrap();
    assert!(events >= 5, "seed {seed}: {events} events");
    assert_eq!(states(&trial), format!("done {events}"), "seed {seed}");
    let written = trial.rows("SELECT count(*) FROM quotes");
    assert_eq!(written, [events.to_string()], "seed {seed}: the fence kept each delivery's writes once");
    let repeated =
        "SELECT count(*) FROM (SELECT payload, lag(payload) OVER (ORDER BY id) AS before FROM jadpo_events)
                    WHERE payload = before";
    assert_eq!(trial.rows(repeated), ["0"], "seed {seed}: one change is kept once");
    let mut left: Vec<String> = trial.script.sent().iter().map(|sent| sent.at_ms.to_string()).collect();
    for table in ["jadpo_polls", "jadpo_events", "jadpo_deliveries", "jadpo_instances", "quotes"] {
        left.extend(trial.rows(&format!("SELECT * FROM {table}")));
    }
    left
}

#[test]
fn nothing_is_lost_and_nothing_is_kept_twice() {
    for seed in 0..24 {
        run(seed);
    }
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in [3, 11] {
        let (first, second) = (run(seed), run(seed));
        let differs = first.iter().zip(&second).find(|(first, second)| first != second);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.len(), second.len(), "seed {seed}");
    }
}

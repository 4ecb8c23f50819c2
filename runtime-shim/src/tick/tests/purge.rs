//! What ends a purge before nothing is left to look at.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::join;

use super::super::purge;
use crate::app::App;
use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse, SharedHost};
use crate::limits::PURGE_STEP_EVENTS_MAX;
use crate::start::{Surroundings, start};
use crate::trial::{Bodies, Trial, fine};

/// What is kept in steps' worth of events, each of which was done long ago.
fn keep(trial: &Trial, steps: u32) {
    trial.execute(&format!(
        "BEGIN;
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})
         INSERT INTO jadpo_events (name, source, occurred_at_ms, payload, created_at_ms)
         SELECT 'coinfeed.PricesChanged', 'feed', 0, '{{}}', 0 FROM n;
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms, finished_at_ms)
         SELECT id, 'update_quotes', 'done', 1, 0, 1, 1 FROM jadpo_events;
         COMMIT",
        steps * PURGE_STEP_EVENTS_MAX
    ));
}

fn left(trial: &Trial) -> u32 {
    trial.rows("SELECT count(*) FROM jadpo_events")[0].parse::<u32>().unwrap() / PURGE_STEP_EVENTS_MAX
}

#[test]
fn a_stop_ends_it_after_the_step_that_is_under_way() {
    let trial = Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear());
    let instance = trial.start(1, fine);
    keep(&trial, 10);
    let (engine, open) = (&instance.engine, instance.open());
    trial.sim.run(join(purge::run(engine, &open), async { engine.stop.ask() }));
    assert_eq!((left(&trial), trial.now_ms()), (9, 0));
    let _next = trial.serve(2, fine);
    trial.pass(1);
    assert_eq!(left(&trial), 0, "the next one goes on");
}

#[test]
fn its_budget_ends_it_and_what_is_kept_back_of_that_is_not_used() {
    let trial = Trial::new(|_| {});
    drop(trial.start(1, fine));
    keep(&trial, 12);
    let json = serde_json::to_string(&trial.plan).unwrap();
    let app = App::new(&json, "server", Bodies(fine)).store_file("main", trial.file());
    let host = Arc::new(Slow { inner: trial.sim.host(2), looks: AtomicU64::new(0) });
    let surroundings = Surroundings { budget_ms: 10_000, ..Surroundings::in_order(host) };
    let ready = start(app, &surroundings).unwrap();
    trial.sim.run(purge::run(&ready.engine, &ready.engine.stores["main"]));
    // A second is kept back, and once no more than that is left, no step begins.
    assert_eq!(left(&trial), 12 - 8);
}

/// A host on which a second passes with each look at its clock.
struct Slow {
    inner: SharedHost,
    looks: AtomicU64,
}

impl Host for Slow {
    fn wall_ms(&self) -> i64 {
        self.inner.wall_ms()
    }

    fn monotonic_us(&self) -> u64 {
        self.looks.fetch_add(1, Ordering::Relaxed) * 1_000_000
    }

    fn boot_ms(&self) -> u64 {
        self.inner.boot_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.inner.sleep(ms)
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }

    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        self.inner.http(request)
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.inner.spawn(task);
    }
}

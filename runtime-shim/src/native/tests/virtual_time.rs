//! Virtual time over a real network: the clock stands for real answers, and moves for those that wait for it.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex};

use futures_util::future::{Either, join_all, select};
use serde_json::json;

use super::get;
use super::server::{Server, answer};
use crate::host::Host;
use crate::sim::{ClockServer, REQUEST_HEADER, RealNetwork, Sim};

const START_MS: i64 = 1_800_000_000_000;

/// The provider's own clock, and what waits for it.
#[derive(Default)]
struct Clock {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    now_ms: i64,
    /// By the request's number: when it is due.
    waiting: BTreeMap<u64, i64>,
}

impl Clock {
    /// Moves it, and tells its state as JSON.
    fn advance(&self, now_ms: i64) -> String {
        let mut state = self.state.lock().unwrap();
        state.now_ms = now_ms;
        state.waiting.retain(|_, due_ms| *due_ms > now_ms);
        self.changed.notify_all();
        let held =
            state.waiting.iter().map(|(request, due_ms)| json!({ "request": request, "due_ms": due_ms }));
        json!({ "held": held.collect::<Vec<_>>() }).to_string()
    }

    /// Has a request wait for a later time. Whether its caller has gone it never notices.
    fn wait(&self, number: u64, ms: i64) {
        let mut state = self.state.lock().unwrap();
        let due_ms = state.now_ms + ms;
        state.waiting.insert(number, due_ms);
        drop(self.changed.wait_while(state, |state| state.waiting.contains_key(&number)));
    }
}

/// A provider that answers `/MS` after so many virtual milliseconds, and a world around it.
fn world() -> (Server, Sim) {
    let clock = Arc::new(Clock::default());
    let server = Server::start(move |request, stream| {
        if request.line.starts_with("POST /clock") {
            let now_ms = request.body.trim_matches(|char: char| !char.is_ascii_digit()).parse().unwrap();
            return stream.write_all(&answer("200 OK", "", clock.advance(now_ms).as_bytes())).is_ok();
        }
        let ms: i64 = request.line.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
        if ms > 0 {
            clock.wait(request.header(REQUEST_HEADER).unwrap().parse().unwrap(), ms);
        }
        stream.write_all(&answer("200 OK", "", b"{}")).is_ok()
    });
    let provider = Arc::new(ClockServer::new(server.url("/clock")).unwrap());
    let sim = Sim::with_network(1, START_MS, |outside| {
        Arc::new(RealNetwork::new(Some(provider), outside.clone()).unwrap())
    });
    (server, sim)
}

#[test]
fn an_answer_that_is_only_under_way_takes_no_virtual_time() {
    let (server, sim) = world();
    let host = sim.host(0);
    sim.run(async {
        for _ in 0..20 {
            host.http(get(&server.url("/0"))).await.unwrap();
        }
    });
    assert_eq!(sim.timers().wall_ms(), START_MS);
}

#[test]
fn slow_answers_take_their_virtual_time_beside_each_other() {
    let (server, sim) = world();
    let host = sim.host(0);
    let calls = [3_000, 60_000, 500, 0, 3_000].map(|ms| {
        let (request, timers) = (host.http(get(&server.url(&format!("/{ms}")))), sim.timers());
        async move {
            request.await.unwrap();
            timers.wall_ms() - START_MS
        }
    });
    // A timer of the world's own stops the clock on its way.
    let answered = sim.run(async {
        host.sleep(1).await;
        join_all(calls).await
    });
    assert_eq!(answered, [3_001, 60_001, 501, 1, 3_001]);
}

#[test]
fn a_request_that_was_given_up_does_not_let_the_clock_run_past_the_next() {
    let (server, sim) = world();
    let host = sim.host(0);
    for _ in 0..10 {
        let before_ms = sim.timers().wall_ms();
        sim.run(async {
            let outcome = select(host.http(get(&server.url("/90000"))), host.sleep(10_000)).await;
            assert!(matches!(outcome, Either::Right(_)));
            drop(outcome);
            let answered = select(host.http(get(&server.url("/2000"))), host.sleep(10_000)).await;
            assert!(matches!(answered, Either::Left((Ok(_), _))));
        });
        assert_eq!(sim.timers().wall_ms() - before_ms, 12_000);
    }
}

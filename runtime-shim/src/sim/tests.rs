//! The virtual world itself: order, time, chance, and what real work does to them.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

use std::future::poll_fn;
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;

use futures_util::future::{Either, join_all, select};

use super::{Reply, Script, Sim};
use crate::host::{Host, HttpError, HttpRequest};

const START_MS: i64 = 1_800_000_000_000;

fn sim(script: &Script) -> Sim {
    Sim::new(1, START_MS, Arc::new(script.clone()))
}

fn get(url: &str) -> HttpRequest {
    HttpRequest {
        method: "GET".to_owned(),
        url: url.to_owned(),
        headers: Vec::new(),
        body: None,
        max_response_bytes: 10,
        read_body: true,
    }
}

#[test]
fn time_moves_to_what_waits_and_in_its_order() {
    let sim = sim(&Script::new());
    let host = sim.host(0);
    let log = Arc::new(Mutex::new(Vec::new()));
    for (name, ms) in [("c", 86_400_000), ("a", 5), ("b", 5)] {
        let (log, timers, sleep) = (Arc::clone(&log), sim.timers(), host.sleep(ms));
        host.spawn(Box::pin(async move {
            sleep.await;
            log.lock().unwrap().push((name, timers.wall_ms() - START_MS));
        }));
    }
    sim.run(host.sleep(86_400_001));
    assert_eq!(*log.lock().unwrap(), [("a", 5), ("b", 5), ("c", 86_400_000)]);
}

#[test]
fn a_dropped_sleep_does_not_move_the_clock() {
    let sim = sim(&Script::new());
    let host = sim.host(0);
    sim.run(async {
        let Either::Left(_) = select(host.sleep(10), host.sleep(1_000_000)).await else {
            panic!("the longer won")
        };
        host.sleep(1).await;
    });
    assert_eq!(sim.timers().wall_ms(), START_MS + 11);
}

#[test]
fn whoever_holds_a_waker_of_a_run_that_has_ended_wakes_nothing() {
    let sim = sim(&Script::new());
    let waker = sim.run(poll_fn(|context| Poll::Ready(context.waker().clone())));
    sim.run(async {
        waker.wake_by_ref();
        sim.calm_at(START_MS).await;
    });
}

#[test]
fn tasks_outlive_the_run_that_spawned_them() {
    let sim = sim(&Script::new());
    let host = sim.host(0);
    let (sender, receiver) = mpsc::channel();
    let sleep = host.sleep(10);
    host.spawn(Box::pin(async move {
        sleep.await;
        sender.send(()).unwrap();
    }));
    sim.run(host.sleep(9));
    assert!(receiver.try_recv().is_err());
    sim.run(host.sleep(2));
    assert!(receiver.try_recv().is_ok());
}

#[test]
fn hosts_shift_their_own_clocks_and_have_chance_of_their_own() {
    let sim = sim(&Script::new());
    let (one, two) = (sim.host(1), sim.host(2));
    one.step_wall(-240_000);
    two.has_slept(60_000);
    sim.run(one.sleep(5));
    assert_eq!((one.wall_ms(), one.monotonic_us(), one.boot_ms()), (START_MS + 5 - 240_000, 5_000, 5));
    assert_eq!((two.wall_ms(), two.monotonic_us(), two.boot_ms()), (START_MS + 5 + 60_000, 5_000, 60_005));
    assert_ne!(one.random(), two.random());
    let again = Sim::new(1, START_MS, Arc::new(Script::new())).host(1);
    let first = sim.host(1);
    assert_eq!([first.random(), first.random()], [again.random(), again.random()]);
    assert_ne!(Sim::new(2, START_MS, Arc::new(Script::new())).host(1).random(), sim.host(1).random());
}

#[test]
fn the_clock_stands_while_real_work_is_under_way() {
    let sim = sim(&Script::new());
    let host = sim.host(0);
    let seen = sim.run(async {
        let outside = sim.outside();
        let timers = sim.timers();
        let event = Arc::new(event_listener::Event::new());
        let (go, gone) = mpsc::channel::<()>();
        let done = event.listen();
        let (guard, told) = (outside.begin(), Arc::clone(&event));
        std::thread::spawn(move || {
            gone.recv().unwrap();
            told.notify(usize::MAX);
            drop(guard);
        });
        let sleep = host.sleep(1_000);
        go.send(()).unwrap();
        done.await;
        let when_done = timers.wall_ms();
        sleep.await;
        (when_done, timers.wall_ms())
    });
    assert_eq!(seen, (START_MS, START_MS + 1_000));
}

#[test]
#[should_panic(expected = "no timer is set")]
fn a_run_that_cannot_go_on_says_so() {
    sim(&Script::new()).run(std::future::pending::<()>());
}

#[test]
#[should_panic(expected = "told")]
fn a_panic_in_a_task_ends_the_run() {
    let sim = sim(&Script::new());
    let host = sim.host(0);
    host.spawn(Box::pin(async { panic!("told") }));
    sim.run(host.sleep(1));
}

#[test]
fn a_script_answers_in_turn_and_counts() {
    let script = Script::new()
        .on("GET https://a.test/x", vec![Reply::json("1").after_ms(5), Reply::json("12345678901")])
        .on("https://a.test/", vec![Reply::broken("reset")]);
    let sim = sim(&script);
    let host = sim.host(0);
    let answers =
        sim.run(join_all(["x", "x", "y"].map(|path| host.http(get(&format!("https://a.test/{path}"))))));
    assert_eq!(answers[0].as_ref().unwrap().body, b"1");
    assert_eq!(answers[1], Err(HttpError::TooLarge));
    assert_eq!(answers[2], Err(HttpError::Transport("reset".to_owned())));
    assert_eq!((script.calls(), script.at_once(), script.at_once_max()), (3, 0, 2));
    script.set("GET https://a.test/x", |request, number| Reply::json(&format!("{number}{}", request.method)));
    assert_eq!(sim.run(host.http(get("https://a.test/x"))).unwrap().body, b"0GET");
    assert!(sim.run(host.http(get("https://b.test/"))).is_err());
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let trace = |seed| {
        let script = Script::new().make("", |_, number| Reply::json("1").after_ms(number as u64 % 7));
        let sim = Sim::new(seed, START_MS, Arc::new(script.clone()));
        let host = sim.host(0);
        sim.run(async {
            for _ in 0..50 {
                let waits: Vec<u64> = (0..4).map(|_| host.random() % 100).collect();
                let host = &host;
                join_all(waits.into_iter().map(|ms| async move {
                    host.sleep(ms).await;
                    host.http(get(&format!("https://a.test/{ms}"))).await.unwrap();
                }))
                .await;
            }
        });
        script.sent().into_iter().map(|sent| (sent.at_ms, sent.request.url)).collect::<Vec<_>>()
    };
    assert_eq!(trace(3), trace(3));
    assert_ne!(trace(3), trace(4));
}

//! A slot taken and given back, beside a permit of tokio's `Semaphore`: alone, and by 64 tasks over 8 of them. Turn by turn;
//! that slots are given out in the order in which they were asked for is asserted before.
//!
//! `cargo bench -p jadpo-tests --bench slots`.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jadpo_runtime::call::{Owner, Slots};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

/// Rounds, of which the median counts.
const ROUNDS: usize = 31;

/// Slots taken in a round by one who is alone.
const ALONE: u32 = 400_000;

/// Who take slots at once, how many of these there are, and how often each takes one in a round.
const TASKS: u32 = 64;
const CAP: u64 = 8;
const EACH: u32 = 1_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("threads");
    runtime.block_on(in_order());
    let rows = [
        ("alone", compared(|| alone_slots(&runtime), || alone_permits(&runtime))),
        ("64 tasks over 8", compared(|| shared_slots(&runtime), || shared_permits(&runtime))),
    ];
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<18} {:>10} {:>10} {:>7}", "what", "slots", "Semaphore", "ratio").expect("it is open");
    for (what, [own, peer, ratio]) in rows {
        writeln!(out, "{what:<18} {own:>7.1} ns {peer:>7.1} ns {ratio:>7.2}").expect("it is open");
    }
}

/// Holds slots to their order: each of many waiters is served as it came.
async fn in_order() {
    let slots = Slots::new(Some(1));
    let served: Arc<Mutex<Vec<u32>>> = Arc::default();
    let first = slots.take(None).await;
    let mut tasks = Vec::new();
    for number in 0..TASKS {
        let (waits, served) = (slots.clone(), served.clone());
        tasks.push(tokio::spawn(async move {
            let slot = waits.take(None).await;
            served.lock().expect("nobody panics").push(number);
            drop(slot);
        }));
        while slots.facts().waiting <= u64::from(number) {
            tokio::task::yield_now().await;
        }
    }
    drop(first);
    for task in tasks {
        task.await.expect("nobody panics");
    }
    assert_eq!(*served.lock().expect("nobody panics"), (0..TASKS).collect::<Vec<_>>());
}

/// The medians of both, ns, and of their ratio round by round.
fn compared(own: impl Fn() -> f64, peer: impl Fn() -> f64) -> [f64; 3] {
    let mut rows = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        // Who begins changes, so that what else the machine does falls on both.
        let (own, peer) = if round % 2 == 0 {
            let own = own();
            (own, peer())
        } else {
            let peer = peer();
            (own(), peer)
        };
        // The first is a warm-up.
        if round > 0 {
            rows[0].push(own);
            rows[1].push(peer);
            rows[2].push(own / peer);
        }
    }
    rows.map(|mut values| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    })
}

fn alone_slots(runtime: &Runtime) -> f64 {
    let (slots, owner) = (Slots::new(Some(CAP)), Owner::unique());
    let begun = Instant::now();
    runtime.block_on(async {
        for _ in 0..ALONE {
            drop(slots.take(Some(owner)).await);
        }
    });
    each(begun.elapsed(), ALONE)
}

fn alone_permits(runtime: &Runtime) -> f64 {
    let semaphore = Arc::new(Semaphore::new(8));
    let begun = Instant::now();
    runtime.block_on(async {
        for _ in 0..ALONE {
            // A slot can be taken along, and so can an owned permit.
            drop(semaphore.clone().acquire_owned().await);
        }
    });
    each(begun.elapsed(), ALONE)
}

fn shared_slots(runtime: &Runtime) -> f64 {
    let slots = Slots::new(Some(CAP));
    let take = move || {
        let slots = slots.clone();
        async move {
            let owner = Owner::unique();
            for _ in 0..EACH {
                let slot = slots.take(Some(owner)).await;
                tokio::task::yield_now().await;
                drop(slot);
            }
        }
    };
    together(runtime, take)
}

fn shared_permits(runtime: &Runtime) -> f64 {
    let semaphore = Arc::new(Semaphore::new(8));
    let take = move || {
        let semaphore = semaphore.clone();
        async move {
            for _ in 0..EACH {
                let permit = semaphore.clone().acquire_owned().await.expect("nobody closes it");
                tokio::task::yield_now().await;
                drop(permit);
            }
        }
    };
    together(runtime, take)
}

fn together<F: Future<Output = ()> + Send + 'static>(runtime: &Runtime, task: impl Fn() -> F) -> f64 {
    let begun = Instant::now();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..TASKS).map(|_| tokio::spawn(task())).collect();
        for task in tasks {
            task.await.expect("nobody panics");
        }
    });
    each(begun.elapsed(), TASKS * EACH)
}

/// The time of one of so many, ns.
fn each(time: Duration, count: u32) -> f64 {
    time.as_secs_f64() * 1e9 / f64::from(count)
}

//! How soon a committed event's handler is entered: in the process that committed it, and in another one over the same
//! database; one at a time, at a thousand a second, and at half the rate at which a backlog is worked off.

use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jadpo_runtime::Delivered;
use jadpo_runtime::action::{self, ActionEnd, Ask};
use jadpo_runtime::engine::Engine;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::Ready;
use jadpo_runtime::store::Fence;
use tokio::sync::Notify;

use super::board::{self, Hands};
use super::cluster::Cluster;
use super::database::{execute, fresh, number};
use super::{BATCHED, Work};

/// Workers of the program that delivers.
const WORKERS: u32 = 256;

/// How long events are emitted at a pace.
const PACED: Duration = Duration::from_secs(10);

/// Events that come alone, and how far they are apart.
const ALONE: Pace = Pace { events: 200, each: 1, apart: Duration::from_millis(20) };

/// How events come.
#[derive(Clone, Copy)]
struct Pace {
    events: u32,
    /// Events of one commit.
    each: u32,
    /// From one commit to the next.
    apart: Duration,
}

/// Notes when each event was committed, and when its handler was entered, in microseconds since the start.
struct Noted {
    begun: Instant,
    committed: Vec<AtomicU64>,
    entered: Vec<AtomicU64>,
    left: AtomicU32,
    end: Notify,
}

/// Times by which half and 99 of 100 were over, and the longest, ms.
struct Spread(Vec<u64>);

/// Measures each kind of wake, round by round.
pub fn measure(out: &mut impl Write, cluster: &Cluster, rounds: u32) {
    let plan = board::plan(WORKERS);
    for round in 1..=rounds {
        let work = Work { due: 50_000, ..BATCHED };
        let half = board::burn_down(&fresh(cluster, "board"), work) / 2.0;
        for pace in [ALONE, Pace::of(1_000.0), Pace::of(half)] {
            for across in [false, true] {
                let noted = run(&fresh(cluster, "board"), &plan, pace, across);
                let (place, rate) = (if across { "across instances" } else { "in process" }, pace.rate());
                writeln!(out, "{round}: wake-up {place}, {rate:.0} events/s: {}", noted.spread())
                    .expect("standard output is open");
            }
        }
    }
}

fn run(url: &str, plan: &str, pace: Pace, across: bool) -> Arc<Noted> {
    let executor = board::executor();
    let noted = Arc::new(Noted::new(pace));
    let server = board::ready(&executor, plan, "server", url, &noted);
    let front = across.then(|| board::ready(&executor, plan, "front", url, &noted));
    execute(url, "VACUUM (ANALYZE)");
    let engine = front.as_ref().map_or(&server.engine, |front| &front.engine).clone();
    let engines: Vec<Arc<Engine>> =
        [Some(&server), front.as_ref()].into_iter().flatten().map(|ready| ready.engine.clone()).collect();
    executor.block_on(async {
        let served: Vec<_> = [Some(server), front]
            .into_iter()
            .flatten()
            .map(|ready: Ready| tokio::spawn(serve(ready)))
            .collect();
        emit(&engine, &noted, pace).await;
        noted.end.notified().await;
        for engine in &engines {
            engine.stop.ask();
        }
        for one in served {
            assert_eq!(one.await.expect("it ends").dropped, 0);
        }
    });
    let done = number(url, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done' AND attempts = 1");
    assert_eq!(done, i64::from(pace.events), "each is done");
    noted
}

/// Commits events at a pace, whatever becomes of those before.
async fn emit(engine: &Arc<Engine>, noted: &Arc<Noted>, pace: Pace) {
    // The first looks of a program that has just started are not what is measured.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let begun = tokio::time::Instant::now();
    for (at, first) in (0..pace.events).step_by(pace.each as usize).enumerate() {
        tokio::time::sleep_until(begun + pace.apart * u32::try_from(at).expect("it fits")).await;
        let (engine, noted) = (engine.clone(), noted.clone());
        let count = pace.each.min(pace.events - first);
        tokio::spawn(async move {
            let ask = Ask {
                action: "tell".to_owned(),
                input: Some(format!(r#"{{"count":{count},"first":{first}}}"#)),
                fence: Fence::Free,
                limit_ms: 10_000,
                claim: None,
                trace: None,
            };
            let end = action::run(&engine, ask).await;
            assert!(matches!(end, ActionEnd::Done { .. }), "{end:?}");
            let now = noted.now();
            for number in first..first + count {
                noted.committed[number as usize].store(now, Ordering::Relaxed);
            }
            noted.over();
        });
    }
}

impl Pace {
    /// So many events a second, a commit each millisecond.
    fn of(rate: f64) -> Pace {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is no big number"
        )]
        let each = ((rate / 1_000.0).round() as u32).max(1);
        let apart = Duration::from_secs_f64(f64::from(each) / rate);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is no big number"
        )]
        let events = (rate * PACED.as_secs_f64()) as u32;
        Pace { events, each, apart }
    }

    fn rate(&self) -> f64 {
        f64::from(self.each) / self.apart.as_secs_f64()
    }
}

impl Noted {
    fn new(pace: Pace) -> Noted {
        let none = || (0..pace.events).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
        let left = AtomicU32::new(pace.events + pace.events.div_ceil(pace.each));
        Noted { begun: Instant::now(), committed: none(), entered: none(), left, end: Notify::new() }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).expect("it fits")
    }

    /// A commit or a delivery is over.
    fn over(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.end.notify_one();
        }
    }

    /// A handler may be entered before the commit's answer is read.
    fn spread(&self) -> Spread {
        let pairs = self.committed.iter().zip(&self.entered);
        let load = |at: &AtomicU64| at.load(Ordering::Acquire);
        let mut waits: Vec<u64> =
            pairs.map(|(committed, entered)| load(entered).saturating_sub(load(committed))).collect();
        waits.sort_unstable();
        Spread(waits)
    }
}

impl Hands for Noted {
    fn hear(&self, event: &Delivered) {
        let now = self.now();
        let digits = event.payload.trim_matches(|c: char| !c.is_ascii_digit());
        let number: usize = digits.parse().expect("it is what was emitted");
        assert_eq!(self.entered[number].swap(now, Ordering::AcqRel), 0, "each is heard once");
        self.over();
    }

    fn tell(&self, input: &str) -> Vec<String> {
        let tell: Tell = serde_json::from_str(input).expect("it is what was asked");
        (tell.first..tell.first + tell.count).map(|number| format!(r#"{{"text":"{number:0>89}"}}"#)).collect()
    }
}

/// The action's input.
#[derive(serde::Deserialize)]
struct Tell {
    first: u32,
    count: u32,
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "no wait is that long")]
        let below = |of_hundred: usize| self.0[(self.0.len() - 1) * of_hundred / 100] as f64 / 1_000.0;
        write!(
            f,
            "median {:.2} ms, 99 of 100 below {:.2} ms, all below {:.2} ms",
            below(50),
            below(99),
            below(100)
        )
    }
}

//! Events that are emitted at a pace, and how soon each one's handler is entered, wherever it runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jadpo_runtime::Delivered;
use jadpo_runtime::action::{self, ActionEnd, Ask};
use jadpo_runtime::engine::Engine;
use jadpo_runtime::store::Fence;
use tokio::sync::Notify;

use super::app::Hands;

/// How long events are emitted at a pace.
const PACED: Duration = Duration::from_secs(5);

/// Events that come alone, and how far they are apart.
pub const ALONE: Pace = Pace { events: 200, each: 1, apart: Duration::from_millis(20) };

/// All at once, which tells how many a second the process can commit and deliver.
pub const FLOOD: Pace = Pace { events: 50_000, each: 20, apart: Duration::ZERO };

/// How events come.
#[derive(Clone, Copy)]
pub struct Pace {
    pub events: u32,
    /// Events of one commit.
    each: u32,
    /// From one commit to the next.
    apart: Duration,
}

/// Notes when each commit was answered, and when each event's handler was entered, in microseconds since the start.
pub struct Noted {
    begun: Instant,
    each: u32,
    committed: Vec<AtomicU64>,
    entered: Vec<AtomicU64>,
    /// When the first was emitted, and when the last was over.
    emits: AtomicU64,
    ended: AtomicU64,
    /// Commits and deliveries that are not over.
    left: AtomicU32,
    end: Notify,
}

/// Waits, the shortest first, µs; and how many handlers were entered before the commit's answer was read, which counts as no
/// wait.
pub struct Waits {
    each: Vec<u64>,
    early: usize,
}

/// Commits events at a pace, whatever becomes of those before.
async fn emit(engine: &Arc<Engine>, noted: &Arc<Noted>, pace: Pace) {
    // The first looks of a program that has just started are not what is measured.
    tokio::time::sleep(Duration::from_millis(500)).await;
    noted.emits.store(noted.now(), Ordering::Release);
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
            noted.committed[at].store(noted.now(), Ordering::Relaxed);
            noted.over();
        });
    }
}

impl Pace {
    /// So many events a second, a commit each millisecond.
    pub fn of(rate: f64) -> Pace {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is no big number"
        )]
        let each = ((rate / 1_000.0).round() as u32).max(1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is no big number"
        )]
        let events = (rate * PACED.as_secs_f64()) as u32;
        Pace { events, each, apart: Duration::from_secs_f64(f64::from(each) / rate) }
    }

    /// Events a second.
    pub fn rate(&self) -> f64 {
        f64::from(self.each) / self.apart.as_secs_f64()
    }
}

impl Noted {
    pub fn new(pace: Pace) -> Noted {
        let none = |count: u32| (0..count).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
        let commits = pace.events.div_ceil(pace.each);
        Noted {
            begun: Instant::now(),
            each: pace.each,
            committed: none(commits),
            entered: none(pace.events),
            emits: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            left: AtomicU32::new(pace.events + commits),
            end: Notify::new(),
        }
    }

    /// Commits all of them through an engine, and waits until each was heard.
    pub async fn emitted(self: &Arc<Noted>, engine: &Arc<Engine>, pace: Pace) {
        emit(engine, self, pace).await;
        self.end.notified().await;
    }

    /// Events a second, from the first that was emitted to the last that was over.
    pub fn rate(&self) -> f64 {
        let [begun, ended] = [&self.emits, &self.ended].map(|at| at.load(Ordering::Acquire));
        f64::from(u32::try_from(self.entered.len()).expect("it fits"))
            / Duration::from_micros(ended - begun).as_secs_f64()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).expect("it fits")
    }

    fn over(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.ended.store(self.now(), Ordering::Release);
            self.end.notify_one();
        }
    }

    /// From each commit's answer to the handlers of its events.
    pub fn waits(&self) -> Waits {
        let load = |at: &AtomicU64| at.load(Ordering::Acquire);
        let committed = |at: usize| load(&self.committed[at / self.each as usize]);
        let pairs = self.entered.iter().enumerate().map(|(at, entered)| (load(entered), committed(at)));
        let early = pairs.clone().filter(|(entered, committed)| entered < committed).count();
        let mut each: Vec<u64> =
            pairs.map(|(entered, committed)| entered.saturating_sub(committed)).collect();
        each.sort_unstable();
        Waits { each, early }
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

impl Waits {
    /// So many of a hundred were no longer, ms.
    pub fn below_ms(&self, of_hundred: usize) -> f64 {
        let at = self.each.len().saturating_sub(1) * of_hundred / 100;
        #[expect(clippy::cast_precision_loss, reason = "no wait is that long")]
        self.each.get(at).map_or(f64::NAN, |us| *us as f64 / 1_000.0)
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, most, all] = [50, 99, 100].map(|of_hundred| self.below_ms(of_hundred));
        write!(
            f,
            "median {half:.2} ms, 99 of 100 below {most:.2} ms, all below {all:.2} ms; {} of {} before the answer",
            self.early,
            self.each.len()
        )
    }
}

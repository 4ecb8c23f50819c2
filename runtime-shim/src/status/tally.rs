//! What has happened since the start, counted.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// What has happened since the start, counted.
#[derive(Debug, Default)]
pub struct Tally {
    counts: [AtomicU64; Count::ALL.len()],
    loop_alive_ms: AtomicI64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Minutes that a tick was made for.
    Ticks,
    /// Polls claimed and called.
    PollsMade,
    /// Polls whose answer was the same.
    PollsSame,
    /// Polls that failed.
    PollsFailed,
    /// Events kept by polls and bodies.
    EventsKept,
    /// Deliveries done.
    DeliveriesDone,
    /// Attempts that failed and come again.
    DeliveriesRetried,
    /// Deliveries failed for good.
    DeliveriesFailed,
    /// Deliveries given back as they were.
    DeliveriesGivenBack,
    /// Runs of schedules begun.
    SchedulesRun,
    /// Runs of schedules that failed.
    SchedulesFailed,
    /// Steps of batches and backfills committed.
    StepsDone,
    /// Runs of batches and backfills failed for good.
    RunsFailed,
    /// Turns of the loop.
    Looks,
}

impl Count {
    const ALL: [Count; 14] = [
        Count::Ticks,
        Count::PollsMade,
        Count::PollsSame,
        Count::PollsFailed,
        Count::EventsKept,
        Count::DeliveriesDone,
        Count::DeliveriesRetried,
        Count::DeliveriesFailed,
        Count::DeliveriesGivenBack,
        Count::SchedulesRun,
        Count::SchedulesFailed,
        Count::StepsDone,
        Count::RunsFailed,
        Count::Looks,
    ];

    fn name(self) -> &'static str {
        match self {
            Count::Ticks => "ticks",
            Count::PollsMade => "polls_made",
            Count::PollsSame => "polls_same",
            Count::PollsFailed => "polls_failed",
            Count::EventsKept => "events_kept",
            Count::DeliveriesDone => "deliveries_done",
            Count::DeliveriesRetried => "deliveries_retried",
            Count::DeliveriesFailed => "deliveries_failed",
            Count::DeliveriesGivenBack => "deliveries_given_back",
            Count::SchedulesRun => "schedules_run",
            Count::SchedulesFailed => "schedules_failed",
            Count::StepsDone => "steps_done",
            Count::RunsFailed => "runs_failed",
            Count::Looks => "looks",
        }
    }
}

impl Tally {
    /// Everything that is counted, by its name.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Count::ALL.into_iter().map(|count| (count.name(), self.get(count)))
    }

    /// Counts one more.
    pub fn one(&self, count: Count) {
        self.more(count, 1);
    }

    /// Counts `n` more.
    pub fn more(&self, count: Count, n: u64) {
        self.counts[count as usize].fetch_add(n, Ordering::Relaxed);
    }

    /// How many so far.
    pub fn get(&self, count: Count) -> u64 {
        self.counts[count as usize].load(Ordering::Relaxed)
    }

    /// The loop lives.
    pub fn loop_lives(&self, now_ms: i64) {
        self.loop_alive_ms.store(now_ms, Ordering::Relaxed);
    }

    /// When the loop last said so, in milliseconds since the epoch.
    pub fn loop_alive_ms(&self) -> i64 {
        self.loop_alive_ms.load(Ordering::Relaxed)
    }
}

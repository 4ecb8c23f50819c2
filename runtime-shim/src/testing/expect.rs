//! What a test says must be there; what is there instead is shown in full.

use std::collections::BTreeSet;
use std::time::Duration;

use super::actions::known;
use super::kept::{KeptDelivery, KeptRun};
use super::pattern::Pattern;
use super::world::TestApp;
use crate::clock;
use crate::plan::Plan;

/// How much longer than the longest `within:` everything may take: a step of a batch has eight attempts with up to an hour
/// between them.
const SETTLES_WITHIN: Duration = Duration::from_hours(12);

impl TestApp {
    /// So many events of this name were kept since the beginning.
    #[track_caller]
    pub fn expect_event(&mut self, name: &str, times: usize) -> &mut TestApp {
        let plan = self.plan();
        known("event", name, event_names(&plan).iter());
        let found = self.events(name).len();
        if found != times {
            self.fail(&format!("wanted {} {name}, found {found}", counted(times, "event")));
        }
        self
    }

    /// So many deliveries to a subscriber are done, and none failed for good or waits.
    #[track_caller]
    pub fn expect_delivered(&mut self, subscriber: &str, times: usize) -> &mut TestApp {
        let all = self.deliveries_of(subscriber);
        let done = all.iter().filter(|delivery| delivery.state == "done").count();
        if done != times || done != all.len() {
            let what = counted(times, "done delivery");
            self.fail(&format!("wanted {what} to {subscriber} and no other, found {}", states(&all)));
        }
        self
    }

    /// So many deliveries to a subscriber failed for good; their errors are in [`TestApp::deliveries`].
    #[track_caller]
    pub fn expect_failed(&mut self, subscriber: &str, times: usize) -> &mut TestApp {
        let all = self.deliveries_of(subscriber);
        let failed = all.iter().filter(|delivery| delivery.state == "failed").count();
        if failed != times {
            let what = counted(times, "failed delivery");
            self.fail(&format!("wanted {what} to {subscriber}, found {}", states(&all)));
        }
        self
    }

    /// So many runs of a batch or a backfill are done, and none failed or waits.
    #[track_caller]
    pub fn expect_batch_done(&mut self, batch: &str, times: usize) -> &mut TestApp {
        let plan = self.plan();
        known("batch or backfill", batch, plan.batches.keys().chain(plan.backfills.keys()));
        let all = self.runs(batch);
        if all.len() != times || all.iter().any(|run| run.state != "done") {
            let found: Vec<&str> = all.iter().map(|run| run.state.as_str()).collect();
            let what = counted(times, "done run");
            self.fail(&format!("wanted {what} of {batch} and no other, found [{}]", found.join(", ")));
        }
        self
    }

    /// The app made so many calls of this kind, each attempt counted: `GET /v1/prices`.
    #[track_caller]
    pub fn expect_calls(&mut self, calls: &str, times: usize) -> &mut TestApp {
        let pattern = Pattern::new(calls);
        let found = self.calls(pattern.text()).len();
        if found != times {
            self.fail(&format!("wanted {} to {calls}, found {found}", counted(times, "call")));
        }
        self
    }

    /// Lets time pass until no delivery, batch run or run of a schedule waits or is under way. Each ends as done or as failed.
    #[track_caller]
    pub fn settle(&mut self) -> &mut TestApp {
        let plan = self.plan();
        let within_ms = plan.subscribers.values().map(|subscriber| subscriber.within_ms).max().unwrap_or(0);
        let most = SETTLES_WITHIN.saturating_add(Duration::from_millis(within_ms));
        let end_ms = self.now_ms().saturating_add(i64::try_from(most.as_millis()).unwrap_or(i64::MAX));
        let mut step_ms = 0;
        loop {
            self.run_until(self.now_ms().saturating_add(clock::signed(step_ms)));
            if !self.is_busy() {
                return self;
            }
            if self.now_ms() >= end_ms {
                self.fail(&format!("wanted nothing to wait any more within {most:?}"));
            }
            step_ms = (step_ms * 2).clamp(1_000, 60_000);
        }
    }

    /// Whether something waits or is under way.
    #[track_caller]
    fn is_busy(&mut self) -> bool {
        let stores = self.stores();
        stores.keys().any(|store| {
            let deliveries = self.ask(store, |store| store.delivery_counts());
            let runs = self.ask(store, |store| store.run_counts());
            let schedules = self.ask(store, |store| store.schedule_states());
            deliveries.pending + deliveries.claimed + runs.pending + runs.claimed > 0
                || schedules.iter().any(|schedule| schedule.running)
        })
    }

    #[track_caller]
    fn deliveries_of(&mut self, subscriber: &str) -> Vec<KeptDelivery> {
        let plan = self.plan();
        known("subscriber", subscriber, plan.subscribers.keys());
        self.deliveries(subscriber)
    }

    /// Fails the test, and shows everything that is there.
    #[track_caller]
    pub(super) fn fail(&mut self, what: &str) -> ! {
        panic!("{what}\n{}", self.picture())
    }
}

/// Every event that the app may keep.
fn event_names(plan: &Plan) -> BTreeSet<String> {
    let polls = plan.connections.values().flat_map(|connection| connection.polls.values());
    let subscribers = plan.subscribers.values();
    let emitted = subscribers.clone().flat_map(|subscriber| &subscriber.emits);
    let by_actions = plan.actions.values().flat_map(|action| &action.emits);
    let heard = subscribers.flat_map(|subscriber| &subscriber.on);
    polls.map(|poll| &poll.event).chain(emitted).chain(by_actions).chain(heard).cloned().collect()
}

fn counted(times: usize, what: &str) -> String {
    match (times, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{times} {stem}ies"),
        (_, None) => format!("{times} {what}s"),
    }
}

fn states(all: &[KeptDelivery]) -> String {
    let states: BTreeSet<&str> = all.iter().map(|delivery| delivery.state.as_str()).collect();
    let count = |state: &str| all.iter().filter(|delivery| delivery.state == state).count();
    let shown: Vec<String> = states.into_iter().map(|state| format!("{} {state}", count(state))).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

impl KeptRun {
    /// Whether nothing will happen to it any more.
    pub(super) fn is_over(&self) -> bool {
        !matches!(self.state.as_str(), "pending" | "claimed")
    }
}

impl KeptDelivery {
    /// Whether nothing will happen to it any more.
    pub(super) fn is_over(&self) -> bool {
        !matches!(self.state.as_str(), "pending" | "claimed")
    }
}

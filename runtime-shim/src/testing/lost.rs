//! What must hold in the end, wherever a process ended: nothing that was kept is lost, and nothing was done twice.

use std::collections::BTreeMap;

use super::kept::KeptEvent;
use super::world::TestApp;
use crate::clock;
use crate::plan::Plan;

/// Ticks in which every poll is made again and claims of a lost process are taken over.
const TICKS: usize = 3;

impl TestApp {
    /// Goes on until a process that ended has been made up for: every poll is made once more, and nothing waits.
    #[track_caller]
    pub(super) fn make_up(&mut self) {
        let now_ms = self.now_ms();
        let polls: Vec<(String, String)> = polls(&self.plan());
        for (store, name) in polls {
            if self.stores().contains_key(&store) {
                self.ask(&store, |store| store.poll_now(name, now_ms));
            }
        }
        (0..TICKS).for_each(|_| self.tick());
        self.settle();
    }

    /// Fails where something that was committed is gone, waits, or happened twice.
    #[track_caller]
    pub(super) fn expect_nothing_lost(&mut self) {
        let tally = self.writes.tally();
        for (what, times) in tally.boundaries {
            if times > 1 {
                self.fail(&format!("{what} was committed {times} times"));
            }
        }
        let (events, deliveries) = (self.all_events(), self.all_deliveries());
        for (store, kept) in tally.events {
            let purged = tally.purged.get(&store).copied().unwrap_or(0);
            let found = events.iter().filter(|event| event.store == store).count() as u64;
            if found + purged != kept {
                self.fail(&format!("{kept} events were kept in the store {store}, and {found} are there"));
            }
            let kept = tally.deliveries.get(&store).copied().unwrap_or(0);
            let found = deliveries.iter().filter(|delivery| delivery.store == store).count() as u64;
            if purged == 0 && found != kept {
                self.fail(&format!(
                    "{kept} deliveries were kept in the store {store}, and {found} are there"
                ));
            }
        }
        let waits = deliveries.iter().find(|delivery| !delivery.is_over());
        if let Some(delivery) = waits {
            self.fail(&format!("a delivery to {} is neither done nor failed", delivery.subscriber));
        }
        if let Some(run) = self.all_runs().iter().find(|run| !run.is_over()) {
            self.fail(&format!("a run of {} is neither done nor failed", run.batch));
        }
        if let Some(event) = doubled(&self.plan(), &events) {
            self.fail(&format!("{} was kept twice for one change", event.name));
        }
    }
}

/// Each poll's store and name.
fn polls(plan: &Plan) -> Vec<(String, String)> {
    let connections = plan.connections.iter();
    let polls = connections.flat_map(|(name, connection)| {
        let store = connection.events_store.clone().unwrap_or_default();
        connection.polls.keys().map(move |poll| (store.clone(), format!("poll {name}.{poll}")))
    });
    polls.collect()
}

/// An event of a poll that says the same as the one before it.
fn doubled<'e>(plan: &Plan, events: &'e [KeptEvent]) -> Option<&'e KeptEvent> {
    let mut last: BTreeMap<(&str, &str), &KeptEvent> = BTreeMap::new();
    events.iter().find(|event| {
        let Some(source) = event.source.as_deref() else { return false };
        let Some(connection) = plan.connections.get(source) else { return false };
        // Two polls may take turns to keep what each of them found.
        if connection.polls.values().filter(|poll| poll.event == event.name).count() != 1 {
            return false;
        }
        let before = last.insert((source, &event.name), event);
        let keep_ms = clock::signed(connection.keep_ms);
        before.is_some_and(|before| {
            let apart_ms = event.at.as_millisecond() - before.at.as_millisecond();
            // After a pause longer than that, an answer counts as the first one.
            before.payload == event.payload && apart_ms <= keep_ms
        })
    })
}

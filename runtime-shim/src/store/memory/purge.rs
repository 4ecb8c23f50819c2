//! The purge in memory.

use super::state::State;
use crate::limits;
use crate::store::{NewEvent, PurgeStep, Purged};

impl State {
    pub fn purge(&mut self, step: &PurgeStep) -> Purged {
        let mut purged = Purged::default();
        let old_ms = step.now_ms.saturating_sub(step.keep_ms);
        if step.after_event == 0 {
            purged.polls =
                gone(&mut self.polls, |name, poll| poll.next_due_ms <= old_ms && !step.polls.contains(name));
            purged.schedules = gone(&mut self.schedules, |name, schedule| {
                schedule.next_due_ms <= old_ms && schedule.claim.is_none() && !step.schedules.contains(name)
            });
            let silent_ms = step.now_ms.saturating_sub(limits::INSTANCE_KEPT_MS);
            let holders = self.holders();
            gone(&mut self.instances, |id, heard_ms| *heard_ms <= silent_ms && !holders.contains(id));
        }
        purged.runs =
            gone(&mut self.runs, |_, run| run.stands.over_ms().is_some_and(|at_ms| at_ms <= old_ms));
        let received_ms = old_ms.saturating_sub(limits::LEASE_MS_MAX);
        purged.received = gone(&mut self.received, |_, at_ms| *at_ms <= received_ms);
        let looked_at: Vec<i64> = self
            .events
            .range(step.after_event + 1..)
            .take(step.at_most as usize)
            .map(|(id, _)| *id)
            .collect();
        let keep_ms = |event: &NewEvent| {
            let of = |source: &String| step.keep_of.iter().find(|(known, _)| known == source);
            event.source.as_ref().and_then(of).map_or(step.keep_ms, |(_, keep_ms)| *keep_ms)
        };
        for id in &looked_at {
            let Some(event) = self.events.get(id) else { continue };
            let old_ms = step.now_ms - keep_ms(event);
            let mut deliveries = self.deliveries.values().filter(|delivery| delivery.event_id == *id);
            let over = deliveries.all(|one| one.stands.over_ms().is_some_and(|at_ms| at_ms <= old_ms));
            if event.created_at_ms <= old_ms && over {
                self.events.remove(id);
                self.deliveries.retain(|_, delivery| delivery.event_id != *id);
                purged.events += 1;
            }
        }
        // What is newer than any rule lets go is followed only by what is newer still.
        let shortest_ms = step.keep_of.iter().map(|(_, keep_ms)| *keep_ms).chain([step.keep_ms]).min();
        let newest_ms = step.now_ms - shortest_ms.unwrap_or(0);
        let newer = looked_at
            .iter()
            .filter_map(|id| self.events.get(id))
            .any(|event| event.created_at_ms > newest_ms);
        let more = looked_at.len() == step.at_most as usize && !newer;
        purged.next = looked_at.last().copied().filter(|_| more);
        purged
    }
}

/// Removes what is over; how many there were.
fn gone<K: Ord, V>(rows: &mut std::collections::BTreeMap<K, V>, over: impl Fn(&K, &V) -> bool) -> u64 {
    let before = rows.len();
    rows.retain(|key, row| !over(key, row));
    (before - rows.len()) as u64
}

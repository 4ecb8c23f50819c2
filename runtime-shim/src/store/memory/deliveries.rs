//! Deliveries in memory: claimed, ended, taken over, shown.

use std::collections::BTreeMap;

use super::state::{Claim, Delivery, Stands, State};
use crate::limits;
use crate::store::{
    Backlog, ClaimDeliveries, Claimed, ClaimedDelivery, DeliveryCounts, EndedDelivery, FailedDelivery,
    GiveBack, GivenBack, Held, Lag, Outlook, OutlookAsked, ReplayDelivery, SetOff, TakeOver, Wanted,
};

impl State {
    pub fn claim_deliveries(&mut self, claim: &ClaimDeliveries) -> Claimed {
        let fenced = claim.done.iter().filter(|held| !self.finish(**held, claim.now_ms));
        let fenced: Vec<Held> = fenced.copied().collect();
        if claim.hear {
            self.hear(claim.instance, claim.now_ms);
        }
        let mut turns: Vec<(u32, i64, i64)> = Vec::new();
        for wanted in &claim.wanted {
            let due = self.due(wanted, claim.now_ms).into_iter().zip(1..);
            turns.extend(due.map(|((due_ms, id), place)| (wanted.running + place, due_ms, id)));
        }
        turns.sort_unstable();
        turns.truncate(claim.at_most as usize);
        let held = Claim { token: claim.token, instance: claim.instance, until_ms: claim.until_ms };
        let mut deliveries: Vec<ClaimedDelivery> =
            turns.into_iter().filter_map(|(_, _, id)| self.claim_delivery(id, held)).collect();
        deliveries.sort_by_key(|delivery| (delivery.due_ms, delivery.id));
        Claimed { deliveries, fenced }
    }

    /// The deliveries of a subscriber that are due, the longest first.
    fn due(&self, wanted: &Wanted, now_ms: i64) -> Vec<(i64, i64)> {
        let pending = self.deliveries.iter().filter(|(_, delivery)| {
            delivery.stands == Stands::Pending
                && delivery.subscriber == wanted.subscriber
                && delivery.due_ms <= now_ms
                && delivery.give_up_ms > now_ms
        });
        let mut due: Vec<(i64, i64)> = pending.map(|(id, delivery)| (delivery.due_ms, *id)).collect();
        due.sort_unstable();
        due.truncate(wanted.at_most as usize);
        due
    }

    /// Claims one delivery, its attempt counted.
    pub fn claim_delivery(&mut self, id: i64, claim: Claim) -> Option<ClaimedDelivery> {
        let delivery = self.deliveries.get_mut(&id)?;
        delivery.stands = Stands::Claimed(claim);
        delivery.attempts += 1;
        let event = self.events.get(&delivery.event_id)?;
        Some(ClaimedDelivery {
            id,
            token: claim.token,
            subscriber: delivery.subscriber.clone(),
            attempts: delivery.attempts,
            due_ms: delivery.due_ms,
            give_up_ms: delivery.give_up_ms,
            event_id: delivery.event_id,
            event: event.name.clone(),
            source: event.source.clone(),
            occurred_at_ms: event.occurred_at_ms,
            created_at_ms: event.created_at_ms,
            payload: event.payload.clone(),
            trace: event.trace.clone(),
        })
    }

    pub fn finish(&mut self, held: Held, now_ms: i64) -> bool {
        let Some(delivery) = self.held_delivery(held) else { return false };
        delivery.stands = Stands::Done(now_ms);
        delivery.last_error = None;
        true
    }

    pub fn retry_delivery(&mut self, held: Held, due_ms: i64, error: String) -> bool {
        let Some(delivery) = self.held_delivery(held) else { return false };
        (delivery.stands, delivery.due_ms, delivery.last_error) = (Stands::Pending, due_ms, Some(error));
        true
    }

    pub fn fail_delivery(&mut self, held: Held, now_ms: i64, error: String) -> bool {
        let Some(delivery) = self.held_delivery(held) else { return false };
        (delivery.stands, delivery.last_error) = (Stands::Failed(now_ms), Some(error));
        true
    }

    pub fn give_back(&mut self, back: &[GiveBack]) -> u64 {
        let mut given = 0;
        for one in back {
            if let Some(delivery) = self.held_delivery(one.held) {
                (delivery.stands, delivery.due_ms) = (Stands::Pending, one.due_ms);
                delivery.attempts -= 1;
                given += 1;
            }
        }
        given
    }

    pub fn give_back_unstarted(&mut self, tokens: &[i64], now_ms: i64) -> GivenBack {
        let under = |claim: Option<Claim>| claim.is_some_and(|claim| tokens.contains(&claim.token));
        let mut given = GivenBack::default();
        for delivery in self.deliveries.values_mut().filter(|one| under(one.stands.claim())) {
            delivery.stands = Stands::Pending;
            delivery.attempts -= 1;
            given.deliveries += 1;
        }
        for run in self.runs.values_mut().filter(|one| under(one.stands.claim())) {
            run.stands = Stands::Pending;
            run.attempts -= 1;
            given.runs += 1;
        }
        for schedule in self.schedules.values_mut().filter(|one| under(one.claim)) {
            (schedule.claim, schedule.next_due_ms) = (None, now_ms);
            given.schedules += 1;
        }
        given
    }

    pub fn take_over(&mut self, over: &TakeOver) -> Vec<EndedDelivery> {
        let held = self.deliveries.iter().filter_map(|(id, delivery)| Some((*id, delivery.stands.claim()?)));
        let lost = held.filter(|(id, claim)| {
            !over.running.contains(id) && self.lost_ms(*claim, over.instance, over.silent_ms) <= over.now_ms
        });
        let mut lost: Vec<(i64, i64)> = lost.map(|(id, claim)| (claim.until_ms, id)).collect();
        lost.sort_unstable();
        lost.truncate(limits::ENDED_AT_ONCE_MAX as usize);
        let mut ended: Vec<EndedDelivery> =
            lost.into_iter().filter_map(|(_, id)| self.free(id, over)).collect();
        ended.sort_by_key(|ended| ended.id);
        ended
    }

    fn free(&mut self, id: i64, over: &TakeOver) -> Option<EndedDelivery> {
        let error = "its process ended".to_owned();
        let delivery = self.deliveries.get_mut(&id)?;
        let rule = over.attempts.iter().find(|(subscriber, _)| *subscriber == delivery.subscriber);
        let failed = rule.is_some_and(|(_, attempts)| delivery.attempts >= *attempts);
        delivery.stands = if failed { Stands::Failed(over.now_ms) } else { Stands::Pending };
        delivery.last_error = Some(error.clone());
        Some(EndedDelivery { id, subscriber: delivery.subscriber.clone(), failed, error })
    }

    pub fn expire(&mut self, now_ms: i64, subscribers: &[String], limit: u32) -> Vec<EndedDelivery> {
        let over = |delivery: &Delivery| delivery.stands == Stands::Pending && delivery.give_up_ms <= now_ms;
        let over = self.deliveries.iter().filter(|(_, delivery)| over(delivery));
        let mut over: Vec<(i64, i64)> = over.map(|(id, delivery)| (delivery.give_up_ms, *id)).collect();
        over.sort_unstable();
        over.truncate(limit as usize);
        let mut ended = Vec::with_capacity(over.len());
        for (_, id) in over {
            let Some(delivery) = self.deliveries.get_mut(&id) else { continue };
            let gone = !subscribers.contains(&delivery.subscriber);
            let said = delivery.last_error.take().filter(|_| !gone);
            let error = match said {
                Some(said) => said,
                None if gone => "subscriber_gone".to_owned(),
                None => "its time was over before it could be delivered".to_owned(),
            };
            delivery.stands = Stands::Failed(now_ms);
            delivery.last_error = Some(error.clone());
            ended.push(EndedDelivery { id, subscriber: delivery.subscriber.clone(), failed: true, error });
        }
        ended.sort_by_key(|ended| ended.id);
        ended
    }

    pub fn replay_delivery(&mut self, replay: &ReplayDelivery) -> Option<SetOff> {
        let delivery = self.deliveries.get_mut(&replay.id)?;
        if !matches!(delivery.stands, Stands::Failed(_) | Stands::Discarded(_)) {
            return None;
        }
        let (_, within_ms) =
            replay.within_ms.iter().find(|(subscriber, _)| *subscriber == delivery.subscriber)?;
        (delivery.stands, delivery.attempts, delivery.due_ms) = (Stands::Pending, 0, replay.now_ms);
        delivery.give_up_ms = replay.now_ms + within_ms;
        Some(SetOff::Delivery {
            id: replay.id,
            subscriber: delivery.subscriber.clone(),
            due_ms: delivery.due_ms,
            give_up_ms: delivery.give_up_ms,
            claimed: None,
        })
    }

    pub fn discard_delivery(&mut self, id: i64, now_ms: i64) -> bool {
        let delivery = self.deliveries.get_mut(&id);
        let delivery =
            delivery.filter(|delivery| matches!(delivery.stands, Stands::Pending | Stands::Failed(_)));
        delivery.map(|delivery| delivery.stands = Stands::Discarded(now_ms)).is_some()
    }

    pub fn outlook(&self, asked: &OutlookAsked) -> Outlook {
        let mut outlook = Outlook::default();
        for (id, delivery) in &self.deliveries {
            match delivery.stands {
                Stands::Pending => {
                    earliest(&mut outlook.give_up_ms, delivery.give_up_ms);
                    if delivery.give_up_ms > asked.now_ms && asked.subscribers.contains(&delivery.subscriber)
                    {
                        let due_ms = outlook.due_ms.entry(delivery.subscriber.clone()).or_insert(i64::MAX);
                        *due_ms = delivery.due_ms.min(*due_ms);
                    }
                }
                Stands::Claimed(claim) if !asked.running.contains(id) => {
                    earliest(&mut outlook.lost_ms, self.lost_ms(claim, asked.instance, asked.silent_ms));
                }
                _ => {}
            }
        }
        for (id, run) in self.runs.iter().filter(|(_, run)| asked.batches.contains(&run.new.batch)) {
            match run.stands {
                Stands::Pending => earliest(&mut outlook.run_due_ms, run.due_ms),
                Stands::Claimed(claim) if !asked.running_runs.contains(id) => {
                    earliest(&mut outlook.run_due_ms, self.lost_ms(claim, asked.instance, asked.silent_ms));
                }
                _ => {}
            }
        }
        outlook
    }

    pub fn lag(&self, now_ms: i64) -> Lag {
        let pending = self.deliveries.values().filter(|delivery| delivery.stands == Stands::Pending);
        let deliveries_ms = pending.map(|delivery| delivery.due_ms).filter(|due_ms| *due_ms <= now_ms).min();
        let pending = self.runs.values().filter(|run| run.stands == Stands::Pending);
        let runs_ms = pending.map(|run| run.due_ms).filter(|due_ms| *due_ms <= now_ms).min();
        let age = |due_ms: i64| now_ms - due_ms;
        Lag { deliveries_ms: deliveries_ms.map(age), runs_ms: runs_ms.map(age) }
    }

    pub fn backlog(&self, now_ms: i64) -> Vec<Backlog> {
        let mut found: BTreeMap<(&str, Option<&str>, &str), Backlog> = BTreeMap::new();
        for delivery in self.deliveries.values() {
            let Some(event) = self.events.get(&delivery.event_id) else { continue };
            if matches!(delivery.stands, Stands::Done(_) | Stands::Discarded(_)) {
                continue;
            }
            let key = (event.name.as_str(), event.source.as_deref(), delivery.subscriber.as_str());
            let backlog = found.entry(key).or_insert_with(|| Backlog {
                event: event.name.clone(),
                connection: event.source.clone(),
                subscriber: delivery.subscriber.clone(),
                ..Backlog::default()
            });
            match delivery.stands {
                Stands::Pending => backlog.pending += 1,
                Stands::Claimed(_) => backlog.claimed += 1,
                _ => backlog.failed += 1,
            }
            if delivery.stands == Stands::Pending && delivery.due_ms <= now_ms {
                backlog.lag_ms = backlog.lag_ms.max(Some(now_ms - delivery.due_ms));
            }
        }
        found.into_values().collect()
    }

    pub fn delivery_counts(&self) -> DeliveryCounts {
        let mut counts = DeliveryCounts::default();
        for delivery in self.deliveries.values() {
            let of_state = match delivery.stands {
                Stands::Pending => &mut counts.pending,
                Stands::Claimed(_) => &mut counts.claimed,
                Stands::Done(_) => &mut counts.done,
                Stands::Failed(_) => &mut counts.failed,
                Stands::Discarded(_) => &mut counts.discarded,
            };
            *of_state += 1;
        }
        counts
    }

    pub fn failed_deliveries(&self, limit: u32) -> Vec<FailedDelivery> {
        let failed = self.deliveries.iter().filter_map(|(id, delivery)| {
            let Stands::Failed(finished_at_ms) = delivery.stands else { return None };
            Some(FailedDelivery {
                id: *id,
                event: self.events.get(&delivery.event_id)?.name.clone(),
                subscriber: delivery.subscriber.clone(),
                attempts: delivery.attempts,
                error: delivery.last_error.clone().unwrap_or_default(),
                finished_at_ms,
            })
        });
        let mut failed: Vec<FailedDelivery> = failed.collect();
        failed.sort_by_key(|one| std::cmp::Reverse(one.finished_at_ms));
        failed.truncate(limit as usize);
        failed
    }
}

fn earliest(known: &mut Option<i64>, at_ms: i64) {
    *known = Some(known.map_or(at_ms, |known_ms| known_ms.min(at_ms)));
}

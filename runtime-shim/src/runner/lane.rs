//! What the loop knows of one store: when each subscriber's next delivery is due, what runs, and who is held back.

use std::collections::{BTreeMap, BTreeSet};

use super::settling::Settling;
use crate::call::SlotFacts;
use crate::clock;
use crate::engine::Engine;
use crate::error_budget::ErrorBudget;
use crate::instance::Heartbeat;
use crate::notes::{Back, Left, Note};
use crate::open_store::OpenStore;
use crate::store::{ClaimedDelivery, GiveBack, Held, Outlook, Wanted};

/// The slots of a connection, by its name.
pub type SlotsOf<'a> = dyn Fn(&str) -> Option<SlotFacts> + 'a;

/// The slots of an app's connections.
pub fn slots_of(engine: &Engine) -> impl Fn(&str) -> Option<SlotFacts> {
    |connection| engine.connections.get(connection).map(crate::call::Connection::slots)
}

/// One store's share of the loop.
pub struct Lane {
    /// The store.
    pub open: OpenStore,
    /// By subscriber.
    lines: BTreeMap<String, Line>,
    /// What runs, and what has ended and is not yet written as done. One delivery may be held twice, where the database forgot
    /// the first claim.
    running: BTreeSet<Held>,
    /// Whether what is known may be out of date.
    stale: bool,
    /// When the next pending delivery's `within:` ends.
    give_up_ms: Option<i64>,
    /// When the next claim counts as lost.
    lost_ms: Option<i64>,
    /// When this process was last heard from here.
    pub heartbeat: Heartbeat,
    /// When the store is asked again after an error, by the monotonic clock.
    asleep_until_us: Option<u64>,
    /// Claims to be given back.
    pub backs: Vec<GiveBack>,
    /// Claims to be made `done`.
    pub settling: Settling,
}

/// One subscriber.
#[derive(Debug, Default)]
struct Line {
    /// When the next delivery is due, as far as is known; in the past while there is a backlog.
    due_ms: Option<i64>,
    running: u32,
    /// The connection whose slots were all out when a delivery was last given back. It holds the subscriber to as many
    /// deliveries as there are slots, until nothing of it is pending.
    full: Option<String>,
    /// The trouble that the store was in which the subscriber writes, or reads, when a delivery was last given back. While it
    /// is slept over none is claimed, and then one at a time until one ends otherwise.
    trouble: ErrorBudget,
}

impl Lane {
    /// A lane that knows nothing yet, and so looks first.
    pub fn new(open: OpenStore, subscribers: Vec<String>) -> Lane {
        Lane {
            open,
            lines: subscribers.into_iter().map(|name| (name, Line::default())).collect(),
            running: BTreeSet::new(),
            stale: true,
            give_up_ms: None,
            lost_ms: None,
            heartbeat: Heartbeat::default(),
            asleep_until_us: None,
            backs: Vec::new(),
            settling: Settling::default(),
        }
    }

    /// Its subscribers.
    pub fn subscribers(&self) -> Vec<String> {
        self.lines.keys().cloned().collect()
    }

    /// How many deliveries run.
    pub fn running(&self) -> u32 {
        self.lines.values().map(|line| line.running).sum()
    }

    /// Whether claims are held: of deliveries that run, and of those that have ended and are not yet written as done.
    pub fn holds_any(&self) -> bool {
        !self.running.is_empty()
    }

    /// The deliveries of these claims.
    pub fn running_ids(&self) -> Vec<i64> {
        let mut ids: Vec<i64> = self.running.iter().map(|held| held.id).collect();
        ids.dedup();
        ids
    }

    /// The connections that hold a subscriber back.
    pub fn full_connections(&self) -> impl Iterator<Item = &str> {
        self.lines.values().filter_map(|line| line.full.as_deref())
    }

    /// Hears a note that is for it.
    pub fn note(&mut self, engine: &Engine, note: Note) {
        match note {
            Note::Due { subscriber, due_ms, give_up_ms, .. } => self.due(&subscriber, due_ms, give_up_ms),
            Note::Freed { held, subscriber, left, .. } => self.freed(engine, held, &subscriber, left),
            Note::Settled { fenced, .. } => self.settled_apart(engine, fenced),
            Note::Elsewhere { .. } => self.look_anew(),
            Note::Tick => {
                self.open.unstarted.tick();
                self.look_anew();
            }
            Note::RunDue | Note::Unstarted => {}
        }
    }

    /// What is known may be out of date.
    pub fn look_anew(&mut self) {
        self.stale = true;
    }

    /// Whether the store is to be asked for its outlook.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// A subscriber's delivery is due then, unless its time is over first.
    fn due(&mut self, subscriber: &str, due_ms: i64, give_up_ms: i64) {
        if let Some(line) = self.lines.get_mut(subscriber) {
            line.due(due_ms);
            self.give_up_ms = Some(self.give_up_ms.map_or(give_up_ms, |known_ms| known_ms.min(give_up_ms)));
        }
    }

    /// A worker is free again.
    fn freed(&mut self, engine: &Engine, held: Held, subscriber: &str, left: Left) {
        if let Some(line) = self.lines.get_mut(subscriber) {
            line.running = line.running.saturating_sub(1);
            line.ended(engine, subscriber, &left);
        }
        if let Left::Done(held) = left {
            // Until that is written, its claim is still this process's.
            self.settling.add(held);
            return;
        }
        self.running.remove(&held);
        let Left::Back(back) = left else { return };
        self.due(subscriber, back.claim.due_ms, back.give_up_ms);
        if let Some(line) = self.lines.get_mut(subscriber) {
            line.full = back.full.or(line.full.take());
        }
        self.backs.push(back.claim);
    }

    /// What the store says.
    pub fn know(&mut self, outlook: &Outlook) {
        self.stale = false;
        self.give_up_ms = outlook.give_up_ms;
        self.lost_ms = outlook.lost_ms;
        let backs_due = self.backs.iter().map(|back| back.due_ms).min();
        for (name, line) in &mut self.lines {
            line.due_ms = outlook.due_ms.get(name).copied();
            if line.due_ms.is_none() && line.running == 0 && backs_due.is_none() {
                line.full = None;
            }
        }
    }

    /// Whether pending deliveries' time is over.
    pub fn gives_up(&self, now_ms: i64) -> bool {
        self.give_up_ms.is_some_and(|give_up_ms| give_up_ms <= now_ms)
    }

    /// Whether claims count as lost.
    pub fn has_lost(&self, now_ms: i64) -> bool {
        self.lost_ms.is_some_and(|lost_ms| lost_ms <= now_ms)
    }

    /// What is to be claimed for so many free workers.
    pub fn wanted(&self, now_ms: i64, now_us: u64, free: u32, slots: &SlotsOf<'_>) -> Vec<Wanted> {
        if self.is_behind() {
            return Vec::new();
        }
        let due = self.lines.iter().filter(|(_, line)| line.due_ms.is_some_and(|due_ms| due_ms <= now_ms));
        let wanted = due.map(|(name, line)| Wanted {
            subscriber: name.clone(),
            at_most: line.share(now_us, slots).min(free),
            running: line.running,
        });
        wanted.filter(|wanted| wanted.at_most > 0).collect()
    }

    /// What was claimed of what was wanted, at most `at_most` in all.
    pub fn claimed(&mut self, wanted: &[Wanted], at_most: u32, claimed: &[ClaimedDelivery]) {
        for delivery in claimed {
            self.running.insert(delivery.held());
            if let Some(line) = self.lines.get_mut(&delivery.subscriber) {
                line.running += 1;
            }
        }
        let all: u32 = u32::try_from(claimed.len()).unwrap_or(u32::MAX);
        let got = |name: &str| claimed.iter().filter(|delivery| delivery.subscriber == name).count();
        // Fewer than there was room for: the rest of that subscriber is due later, and only the store knows when.
        self.stale |= all < at_most && wanted.iter().any(|one| got(&one.subscriber) < one.at_most as usize);
    }

    /// What was to be `done` is written; the claims.
    pub fn settled(&mut self) -> Vec<Held> {
        let settled = self.settling.went();
        for held in &settled {
            self.running.remove(held);
        }
        settled
    }

    /// Whether so many wait for the disk that no more may be claimed. What is written with the next claim needs none before.
    pub fn is_behind(&self) -> bool {
        self.open.store.settles_apart() && self.settling.is_behind()
    }

    /// The store failed: nothing is asked of it for so long.
    pub fn sleep(&mut self, now_us: u64, sleep_ms: u64) {
        self.stale = true;
        self.asleep_until_us = Some(now_us.saturating_add(sleep_ms.saturating_mul(1_000)));
    }

    /// Whether the store is left alone after an error. A reset of its errors, as after the machine slept, ends that too.
    pub fn is_asleep(&self, now_us: u64) -> bool {
        self.open.errors.in_a_row() > 0 && self.asleep_until_us.is_some_and(|until_us| now_us < until_us)
    }

    /// Whether there is something to do for which a worker must be free.
    pub fn wants_workers(&self, engine: &Engine) -> bool {
        let (now_ms, now_us) = (engine.now_ms(), engine.host.monotonic_us());
        let over = self.stale || self.gives_up(now_ms) || self.has_lost(now_ms);
        let wants = || over || !self.wanted(now_ms, now_us, 1, &slots_of(engine)).is_empty();
        !self.is_asleep(now_us) && !self.is_behind() && wants()
    }

    /// How long until there is something to do that nothing wakes the loop for, ms.
    pub fn next_in_ms(&self, now_ms: i64, now_us: u64, free: u32, slots: &SlotsOf<'_>) -> Option<u64> {
        if self.is_asleep(now_us) {
            return self.asleep_until_us.map(|until_us| until_us.saturating_sub(now_us).div_ceil(1_000));
        }
        let mut next = Vec::new();
        if !self.running.is_empty() {
            next.push(self.heartbeat.due_in_ms(now_us));
        }
        if !self.backs.is_empty() || !self.open.unstarted.tokens().is_empty() {
            next.push(0);
        }
        if self.settling.may_begin() {
            next.push(self.open.settles.asleep_ms(now_us).unwrap_or(0));
        }
        // One that is behind is woken once it no longer is.
        if free > 0 && !self.is_behind() {
            let lines = self.lines.values().filter(|line| line.share(now_us, slots) > 0);
            let dues = lines.filter_map(|line| line.due_ms).chain(self.give_up_ms).chain(self.lost_ms);
            next.extend(dues.map(|due_ms| clock::until(now_ms, due_ms)));
            let asleep = self.lines.values().filter(|line| line.due_ms.is_some());
            next.extend(asleep.filter_map(|line| line.trouble.asleep_ms(now_us)));
            next.extend(self.stale.then_some(0));
        }
        next.into_iter().min()
    }
}

impl Line {
    fn due(&mut self, due_ms: i64) {
        self.due_ms = Some(self.due_ms.map_or(due_ms, |known_ms| known_ms.min(due_ms)));
    }

    /// One of its deliveries ended: trouble that its store was in holds the others back, anything else lets them go.
    fn ended(&mut self, engine: &Engine, subscriber: &str, left: &Left) {
        match left {
            Left::Back(Back { trouble: Some(text), .. }) => {
                let (now_us, random) = (engine.host.monotonic_us(), engine.random());
                let trouble = self.trouble.failed(&engine.deployable.runner, text, now_us, random);
                if trouble.is_news {
                    tracing::error!("{text}; deliveries to {subscriber} wait");
                }
            }
            Left::Back(_) => {}
            Left::Nothing | Left::Done(_) => {
                if self.trouble.succeeded().is_some() {
                    tracing::info!("deliveries to {subscriber} go on");
                }
            }
        }
    }

    /// How many of its deliveries may be claimed.
    fn share(&self, now_us: u64, slots: &SlotsOf<'_>) -> u32 {
        if self.trouble.in_a_row() > 0 {
            let tries = u32::from(self.trouble.asleep_ms(now_us).is_none());
            return tries.saturating_sub(self.running);
        }
        let Some(facts) = self.full.as_deref().and_then(slots) else { return u32::MAX };
        let Some(cap) = facts.cap else { return u32::MAX };
        let slots_free = cap.saturating_sub(facts.out);
        let room = cap.saturating_sub(u64::from(self.running));
        u32::try_from(slots_free.min(room)).unwrap_or(u32::MAX)
    }
}

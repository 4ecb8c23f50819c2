//! Where each store's lane is: with the loop, or away on a turn at its store, which may take as long as it likes.
//!
//! A turn takes its lane along and brings it back, so that a store which hangs holds up nothing but its own lane.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::lane::{Lane, slots_of};
use crate::engine::Engine;
use crate::host::BoxFuture;
use crate::limits;
use crate::notes::Note;

/// The lanes, each at the post of its store, and the turns that some are on.
pub struct Posts {
    of_stores: Vec<Post>,
    turns: FuturesUnordered<BoxFuture<'static, (usize, Box<Lane>)>>,
    /// The post whose turn is first: another each time, so that no store's backlog takes every free worker.
    first: usize,
}

struct Post {
    place: Place,
    /// Whether its lane could have used more workers than its share.
    short: bool,
    /// When its lane last came back without having used its share, by the monotonic clock.
    fruitless_us: Option<u64>,
}

enum Place {
    Here(Box<Lane>),
    Away(Away),
}

/// What is to be known of a lane that is away.
struct Away {
    store: String,
    /// Its deliveries that run, without those that its turn starts.
    running: u32,
    /// How many its turn may start.
    allowed: u32,
    /// When it left, by the monotonic clock.
    since_us: u64,
    /// What came for it meanwhile.
    notes: Vec<Note>,
}

impl Posts {
    /// These lanes, all of them here.
    pub fn new(lanes: impl Iterator<Item = Lane>) -> Posts {
        let posts =
            lanes.map(|lane| Post { place: Place::Here(Box::new(lane)), short: false, fruitless_us: None });
        Posts { of_stores: posts.collect(), turns: FuturesUnordered::new(), first: 0 }
    }

    /// The lanes that are here.
    pub fn here(&self) -> impl Iterator<Item = &Lane> {
        self.of_stores.iter().filter_map(Post::here)
    }

    /// The same, to be changed.
    pub fn here_mut(&mut self) -> impl Iterator<Item = &mut Lane> {
        self.of_stores.iter_mut().filter_map(|post| match &mut post.place {
            Place::Here(lane) => Some(&mut **lane),
            Place::Away(_) => None,
        })
    }

    /// How many deliveries run.
    pub fn running(&self) -> u32 {
        self.of_stores.iter().map(Post::running).sum()
    }

    /// How many workers are free. What a turn that hangs was allowed is anybody's again: should it start them after all, a
    /// few more run for a while.
    pub fn free(&self, engine: &Engine) -> u32 {
        let now_us = engine.host.monotonic_us();
        let allowed: u32 = self.of_stores.iter().map(|post| post.allowed(now_us)).sum();
        engine.deployable.runner.workers.saturating_sub(self.running().saturating_add(allowed))
    }

    /// How long until what a turn was allowed is anybody's again whom that would help, ms.
    pub fn allowed_for_ms(&self, engine: &Engine) -> Option<u64> {
        let now_us = engine.host.monotonic_us();
        let helps = self.of_stores.iter().any(|post| post.wants(engine));
        let held = self.of_stores.iter().filter(|post| post.allowed(now_us) > 0);
        let left = held.filter_map(|post| match &post.place {
            Place::Away(away) => Some(away.left_ms(now_us)),
            Place::Here(_) => None,
        });
        left.min().filter(|_| helps)
    }

    /// Hands a note to the lane of its store, where there is one.
    pub fn note(&mut self, engine: &Engine, store: &str, note: Note) {
        if let Some(post) = self.of_stores.iter_mut().find(|post| post.store() == store) {
            post.note(engine, note);
        }
    }

    /// Hands a note to every lane.
    pub fn note_all(&mut self, engine: &Engine, note: &Note) {
        self.of_stores.iter_mut().for_each(|post| post.note(engine, note.clone()));
    }

    /// Sends off each lane that has something to do at its store, the free workers shared out among those that want any.
    pub fn send(&mut self, engine: &Arc<Engine>) {
        let (now_ms, now_us) = (engine.now_ms(), engine.host.monotonic_us());
        let all_free = self.free(engine);
        let mut free = all_free;
        let mut wanting = self.of_stores.iter().filter(|post| post.wants(engine)).count();
        let count = self.of_stores.len();
        for at in (0..count).map(|turn| (self.first + turn) % count) {
            let Some(post) = self.of_stores.get_mut(at) else { continue };
            let mut allowed = 0;
            if post.wants(engine) {
                allowed = free.div_ceil(u32::try_from(wanting).unwrap_or(u32::MAX));
                (free, wanting) = (free - allowed, wanting - 1);
                post.short = allowed < all_free && post.may_be_short(now_us);
            }
            let due_in_ms =
                post.here().and_then(|lane| lane.next_in_ms(now_ms, now_us, allowed, &slots_of(engine)));
            if due_in_ms == Some(0)
                && let Some(mut lane) = post.leave(allowed, now_us)
            {
                let engine = engine.clone();
                self.turns.push(Box::pin(async move {
                    lane.turn(&engine, allowed).await;
                    (at, lane)
                }));
            }
        }
        self.first = (self.first + 1) % count.max(1);
    }

    /// Whether every lane is away.
    pub fn all_away(&self) -> bool {
        !self.of_stores.is_empty() && self.turns.len() == self.of_stores.len()
    }

    /// Waits for the next lane to come back; whether there is something to look for then: notes came for it, or workers are
    /// free that some lane had too few of. Never ends where none is away.
    pub async fn back(&mut self, engine: &Engine) -> bool {
        let Some((at, lane)) = self.turns.next().await else { return std::future::pending().await };
        let Some(post) = self.of_stores.get_mut(at) else { return false };
        let Place::Away(away) = std::mem::replace(&mut post.place, Place::Here(lane)) else { return false };
        if post.running().saturating_sub(away.running) < away.allowed {
            (post.short, post.fruitless_us) = (false, Some(engine.host.monotonic_us()));
        }
        let noted = !away.notes.is_empty();
        away.notes.into_iter().for_each(|note| post.note(engine, note));
        noted || self.free(engine) > 0 && self.of_stores.iter().any(|post| post.short && post.wants(engine))
    }

    /// Waits until every lane is back.
    pub async fn all_back(&mut self, engine: &Engine) {
        while !self.turns.is_empty() {
            self.back(engine).await;
        }
    }
}

impl Post {
    fn here(&self) -> Option<&Lane> {
        match &self.place {
            Place::Here(lane) => Some(lane),
            Place::Away(_) => None,
        }
    }

    fn store(&self) -> &str {
        match &self.place {
            Place::Here(lane) => &lane.open.name,
            Place::Away(away) => &away.store,
        }
    }

    fn running(&self) -> u32 {
        match &self.place {
            Place::Here(lane) => lane.running(),
            Place::Away(away) => away.running,
        }
    }

    fn allowed(&self, now_us: u64) -> u32 {
        match &self.place {
            Place::Away(away) if away.left_ms(now_us) > 0 => away.allowed,
            _ => 0,
        }
    }

    /// Whether its lane is here and could use free workers.
    fn wants(&self, engine: &Engine) -> bool {
        self.here().is_some_and(|lane| lane.wants_workers(engine))
    }

    /// Whether more than its share would help: not where what is due turned out to be nobody's to take just now.
    fn may_be_short(&self, now_us: u64) -> bool {
        let since_ms = self.fruitless_us.map_or(u64::MAX, |us| now_us.saturating_sub(us) / 1_000);
        since_ms >= limits::LOOKS_APART_MS_MIN
    }

    fn leave(&mut self, allowed: u32, now_us: u64) -> Option<Box<Lane>> {
        let lane = self.here()?;
        let (store, running) = (lane.open.name.clone(), lane.running());
        let away = Away { store, running, allowed, since_us: now_us, notes: Vec::new() };
        match std::mem::replace(&mut self.place, Place::Away(away)) {
            Place::Here(lane) => Some(lane),
            Place::Away(_) => None,
        }
    }

    fn note(&mut self, engine: &Engine, note: Note) {
        match &mut self.place {
            Place::Here(lane) => lane.note(engine, note),
            Place::Away(away) => {
                away.running = away.running.saturating_sub(u32::from(matches!(note, Note::Freed { .. })));
                away.notes.push(note);
            }
        }
    }
}

impl Away {
    /// How much longer its turn counts as one that does not hang, ms.
    fn left_ms(&self, now_us: u64) -> u64 {
        limits::LOOKS_APART_MS_MIN.saturating_sub(now_us.saturating_sub(self.since_us) / 1_000)
    }
}

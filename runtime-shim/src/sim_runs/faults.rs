//! What goes wrong around a statement: its line breaks before or after it took effect, or its machine is lost there.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::host::Host;
use crate::sim::VirtualHost;
use crate::stop::Stop;

/// What goes wrong with statements, by chance.
pub struct Faults {
    chance: Arc<VirtualHost>,
    /// Of ten thousand statements, how many of each kind go wrong.
    rate: AtomicU64,
    over: AtomicBool,
    /// Whether each statement is on its way for a moment where nothing goes wrong by chance.
    slow: AtomicBool,
    /// While it is there, no statement is answered, or none of a name.
    hangs: Mutex<Option<(Option<&'static str>, Stop)>>,
    /// The next statement of this name goes wrong so, and is on its way no longer than others.
    chosen: Mutex<Option<(&'static str, Fault)>>,
    /// No statement of this name ever arrives.
    never: Mutex<Option<&'static str>>,
}

/// What becomes of one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// How long it is on its way there, ms.
    pub there_ms: u64,
    /// How long its answer is on its way back, ms.
    pub back_ms: u64,
    /// What goes wrong.
    pub fault: Fault,
}

/// What goes wrong with a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// It never arrives.
    Unsent,
    /// It takes effect, and its answer never arrives.
    Unanswered,
    /// Its machine is lost before it arrives.
    CrashBefore,
    /// It takes effect, and its machine is lost.
    CrashAfter,
}

impl Faults {
    pub fn new(chance: Arc<VirtualHost>, rate: u64) -> Faults {
        Faults {
            chance,
            rate: AtomicU64::new(rate),
            over: AtomicBool::default(),
            slow: AtomicBool::default(),
            hangs: Mutex::default(),
            chosen: Mutex::default(),
            never: Mutex::default(),
        }
    }

    /// From now on every statement is answered at once.
    pub fn heal(&self) {
        self.over.store(true, Ordering::Relaxed);
        *self.lock() = None;
        *self.never() = None;
    }

    /// Nothing goes wrong but the next statement of this name.
    pub fn only(&self, what: &'static str, fault: Fault) {
        self.heal();
        *self.lock() = Some((what, fault));
    }

    /// Nothing goes wrong, but no statement of this name ever arrives.
    pub fn only_never(&self, what: &'static str) {
        self.heal();
        *self.never() = Some(what);
    }

    /// Nothing goes wrong, but each statement is on its way for a moment, so that a machine can be lost there.
    pub fn only_slow(&self) {
        self.heal();
        self.slow.store(true, Ordering::Relaxed);
    }

    /// From now on no statement is answered, until that is told to end.
    pub fn hang(&self) -> Stop {
        self.hang_at(None)
    }

    /// From now on no statement of this name is answered, until that is told to end.
    pub fn hang_only(&self, what: &'static str) -> Stop {
        self.hang_at(Some(what))
    }

    fn hang_at(&self, what: Option<&'static str>) -> Stop {
        let end = Stop::default();
        *self.hangs.lock().unwrap_or_else(PoisonError::into_inner) = Some((what, end.clone()));
        end
    }

    /// Ends once statements of this name are answered.
    pub async fn answers(&self, what: &str) {
        let hangs = self.hangs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((only, end)) = hangs
            && only.is_none_or(|only| only == what)
        {
            end.asked().await;
        }
    }

    /// Whether the statement that was to go wrong is still to come.
    pub fn is_chosen(&self) -> bool {
        self.lock().is_some()
    }

    /// From now on so many of ten thousand statements go wrong in each way.
    pub fn set_rate(&self, rate: u64) {
        self.rate.store(rate, Ordering::Relaxed);
    }

    /// Whether more statements go wrong than ever do for long.
    pub fn are_many(&self) -> bool {
        self.rate.load(Ordering::Relaxed) >= 1_000
    }

    /// The fate of the next statement, which has this name.
    pub fn next(&self, what: &str) -> Fate {
        let chosen = self.lock().take_if(|(chosen, _)| *chosen == what);
        if let Some((_, fault)) = chosen {
            return Fate { there_ms: 0, back_ms: 0, fault };
        }
        if *self.never() == Some(what) {
            return Fate { there_ms: 0, back_ms: 0, fault: Fault::Unsent };
        }
        if self.over.load(Ordering::Relaxed) {
            let ms = u64::from(self.slow.load(Ordering::Relaxed));
            return Fate { there_ms: ms, back_ms: ms, fault: Fault::None };
        }
        let random = self.chance.random();
        let rate = self.rate.load(Ordering::Relaxed);
        // A lost machine is the rarest, since it ends so much at once.
        let fault = match random % 10_000 {
            at if at < rate => Fault::Unsent,
            at if at < 2 * rate => Fault::Unanswered,
            at if at < 2 * rate + rate / 8 => Fault::CrashBefore,
            at if at < 2 * rate + rate / 4 => Fault::CrashAfter,
            _ => Fault::None,
        };
        let mut ms = [random >> 20, random >> 40].map(|random| random % 8);
        if (random >> 60) == 0 {
            ms = ms.map(|ms| ms * 400);
        }
        Fate { there_ms: ms[0].saturating_sub(4), back_ms: ms[1].saturating_sub(4), fault }
    }

    fn never(&self) -> MutexGuard<'_, Option<&'static str>> {
        self.never.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(&'static str, Fault)>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

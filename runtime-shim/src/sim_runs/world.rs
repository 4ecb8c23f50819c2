//! The world of a run: machines that share two stores, a provider, and whoever asks the app for transfers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::code::{Code, STARTS_EVERY};
use super::faults::Faults;
use super::faulty_store::FaultyStore;
use super::machine::Machine;
use super::plan;
use super::provider::Provider;
use super::record::Record;
use crate::action::{ActionEnd, Ask};
use crate::app::App;
use crate::engine::Engine;
use crate::host::Host;
use crate::notes::Note;
use crate::serve::serve;
use crate::settle;
use crate::sim::{Sim, Timers, VirtualHost};
use crate::start::{Surroundings, start};
use crate::status::Count;
use crate::stop::Stop;
use crate::store::memory::MemoryStore;
use crate::store::{ClaimRun, Fence, SharedStore, TakeOver};
use crate::trial::START_MS;

/// The names of the stores.
pub const STORES: [&str; 2] = ["desk", "main"];

/// A world.
pub struct World<'s> {
    sim: &'s Sim,
    pub timers: Timers,
    pub provider: Arc<Provider>,
    pub record: Arc<Record>,
    pub faults: Arc<Faults>,
    pub chance: Arc<VirtualHost>,
    /// The provider's chance.
    _answers: Arc<VirtualHost>,
    pub code: Code,
    pub cap: u64,
    /// With each interval that the poll may have.
    plans_json: Vec<String>,
    pub kept: Kept,
    pub live: Vec<Instance>,
    started: u64,
    budget_ms: u64,
    /// By their number.
    transfers: Arc<Mutex<BTreeMap<u64, Outcome>>>,
    /// Held by each transfer that may still be answered.
    asked: Arc<()>,
}

/// Where its stores are kept.
pub enum Kept {
    /// In memory, as instances share a database: it has a time of its own, so far ahead of the world's.
    Memory { stores: BTreeMap<String, Arc<MemoryStore>>, ahead_ms: Arc<AtomicI64> },
    /// In files of one machine, whose wall clock is so far ahead.
    Files { directory: tempfile::TempDir, ahead_ms: i64 },
}

/// One start of the app.
pub struct Instance {
    pub number: u64,
    pub engine: Arc<Engine>,
    pub machine: Arc<Machine>,
    /// Its stores without what goes wrong on the way to them.
    pub stores: BTreeMap<String, SharedStore>,
    /// Said once serving has ended.
    pub ended: Stop,
    started_us: u64,
    wakes_before: u64,
}

/// What whoever asked for a transfer knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered.
    Done,
    /// It was refused.
    Refused,
    /// There was no answer, or none that says.
    Unknown,
}

impl<'s> World<'s> {
    pub fn new(sim: &'s Sim, provider: Arc<Provider>, files: bool, watched: bool) -> World<'s> {
        let chance = sim.host(1_000);
        let record = Arc::new(Record::new(sim.timers(), watched));
        let answers = sim.host(1_001);
        provider.join(&answers, record.clone());
        let random = chance.random();
        let plans_json = plan::EVERY_MS.map(|every_ms| {
            let mut plan = plan::plan(random);
            let feed = plan.connections.get_mut("feed").expect("it is there");
            feed.polls.get_mut("prices").expect("it is there").every_ms = every_ms;
            serde_json::to_string(&plan).expect("a plan can be written")
        });
        World {
            sim,
            timers: sim.timers(),
            provider,
            faults: Arc::new(Faults::new(sim.host(1_002), chance.random() % 200)),
            record,
            code: Code { healthy: Arc::new(AtomicBool::new(false)), has_sql: files },
            cap: plan::cap(random),
            plans_json: plans_json.to_vec(),
            kept: if files { Kept::files() } else { Kept::memory(&sim.timers()) },
            live: Vec::new(),
            started: 0,
            // A budget as short as that ends bodies, and leases soon after.
            budget_ms: if random >> 40 & 1 == 0 { 15 * 60_000 } else { 30_000 },
            transfers: Arc::default(),
            asked: Arc::default(),
            chance,
            _answers: answers,
        }
    }

    /// Starts the app on a machine of its own.
    pub fn start(&mut self) {
        self.started += 1;
        let number = self.started;
        let machine = Arc::new(Machine::new(self.sim.host(number), self.timers.clone()));
        self.set_clock(&machine);
        let surroundings =
            Surroundings { budget_ms: self.budget_ms, busy_ms: 0, ..Surroundings::in_order(machine.clone()) };
        // Mostly the shortest, so that there is much to do.
        let which = usize::try_from(self.chance.random() % 6).expect("it is small");
        let plan = &self.plans_json[which.saturating_sub(3)];
        let app = self.kept.keep(App::new(plan, "server", self.code.clone()));
        let mut ready = start(app, &surroundings).expect("nothing is wrong with the plan");
        let engine = Arc::get_mut(&mut ready.engine).expect("nothing runs yet");
        let mut stores = BTreeMap::new();
        for (name, open) in &mut engine.stores {
            stores.insert(name.clone(), open.store.clone());
            open.store = Arc::new(FaultyStore {
                name: name.clone(),
                inner: open.store.clone(),
                machine: machine.clone(),
                number,
                faults: self.faults.clone(),
                record: self.record.clone(),
                turn: Arc::default(),
            });
        }
        self.record.trace(|| format!("m{number} starts"));
        let (engine, ended) = (ready.engine.clone(), Stop::default());
        let (said, gone) = (ended.clone(), machine.clone());
        machine.spawn(Box::pin(async move {
            serve(ready).await;
            said.ask();
            // Its process has ended.
            gone.crash();
        }));
        let started_us = self.timers.now_us();
        let wakes_before = self.record.facts().wakes;
        self.live.push(Instance { number, engine, machine, stores, ended, started_us, wakes_before });
    }

    /// Machines have clocks of their own, unless they share files: then they are processes of one machine.
    fn set_clock(&self, machine: &Machine) {
        match &self.kept {
            Kept::Memory { .. } => {
                let off_ms = i64::try_from(self.chance.random() % 480_000).expect("it is small");
                machine.step_wall(off_ms - 240_000);
            }
            Kept::Files { ahead_ms, .. } => machine.step_wall(*ahead_ms),
        }
    }

    /// Steps the clock that the stores go by.
    pub fn step_clock(&mut self, ms: i64) {
        self.record.trace(|| format!("the clock of the stores steps by {ms}"));
        match &mut self.kept {
            Kept::Memory { ahead_ms, .. } => drop(ahead_ms.fetch_add(ms, Ordering::Relaxed)),
            Kept::Files { ahead_ms, .. } => {
                *ahead_ms += ms;
                self.live.iter().for_each(|one| one.machine.step_wall(ms));
            }
        }
    }

    /// Takes off those that have ended; each is checked for having looked too often.
    pub fn bury(&mut self) {
        let (gone, live) = std::mem::take(&mut self.live).into_iter().partition(Instance::is_gone);
        self.live = live;
        let gone: Vec<Instance> = gone;
        for one in gone {
            self.check_instance(&one);
        }
    }

    /// What holds for each instance: its loop doesn't spin, and its attempts at once are at most the cap.
    pub fn check_instance(&self, one: &Instance) {
        let mut facts = self.record.facts();
        let seconds = (self.timers.now_us() - one.started_us) / 1_000_000;
        let most = 20 + 11 * seconds + 3 * (facts.wakes - one.wakes_before);
        let looks = one.engine.tally.get(Count::Looks);
        if looks > most {
            facts.wrong.push(format!("m{} looked {looks} times in {seconds} s", one.number));
        }
        if one.machine.at_once_max() > self.cap {
            let at_once = one.machine.at_once_max();
            facts.wrong.push(format!("m{} had {at_once} attempts at once of {}", one.number, self.cap));
        }
    }

    /// Forces every lease to end, though whoever holds it works on; those who may take what it held are told at once.
    pub async fn end_leases(&self) {
        let Some(stores) = self.live.first().map(|one| one.stores.clone()) else { return };
        self.record.trace(|| "every lease is forced to end");
        for (name, store) in stores {
            let over = TakeOver {
                now_ms: i64::MAX / 2,
                instance: 0,
                silent_ms: 0,
                running: Vec::new(),
                attempts: Vec::new(),
            };
            store.take_over(over).await.expect("the store answers");
            self.take_run(&name, &store).await;
        }
        for one in &self.live {
            self.record.facts().wakes += 1;
            one.engine.notes.leave(Note::Tick);
            one.engine.runs.may_be_due();
        }
    }

    /// Takes a batch run from whoever works on it, and lets go of it.
    async fn take_run(&self, name: &str, store: &SharedStore) {
        let token = i64::try_from(self.chance.random() >> 1).expect("63 bits fit");
        let claim = ClaimRun {
            now_ms: i64::MAX / 2,
            token,
            instance: 0,
            until_ms: i64::MAX / 2,
            silent_ms: 0,
            batches: vec!["recount".to_owned(), "fill".to_owned()],
            running: Vec::new(),
        };
        let Some(run) = store.claim_run(claim).await.expect("the store answers") else { return };
        self.record.facts().claimed(&format!("run of {name}"), run.id, token);
        let due_ms = self.timers.wall_ms();
        store.give_back_run(run.held(), due_ms).await.expect("the store answers");
    }

    /// One that serves, by chance.
    pub fn any(&self) -> Option<&Instance> {
        let serving: Vec<&Instance> =
            self.live.iter().filter(|one| !one.is_gone() && !one.engine.stop.is_asked()).collect();
        let at = self.chance.random() % (serving.len() as u64).max(1);
        serving.get(usize::try_from(at).expect("it is small")).copied()
    }

    /// Asks for a transfer of a number of its own, and waits for what it sets off, beside everything else.
    pub fn transfer(&self) {
        let Some(one) = self.any() else { return };
        let number = {
            let mut transfers = self.transfers();
            let number = 1_000_000 + transfers.len() as u64;
            transfers.insert(number, Outcome::Unknown);
            number
        };
        let (engine, transfers, record) = (one.engine.clone(), self.transfers.clone(), self.record.clone());
        let (heard, asked) = (self.kept.heard(number), self.asked.clone());
        let ask = Ask {
            action: "transfer".to_owned(),
            input: Some(number.to_string()),
            fence: Fence::Free,
            limit_ms: 10_000,
            claim: None,
            trace: None,
        };
        one.engine.spawn(async move {
            let settled = settle::run(&engine, ask).await;
            record.trace(|| format!("transfer {number} ends: {settled:?}"));
            if matches!(settled.end, ActionEnd::Done { .. })
                && settled.pending + settled.failed == 0
                && !heard()
            {
                record.facts().wrong.push(format!("transfer {number} was told settled, and was not"));
            }
            drop(asked);
            let outcome = match settled.end {
                ActionEnd::Done { .. } => Outcome::Done,
                ActionEnd::StoreTrouble(_) => Outcome::Unknown,
                _ => Outcome::Refused,
            };
            transfers.lock().unwrap_or_else(PoisonError::into_inner).insert(number, outcome);
        });
    }

    /// How many transfers may still be answered.
    pub fn waiting(&self) -> usize {
        Arc::strong_count(&self.asked) - 1
    }

    /// Each transfer and what is known of it.
    pub fn transfers(&self) -> MutexGuard<'_, BTreeMap<u64, Outcome>> {
        self.transfers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Instance {
    /// Whether nothing of it runs any more.
    pub fn is_gone(&self) -> bool {
        self.machine.is_lost()
    }
}

impl Kept {
    fn memory(timers: &Timers) -> Kept {
        let ahead_ms = Arc::new(AtomicI64::new(0));
        let stores = STORES.map(|name| {
            let (timers, ahead_ms) = (timers.clone(), ahead_ms.clone());
            let clock = move || timers.wall_ms() + ahead_ms.load(Ordering::Relaxed);
            (name.to_owned(), Arc::new(MemoryStore::shared(name, clock)))
        });
        Kept::Memory { stores: BTreeMap::from(stores), ahead_ms }
    }

    fn files() -> Kept {
        Kept::Files { directory: tempfile::tempdir().expect("a directory can be made"), ahead_ms: 0 }
    }

    fn keep(&self, mut app: App) -> App {
        for name in STORES {
            app = match self {
                Kept::Memory { stores, .. } => app.store_in_memory(name, stores[name].clone()),
                Kept::Files { directory, .. } => {
                    let file = directory.path().join(format!("{name}.db"));
                    app.store_file(name, file.to_str().expect("its name is text"))
                        .prepare(name, "CREATE TABLE IF NOT EXISTS quotes (btc TEXT, eth TEXT) STRICT")
                }
            };
        }
        app
    }

    /// Whether all that a transfer sets off is done, as far as its store can be asked in between.
    fn heard(&self, number: u64) -> Box<dyn Fn() -> bool + Send> {
        let Kept::Memory { stores, .. } = self else { return Box::new(|| true) };
        let (main, desk) = (stores["main"].clone(), stores["desk"].clone());
        let kept = format!(r#"{{"btc":"{number}"}}"#);
        Box::new(move || {
            let has = |store: &MemoryStore, what: &str, to: &str| {
                written(store).iter().any(|(did, of)| did == what && of == to)
            };
            let steps = super::code::STEPS - 1;
            has(&desk, "hear_kept", &kept)
                && (!number.is_multiple_of(STARTS_EVERY) || has(&main, "step", &format!("{kept} {steps}")))
        })
    }
}

/// What bodies wrote to a store in memory: what they did, and to what.
pub fn written(store: &MemoryStore) -> Vec<(String, String)> {
    let text = |value: &crate::sql::SqlValue| match value {
        crate::sql::SqlValue::Text(text) => text.clone(),
        other => format!("{other:?}"),
    };
    store.writes().iter().map(|write| (text(&write.params[0]), text(&write.params[1]))).collect()
}

/// When the world begins.
pub const BEGINS_MS: i64 = START_MS;

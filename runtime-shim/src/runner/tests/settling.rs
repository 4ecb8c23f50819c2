//! What is done is written beside the loop, over a store that instances share: it may take long, fail, and meet a stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Value;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::limits;
use crate::notes::Note;
use crate::sim_runs::faults::{Fault, Faults};
use crate::sim_runs::faulty_store::FaultyStore;
use crate::sim_runs::machine::Machine;
use crate::sim_runs::record::Record;
use crate::status::Count;
use crate::store::memory::MemoryStore;
use crate::store::{Boundary, Fence, NewDelivery, NewEvent, Store};
use crate::trial::{Body, Instance, START_MS, Trial};

const SECOND_MS: u64 = 1_000;

/// What writes deliveries as done, as the line to the store calls it.
const SETTLE: &str = "settle_deliveries";

/// An app whose instance reaches the store that it shares over a line of which a test chooses what goes wrong.
struct World {
    trial: Trial,
    memory: Arc<MemoryStore>,
    faults: Arc<Faults>,
    /// How often a body ran.
    ran: Arc<AtomicU32>,
    instance: Instance,
}

impl World {
    fn new(workers: u32) -> World {
        let (mut trial, memory) = Trial::new(|plan| {
            let server = plan.deployables.get_mut("server").unwrap();
            server.polls.clear();
            server.runner.workers = workers;
        })
        .sharing_memory();
        let timers = trial.sim.timers();
        let faults = Arc::new(Faults::new(trial.sim.host(50), 0));
        faults.heal();
        let machine = Arc::new(Machine::new(trial.sim.host(51), timers.clone()));
        let (record, line) = (Arc::new(Record::new(timers, false)), faults.clone());
        trial.between = Some(Box::new(move |name, inner| {
            let (machine, faults, record) = (machine.clone(), line.clone(), record.clone());
            let name = name.to_owned();
            Arc::new(FaultyStore { name, inner, machine, number: 1, faults, record, turn: Arc::default() })
        }));
        let ran = Arc::new(AtomicU32::new(0));
        let instance = trial.serve(1, counting(ran.clone()));
        trial.pass(SECOND_MS);
        World { trial, memory, faults, ran, instance }
    }

    /// Keeps so many events with a delivery each, due now.
    fn keep(&self, count: usize) {
        let now_ms = START_MS + self.trial.now_ms();
        let event = NewEvent {
            name: "coinfeed.PricesChanged".to_owned(),
            source: Some("feed".to_owned()),
            external_id: None,
            occurred_at_ms: now_ms,
            payload: r#"{"btc":"1","eth":"2"}"#.to_owned(),
            trace: None,
            created_at_ms: now_ms,
            deliveries: vec![NewDelivery { subscriber: "update_quotes".to_owned(), give_up_ms: i64::MAX }],
        };
        let boundary = Boundary { events: vec![event; count], ..Boundary::empty(Fence::Free, now_ms) };
        self.trial.sim.run(self.memory.commit(boundary)).unwrap();
        self.trial.pass(SECOND_MS);
    }

    /// Deliveries that are pending, claimed and done.
    fn counts(&self) -> [u64; 3] {
        let counts = self.trial.sim.run(self.memory.delivery_counts()).unwrap();
        assert_eq!((counts.failed, counts.discarded), (0, 0));
        [counts.pending, counts.claimed, counts.done]
    }

    fn ran(&self) -> u32 {
        self.ran.load(Ordering::SeqCst)
    }

    fn looks(&self) -> u64 {
        self.instance.engine.tally.get(Count::Looks)
    }
}

/// Has its value at once, and counts how often it was asked for.
fn counting(ran: Arc<AtomicU32>) -> impl Body {
    fn body<F>(f: F) -> F
    where
        F: for<'a> Fn(&'a str, &'a mut Context, &'a Delivered) -> Value<'a>,
    {
        f
    }
    body(move |_, _, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(()) })
    })
}

#[test]
fn what_takes_minutes_to_be_written_is_not_taken_over_and_has_the_loop_look_no_oftener() {
    let mut world = World::new(8);
    let end = world.faults.hang_only(SETTLE);
    world.keep(1);
    world.trial.between = None;
    let other = world.trial.serve(2, counting(world.ran.clone()));
    let looks = world.looks();
    world.trial.pass(200 * SECOND_MS);
    assert_eq!((world.counts(), world.ran()), ([0, 1, 0], 1), "nobody takes it over");
    let looks = world.looks() - looks;
    assert!(looks < 40, "{looks} looks in 200 s");
    end.ask();
    world.trial.pass(SECOND_MS);
    assert_eq!((world.counts(), world.ran()), ([0, 0, 1], 1));
    assert_eq!(other.engine.tally.get(Count::DeliveriesDone), 0);
}

#[test]
fn one_that_fails_is_tried_again() {
    for fault in [Fault::Unsent, Fault::Unanswered] {
        let world = World::new(8);
        world.faults.only(SETTLE, fault);
        world.keep(1);
        assert!(!world.faults.is_chosen());
        world.trial.pass(SECOND_MS);
        assert_eq!((world.counts(), world.ran()), ([0, 0, 1], 1), "{fault:?}");
        assert_eq!(world.instance.open().settles.in_a_row(), 0);
    }
}

#[test]
fn while_it_fails_claims_go_on_and_the_program_is_ready_no_more() {
    let world = World::new(8);
    world.faults.only_never(SETTLE);
    let open = world.instance.open();
    let (mut kept, before) = (0, world.memory.operations());
    while open.is_ready() {
        assert!(kept < 60, "ten tries in a row fail within ten minutes: {}", open.settles.in_a_row());
        world.keep(1);
        kept += 1;
        world.trial.pass(9 * SECOND_MS);
        assert_eq!(world.ran(), kept, "no claim waits for it");
    }
    assert_eq!((open.settles.in_a_row(), open.errors.in_a_row()), (10, 0));
    let operations = world.memory.operations() - before;
    assert!(operations < u64::from(kept) * 10, "{operations} operations for {kept} deliveries");
    world.faults.heal();
    world.trial.pass(61 * SECOND_MS);
    assert_eq!((world.counts(), world.ran()), ([0, 0, u64::from(kept)], kept));
    assert!(open.is_ready());
}

#[test]
fn one_that_breaks_off_is_written_again() {
    let world = World::new(8);
    let _end = world.faults.hang_only(SETTLE);
    world.keep(1);
    let _answered = world.faults.hang_only("nothing");
    world.instance.engine.notes.leave(Note::Settled { store: "main".to_owned(), fenced: None });
    world.trial.pass(2 * SECOND_MS);
    assert_eq!((world.counts(), world.ran()), ([0, 0, 1], 1));
}

#[test]
fn a_stop_waits_for_what_is_just_being_written_and_writes_the_rest() {
    let world = World::new(8);
    let end = world.faults.hang_only(SETTLE);
    world.keep(1);
    world.keep(1);
    world.instance.engine.stop.ask();
    world.trial.pass(SECOND_MS);
    assert_eq!(world.counts(), [0, 2, 0]);
    end.ask();
    assert!(world.instance.stop(&world.trial) < 1_000);
    assert_eq!((world.counts(), world.ran()), ([0, 0, 2], 2));
}

#[test]
fn a_stop_writes_what_could_not_be_written_before() {
    let world = World::new(8);
    world.faults.only_never(SETTLE);
    world.keep(3);
    world.instance.engine.stop.ask();
    world.trial.pass(2 * SECOND_MS);
    assert_eq!(world.counts(), [0, 3, 0]);
    world.faults.heal();
    assert!(world.instance.stop(&world.trial) < 1_000);
    assert_eq!((world.counts(), world.ran()), ([0, 0, 3], 3));
}

#[test]
fn a_lane_that_is_behind_claims_nothing_until_it_no_longer_is() {
    const WORKERS: u32 = 700;
    let world = World::new(WORKERS);
    let end = world.faults.hang_only(SETTLE);
    world.keep(2 * limits::UNSETTLED_MAX);
    let ran = world.ran();
    let most = limits::UNSETTLED_MAX - 1 + WORKERS as usize;
    assert!((limits::UNSETTLED_MAX..=most).contains(&(ran as usize)), "{ran} ran");
    let looks = world.looks();
    world.trial.pass(100 * SECOND_MS);
    assert_eq!(world.ran(), ran, "it is behind");
    let looks = world.looks() - looks;
    assert!(looks < 30, "{looks} looks in 100 s");
    end.ask();
    world.trial.pass(SECOND_MS);
    let all = 2 * limits::UNSETTLED_MAX;
    assert_eq!((world.counts(), world.ran() as usize), ([0, 0, all as u64], all));
}

//! One run: a few minutes in which everything goes wrong that the seed says, then time to heal, then the checks.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::future::select;

use super::checks;
use super::provider::Provider;
use super::world::{BEGINS_MS, World};
use crate::host::Host;
use crate::sim::Sim;

/// Which of so many seeds keeps its stores in files, which takes longer.
const FILES_EVERY: u64 = 25;

/// Which of so many seeds goes on until what it kept is old.
const PURGES_EVERY: u64 = 8;

/// How long a run may take to end what it began, min.
const HEALS_MIN_MAX: u64 = 60;

/// What a run left.
#[derive(Debug, Default)]
pub struct Report {
    /// Events that were kept.
    pub events: usize,
    /// Deliveries that were made.
    pub deliveries: u64,
    /// Statements that the stores were asked for.
    pub statements: u64,
    /// Everything in order, where it was watched.
    pub trace: Vec<String>,
}

/// Runs a seed.
///
/// # Panics
/// Where a promise is broken.
pub fn run(seed: u64, watched: bool) -> Report {
    // What another test of this process logs is not this run's, and lines by the million are slow.
    tracing::subscriber::with_default(tracing::subscriber::NoSubscriber::default(), || {
        let provider = Arc::new(Provider::default());
        let sim = Sim::new(seed, BEGINS_MS, provider.clone()).in_any_order();
        let mut world = World::new(&sim, provider, seed % FILES_EVERY == FILES_EVERY - 1, watched);
        sim.run(async {
            chaos(&mut world).await;
            heal(&mut world).await;
            let mut report = checks::all(&mut world).await;
            if seed.is_multiple_of(PURGES_EVERY) {
                checks::purge(&mut world).await;
                report.trace.extend(world.record.take_trace());
            }
            report
        })
    })
}

/// Runs what a test chooses in a world where nothing goes wrong by chance, and then the checks.
pub fn chosen(files: bool, choose: impl AsyncFnOnce(&mut World<'_>)) -> Report {
    let provider = Arc::new(Provider::default());
    let sim = Sim::new(7, BEGINS_MS, provider.clone());
    let mut world = World::new(&sim, provider, files, false);
    world.faults.heal();
    world.provider.heal();
    world.code.healthy.store(true, Ordering::Relaxed);
    sim.run(async {
        choose(&mut world).await;
        checks::all(&mut world).await
    })
}

async fn chaos(world: &mut World<'_>) {
    for _ in 0..=world.chance.random() % 3 {
        world.start();
    }
    for _ in 0..12 + world.chance.random() % 24 {
        world.timers.sleep(world.chance.random() % 10_000).await;
        if world.faults.are_many() && world.chance.random().is_multiple_of(2) {
            world.faults.set_rate(100);
        }
        one_move(world).await;
        world.bury();
        if world.live.is_empty() || world.live.len() < 3 && world.chance.random().is_multiple_of(3) {
            world.start();
        }
    }
}

/// Whatever happens next.
async fn one_move(world: &mut World<'_>) {
    let random = world.chance.random();
    let how_much = world.chance.random();
    let within = |most: u64| i64::try_from(how_much % (2 * most)).expect("it is small") - signed(most);
    match random % 27 {
        0..8 => world.transfer(),
        8..10 => (0..how_much % 12).for_each(|_| world.transfer()),
        10 => on_any(world, "is lost", |one| one.machine.crash()),
        11 | 12 => on_any(world, "is lost soon", |one| one.machine.crash_after(how_much % 400)),
        13 | 14 => on_any(world, "stops", |one| one.engine.stop.ask()),
        15 | 16 => on_any(world, "stands still", |one| one.machine.stand_still(how_much % 120_000)),
        17 => on_any(world, "has slept", |one| one.machine.has_slept(how_much % 600_000)),
        18 => on_any(world, "steps its clock", |one| one.machine.step_wall(within(600_000))),
        19 => world.step_clock(within(90_000)),
        20 | 21 => world.faults.set_rate(how_much % 300),
        22 => world.faults.set_rate([2_000, 10_000][usize::from(how_much.is_multiple_of(2))]),
        23..26 => world.end_leases().await,
        _ => (0..40).for_each(|_| world.transfer()),
    }
}

fn on_any(world: &World<'_>, what: &str, act: impl FnOnce(&super::world::Instance)) {
    if let Some(one) = world.any() {
        world.record.trace(|| format!("m{} {what}", one.number));
        act(one);
    }
}

/// Lets everything work again, and waits until nothing is left to do: on the machines that are there, or on a new one after
/// all of them are stopped.
async fn heal(world: &mut World<'_>) {
    world.faults.heal();
    world.provider.heal();
    world.code.healthy.store(true, Ordering::Relaxed);
    world.record.trace(|| "everything works again");
    if world.chance.random().is_multiple_of(2) {
        for one in &world.live {
            one.engine.stop.ask();
            let over = world.timers.sleep(180_000);
            select(pin!(one.ended.asked()), over).await;
            one.machine.crash();
        }
    }
    for _ in 0..HEALS_MIN_MAX {
        world.bury();
        if world.live.is_empty() {
            world.start();
        }
        world.timers.sleep(60_000 - world.timers.now_us() / 1_000 % 60_000 + 30_000).await;
        if checks::nothing_is_left(world).await {
            // One that was lost while it is watched would leave what it had just begun to nobody.
            world.live.iter().for_each(|one| one.machine.spare());
            return;
        }
    }
    let left = checks::left(world).await;
    panic!("after {HEALS_MIN_MAX} min in which everything works: {left}");
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).expect("it is small")
}

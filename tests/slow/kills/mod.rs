//! A real app whose processes are killed at random moments over real stores: nothing that was committed is lost, and nothing
//! is done twice.
//!
//! The long run: `cargo test -p jadpo-tests --test slow kills::long -- --ignored --nocapture --test-threads 1`, with
//! `KILLS=1000` for another number than 300 for each kind of store, and `KILLS_SEED=7` for another seed.

mod chance;
mod checks;
mod clients;
#[path = "../../../runtime-shim/src/trial/cluster.rs"]
mod cluster;
mod gauge;
mod instance;
mod kept;
mod storm;
mod takeover;
mod trouble;

use std::io::Write;

use cluster::Cluster;
use storm::{Figures, Storm};

/// One process with a right clock.
const ALONE: &[i64] = &[0];

/// Two processes over one file, whose machine has one clock.
const TWO: &[i64] = &[0, 0];

/// Three processes whose clocks are minutes apart.
const SKEWED: &[i64] = &[0, 95_000, -140_000];

const SHORT: Storm<'_> =
    Storm { name: "short", seed: 1, offsets_ms: ALONE, kills: 20, cluster: None, held_up: 0, restarts: 0 };

/// Tells what a run came to; the run itself has failed where anything was lost or doubled.
fn tell(name: &str, seed: u64, figures: &Figures) {
    let Figures { kills, held_up, restarts, asked, promised, attempts, kept } = figures;
    let checks::Kinds { events, deliveries, repeated, polls, runs, marked } = kept;
    let _ = writeln!(
        std::io::stderr(),
        "{name} (seed {seed}): {kills} kills, {held_up} held up, {restarts} restarts of the database; {asked} transfers asked for, \
         {promised} promised, {events} events, {deliveries} deliveries ({repeated} repeated), {polls} polls claimed, \
         {attempts} attempts at the provider, {runs} batch runs, {marked} transfers marked; nothing failed, lost or doubled"
    );
}

#[test]
fn a_process_over_sqlite_loses_nothing() {
    let storm = Storm { name: "alone", ..SHORT };
    tell("alone", 1, &storm.run());
}

#[test]
fn two_processes_over_one_sqlite_file_lose_nothing() {
    let storm = Storm { name: "two", seed: 2, offsets_ms: TWO, held_up: 5, ..SHORT };
    tell("two", 2, &storm.run());
}

#[test]
fn three_processes_over_postgresql_lose_nothing() {
    if !cluster::is_there() {
        return;
    }
    let cluster = Cluster::start();
    let storm =
        Storm { name: "skewed", seed: 3, offsets_ms: SKEWED, cluster: Some(&cluster), held_up: 5, ..SHORT };
    tell("skewed", 3, &storm.run());
}

#[test]
#[ignore = "takes many minutes"]
fn long() {
    let number = |name: &str, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let (kills, seed) = (number("KILLS", 300), number("KILLS_SEED", 1));
    let storm = |name, offsets_ms| Storm { name, seed, offsets_ms, kills, held_up: 3, ..SHORT };
    tell("sqlite, 1 process", seed, &Storm { held_up: 0, ..storm("alone", ALONE) }.run());
    tell("sqlite, 2 processes", seed, &storm("two", TWO).run());
    if cluster::is_there() {
        let cluster = Cluster::start();
        let skewed = Storm { cluster: Some(&cluster), restarts: 3, ..storm("skewed", SKEWED) };
        tell("postgresql, 3 processes", seed, &skewed.run());
    }
}

//! How many deliveries the whole runner makes a second over PostgreSQL, with a subscriber that has its value at once, beside
//! the database alone and beside other queues, turn by turn on one server; and how soon an event wakes its handler.
//!
//! `cargo bench -p jadpo-tests --bench queues`; after `--` a number of rounds, and `burn` or `wake` for one part of it.
//! Other queues are measured when they have been built; `docs/performance.md` says how.

mod board;
#[path = "../../../runtime-shim/src/trial/cluster.rs"]
mod cluster;
mod database;
mod medians;
mod peers;
mod raw;
mod wake;

use std::io::Write;

use cluster::{Cluster, programs};
use medians::Medians;
use peers::Peer;

/// What is worked off in one turn.
#[derive(Clone, Copy)]
pub struct Work {
    /// What it is called.
    pub name: &'static str,
    /// Deliveries that are due before the clock starts.
    pub due: u32,
    /// At most so many run at once.
    pub in_flight: u32,
    /// Whether a peer may gather what ended and fetch ahead, as far as it can.
    pub batched: bool,
}

const BATCHED: Work = Work { name: "batched", due: 100_000, in_flight: 1_000, batched: true };

const SIXTEEN: Work = Work { name: "16 in flight", due: 10_000, in_flight: 16, batched: false };

/// Commits wait for the disk, as they do unless somebody says otherwise.
const OPTIONS: &str = "-c fsync=on -c synchronous_commit=on -c shared_buffers=1GB -c max_wal_size=4GB";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(3_u32);
    let only = |part: &str| arguments.iter().any(|argument| argument == part);
    let mut out = std::io::stdout().lock();
    if programs().is_none() {
        writeln!(out, "left out: the package postgresql is not installed").expect("standard output is open");
        return;
    }
    let cluster = Cluster::start_for(OPTIONS);
    let (peers, left_out) = peers::built();
    for peer in left_out {
        writeln!(out, "left out: {peer}, which is not built").expect("standard output is open");
    }
    for work in [BATCHED, SIXTEEN] {
        if only("wake") {
            break;
        }
        let medians = burn_down(&mut out, &cluster, &peers, work, rounds);
        writeln!(out, "{}: {medians}", work.name).expect("standard output is open");
    }
    if !only("burn") {
        wake::measure(&mut out, &cluster, rounds);
    }
}

/// Everyone's turn in each round, so that what else the machine does falls on all of them.
fn burn_down(out: &mut impl Write, cluster: &Cluster, peers: &[Peer], work: Work, rounds: u32) -> Medians {
    let mut medians = Medians::default();
    for round in 1..=rounds {
        let mut told = |name: &str, rate: f64| {
            writeln!(out, "{round}: {}: {name} {rate:.0}/s", work.name).expect("standard output is open");
            medians.add(name, rate);
        };
        told("jadpo", board::burn_down(&database::fresh(cluster, "board"), work));
        told("the database alone", raw::burn_down(&database::fresh(cluster, "raw"), work));
        for peer in peers {
            told(peer.name, peer.burn_down(&database::fresh(cluster, "peer"), work));
        }
    }
    medians
}

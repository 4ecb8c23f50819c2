//! How many deliveries the whole runner makes a second over PostgreSQL, with a subscriber that has its value at once, beside
//! the database alone and beside other queues, turn by turn on one server; and how soon an event wakes its handler.
//!
//! `cargo bench -p jadpo-tests --bench queues`; after `--` a number of rounds, and `burn` or `wake` for one part of it.
//! Other queues are measured when they have been built; `docs/performance.md` says how.

#[path = "../deliveries/app.rs"]
mod app;
mod board;
#[path = "../../../runtime-shim/src/trial/cluster.rs"]
mod cluster;
mod database;
#[path = "../deliveries/medians.rs"]
mod medians;
#[path = "../deliveries/paced.rs"]
mod paced;
mod peers;
mod raw;
mod wake;

use std::io::Write;

use cluster::{Cluster, programs};
use medians::Medians;
use peers::Peer;
use raw::Claims;

/// What is worked off in one turn.
#[derive(Clone, Copy)]
pub struct Work {
    /// What it is called.
    pub name: &'static str,
    /// Deliveries that are due before the clock starts.
    pub due: u32,
    /// At most so many handlers run at once.
    pub in_flight: u32,
    /// Whether others may fetch ahead and gather what ended as far as they can.
    pub batched: bool,
}

const BATCHED: Work = Work { name: "batched", due: 100_000, in_flight: 1_000, batched: true };

const SIXTEEN: Work = Work { name: "16 in flight", due: 10_000, in_flight: 16, batched: false };

/// Commits wait for the disk, as they do unless somebody says otherwise.
const OPTIONS: &str = "-c fsync=on -c synchronous_commit=on -c shared_buffers=1GB -c max_wal_size=4GB";

const OURS: &str = "jadpo";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(3_u32);
    let parts = ["burn", "wake"];
    let asked: Vec<&str> =
        parts.into_iter().filter(|part| arguments.iter().any(|argument| argument == part)).collect();
    let does = |part: &str| asked.is_empty() || asked.contains(&part);
    let mut out = std::io::stdout().lock();
    if programs().is_none() {
        tell(&mut out, "left out: the package postgresql is not installed");
        return;
    }
    let cluster = Cluster::start_for(OPTIONS);
    for setting in ["fsync", "synchronous_commit"] {
        let value = database::text(&cluster.url("postgres"), &format!("SHOW {setting}"));
        assert_eq!(value, "on", "{setting}: commits wait for the disk");
    }
    if does("burn") {
        let (peers, left_out) = peers::built();
        for peer in left_out {
            tell(&mut out, &format!("left out: {}, which is not built", peer.name));
        }
        for work in [BATCHED, SIXTEEN] {
            burn_down(&mut out, &cluster, &peers, work, rounds);
        }
    }
    if does("wake") {
        wake::measure(&mut out, &cluster, rounds);
    }
}

/// Everyone's turn in each round, so that what else the machine does falls on all of them.
fn burn_down(out: &mut impl Write, cluster: &Cluster, peers: &[Peer], work: Work, rounds: u32) {
    let (mut medians, mut others) = (Medians::default(), Vec::new());
    for round in 1..=rounds {
        let mut told = |name: &'static str, rate: f64| {
            tell(out, &format!("{round}: {}: {name} {rate:.0}/s", work.name));
            medians.add(name, rate);
            if round == 1 && name != OURS {
                others.push(name);
            }
        };
        told(OURS, board::burn_down(&database::fresh(cluster, "board"), work));
        for (name, claims) in [
            ("the database alone", Claims::Synced),
            ("the database alone, its claims not synced", Claims::Unsynced),
        ] {
            told(name, raw::burn_down(&database::fresh(cluster, "raw"), work, claims));
        }
        for peer in peers.iter().filter(|peer| peer.batched == work.batched) {
            told(peer.name, peer.burn_down(&database::fresh(cluster, "peer"), work));
        }
    }
    tell(out, &format!("{}: {OURS} {:.0}/s", work.name, medians.of(OURS)));
    for other in others {
        let (rate, ratio) = (medians.of(other), medians.ratio(OURS, other));
        tell(out, &format!("{}: {other} {rate:.0}/s, {ratio} times that", work.name));
    }
}

fn tell(out: &mut impl Write, line: &str) {
    writeln!(out, "{line}").expect("standard output is open");
}

//! How many deliveries the whole runner makes a second over an SQLite file, with a subscriber that has its value at once, beside
//! a loop of claims and completions over the database alone at the same batch and beside other queues, turn by turn; whether
//! what lies in the store slows it down; and how soon an event wakes its handler.
//!
//! `cargo bench -p jadpo-tests --bench deliveries`; after `--` a number of rounds, and `rate`, `flat` or `wake` for one part.
//! Other queues are measured when they have been built; `docs/performance.md` says how.

mod app;
mod board;
mod clocks;
mod database;
mod flat;
mod medians;
mod paced;
mod peers;
mod raw;
mod wake;

use std::io::Write;
use std::path::Path;

use board::Work;
use medians::Medians;
use paced::Pace;
use peers::Peer;

const DUE: u32 = 100_000;

/// Rounds of the short turns, in which what else the machine does shows most.
const SHORT: u32 = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1_u32);
    let parts = ["rate", "flat", "wake"];
    let asked: Vec<&str> =
        parts.into_iter().filter(|part| arguments.iter().any(|argument| argument == part)).collect();
    let does = |part: &str| asked.is_empty() || asked.contains(&part);
    let plan = board::plan();
    let mut out = std::io::stdout().lock();
    if does("rate") {
        rates(&mut out, &plan, rounds);
    }
    if does("flat") {
        flat::measure(&mut out, &plan, rounds * SHORT);
    }
    if does("wake") {
        wakes(&mut out, &plan, rounds);
    }
}

fn rates(out: &mut impl Write, plan: &str, rounds: u32) {
    let (peers, left_out) = peers::built();
    for peer in left_out {
        tell(out, &format!("left out: {}, which is not built", peer.name));
    }
    for synchronous in ["NORMAL", "FULL"] {
        let mut medians = Medians::default();
        let work = Work { due: DUE, enough: DUE, synchronous };
        let mut batch = 0;
        for round in 1..=rounds {
            batch = turn(out, plan, &peers, work, (round, &mut medians));
        }
        tell(
            out,
            &format!(
                "{synchronous}: jadpo {:.0}/s, {batch} a claim; the database alone {:.0}/s, {} of it; by time on the processors {}",
                medians.of("jadpo"),
                medians.of("alone"),
                medians.ratio("jadpo", "alone"),
                medians.ratio("alone, each", "jadpo, each"),
            ),
        );
        for peer in peers.iter().filter(|peer| peer.knows_full || synchronous == "NORMAL") {
            let (rate, ratio) = (medians.of(peer.name), medians.ratio("jadpo", peer.name));
            tell(out, &format!("{synchronous}: {} {rate:.0}/s, {ratio} times that", peer.name));
        }
    }
}

/// Everyone's turn, so that what else the machine does falls on all of them.
fn turn(
    out: &mut impl Write,
    plan: &str,
    peers: &[Peer],
    work: Work,
    (round, medians): (u32, &mut Medians),
) -> u32 {
    let done = in_folder(|folder| {
        let file = folder.join("board.db");
        board::prepare(plan, &file);
        database::fill(&file, work.due, 0);
        board::burn_down(plan, &file, work)
    });
    let alone = in_folder(|folder| raw::burn_down(&folder.join("raw.db"), work, done.batch));
    let alone = alone.expect("the database works");
    let (ours, theirs) = (done.spent.each_us(done.count), alone.each_us(work.due));
    medians.add("jadpo", done.spent.rate(done.count));
    medians.add("jadpo, each", ours);
    medians.add("alone", alone.rate(work.due));
    medians.add("alone, each", theirs);
    let said = [
        format!("jadpo {:.0}/s, {ours:.1} µs of a processor each", done.spent.rate(done.count)),
        format!("the database alone {:.0}/s, {theirs:.1} µs", alone.rate(work.due)),
    ];
    let others = peers.iter().filter(|peer| peer.knows_full || work.synchronous == "NORMAL").map(|peer| {
        let rate = in_folder(|folder| peer.burn_down(folder, work));
        medians.add(peer.name, rate);
        format!("{} {rate:.0}/s", peer.name)
    });
    let said: Vec<String> = said.into_iter().chain(others).collect();
    tell(out, &format!("{round}: {}: {}", work.synchronous, said.join("; ")));
    done.batch
}

fn wakes(out: &mut impl Write, plan: &str, rounds: u32) {
    let mut medians = Medians::default();
    for round in 1..=rounds {
        let most = in_folder(|folder| wake::most(plan, &folder.join("board.db")));
        tell(out, &format!("{round}: {most:.0} events/s are committed and delivered at most"));
        for (name, pace) in [("alone", paced::ALONE), ("paced", Pace::of(most / 2.0))] {
            let waits = in_folder(|folder| wake::measure(plan, &folder.join("board.db"), pace));
            tell(out, &format!("{round}: wake-up, {name}, {:.0} events/s: {waits}", pace.rate()));
            medians.add(&format!("{name}, 50"), waits.below_ms(50));
            medians.add(&format!("{name}, 99"), waits.below_ms(99));
        }
    }
    for name in ["alone", "paced"] {
        let [half, most] = [50, 99].map(|of_hundred| medians.of(&format!("{name}, {of_hundred}")));
        tell(out, &format!("wake-up, {name}: median {half:.2} ms, 99 of 100 below {most:.2} ms"));
    }
}

fn tell(out: &mut impl Write, line: &str) {
    writeln!(out, "{line}").expect("standard output is open");
}

fn in_folder<T>(run: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    run(folder.path())
}

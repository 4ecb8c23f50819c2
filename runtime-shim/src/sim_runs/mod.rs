//! The whole runner under a seeded world in which everything goes wrong: lost machines, broken lines, clocks that step,
//! providers that fail. A seed is a run, the same each time.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a failing seed is shown to whoever runs it")]

mod checks;
mod code;
pub mod faults;
pub mod faulty_store;
mod faulty_transaction;
pub mod machine;
mod plan;
mod provider;
pub mod record;
mod scenario;
mod tests;
mod world;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use scenario::{Report, run};

/// Runs seeds; the first that breaks a promise is shown with the end of its trace.
fn run_all(seeds: Range<u64>) -> Report {
    let mut all = Report::default();
    for seed in seeds {
        match catch_unwind(AssertUnwindSafe(|| run(seed, false))) {
            Ok(report) => {
                all.events += report.events;
                all.deliveries += report.deliveries;
                all.statements += report.statements;
            }
            Err(panic) => {
                eprintln!(
                    "seed {seed} breaks a promise; JADPO_SIM_SEEDS={seed} cargo test -p jadpo-runtime --lib \
                     sim_runs::chosen_seeds -- --ignored --nocapture shows how"
                );
                resume_unwind(panic);
            }
        }
    }
    all
}

#[test]
fn a_thousand_seeds_keep_every_promise() {
    let all = run_all(0..1_000);
    assert!(all.deliveries > 10_000, "they try something: {all:?}");
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in [1, 2, 24] {
        let (first, second) = (run(seed, true).trace, run(seed, true).trace);
        assert!(first.len() > 100, "seed {seed}");
        let differs = first.iter().zip(&second).find(|(first, second)| first != second);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.len(), second.len(), "seed {seed}");
    }
}

/// `JADPO_SIM_SEEDS` is a seed, which is shown step by step, or a range such as `1000-200000`.
#[test]
#[ignore = "as long as the seeds that it is given"]
fn chosen_seeds() {
    let chosen = std::env::var("JADPO_SIM_SEEDS").unwrap_or_else(|_| "1000-20000".to_owned());
    let number = |text: &str| text.parse::<u64>().expect("JADPO_SIM_SEEDS is a seed or a range, as 7 or 1-9");
    if let Some((from, to)) = chosen.split_once('-') {
        println!("{:?}", run_all(number(from)..number(to)));
    } else {
        let report = run(number(&chosen), true);
        report.trace.iter().for_each(|line| println!("{line}"));
    }
}

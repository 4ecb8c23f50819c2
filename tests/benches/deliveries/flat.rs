//! Whether what lies in the store makes deliveries slower: a backlog of a million, and a million that are done.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::board::{Work, burn_down, prepare};
use super::database::fill;
use super::medians::Medians;
use super::{in_folder, tell};

const FEW: u32 = 20_000;
const MANY: u32 = 1_000_000;

/// What lies in a store besides the deliveries that are made.
struct Beside {
    name: &'static str,
    due: u32,
    done: u32,
}

const BESIDE: [Beside; 3] = [
    Beside { name: "20,000 due", due: 0, done: 0 },
    Beside { name: "1,000,000 due", due: MANY - FEW, done: 0 },
    Beside { name: "20,000 due, 1,000,000 done", due: 0, done: MANY },
];

/// The three by turns, in one order and then in the other.
pub fn measure(out: &mut impl Write, plan: &str, rounds: u32) {
    in_folder(|folder| {
        let files: Vec<PathBuf> = (0..BESIDE.len()).map(|at| folder.join(format!("{at}.db"))).collect();
        for (file, beside) in files.iter().zip(&BESIDE) {
            prepare(plan, file);
            fill(file, beside.due, beside.done);
        }
        let mut medians = Medians::default();
        for round in 0..rounds {
            let mut order: Vec<usize> = (0..BESIDE.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for at in order {
                turn(&mut medians, plan, &files[at], &BESIDE[at]);
            }
        }
        told(out, &medians);
    });
}

fn turn(medians: &mut Medians, plan: &str, file: &Path, beside: &Beside) {
    fill(file, FEW, 0);
    let done = burn_down(plan, file, Work { due: FEW, enough: FEW, synchronous: "NORMAL" });
    medians.add(beside.name, done.spent.rate(done.count));
    // The reciprocal, so that more is better in both.
    medians.add(&on_processors(beside), 1e6 / done.spent.each_us(done.count));
}

fn told(out: &mut impl Write, medians: &Medians) {
    let [few, others @ ..] = &BESIDE;
    tell(out, &format!("{}: {:.0}/s", few.name, medians.of(few.name)));
    for other in others {
        let (rate, worked) =
            (medians.of(other.name), medians.ratio(&on_processors(other), &on_processors(few)));
        let ratio = medians.ratio(other.name, few.name);
        tell(
            out,
            &format!("{}: {rate:.0}/s, {ratio} of that; by time on the processors {worked}", other.name),
        );
    }
}

fn on_processors(beside: &Beside) -> String {
    format!("{} on the processors", beside.name)
}

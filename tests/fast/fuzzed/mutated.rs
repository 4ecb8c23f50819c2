//! Every manifest and plan of the checkout, mutated by a generator with a number.

use jadpo_properties::Target;
use jadpo_properties::mutation::{Dice, mutated};
use jadpo_properties::seeds::seeds;

use super::holds;

/// Tries the seeds of a target as they are, and then mutants of them.
#[track_caller]
fn hold(target: Target, mutants: u64) {
    let seeds = seeds(target);
    assert!(seeds.len() > 10, "only {} seeds", seeds.len());
    for (number, seed) in seeds.iter().enumerate() {
        holds(target, &format!("seed {number}"), seed);
    }
    for number in 0..mutants {
        let input = mutated(&mut Dice::new(number), &seeds);
        holds(target, &format!("the mutant of {number}"), &input);
    }
}

#[test]
fn the_lexer_holds() {
    hold(Target::Lexer, 1_000);
}

#[test]
fn the_parser_holds() {
    hold(Target::Parser, 500);
}

#[test]
fn the_check_holds() {
    hold(Target::Check, 200);
}

#[test]
fn the_layout_holds() {
    hold(Target::Fmt, 500);
}

#[test]
fn surfaces_hold() {
    hold(Target::Surface, 100);
}

#[test]
fn plans_hold() {
    hold(Target::Plan, 200);
}

//! The property, for every generated type, whatever comes.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};

use jadpo_runtime::codec::Form;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use super::document::Maker;
use super::registry::REGISTRY;
use super::spoil::{break_text, spoil};
use super::tape::Tape;
use super::{agreed, plan};

/// Choices enough for a document of the largest type.
fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..700)
}

/// How many documents there are in each property.
const CASES: u32 = 12_000;

fn config() -> ProptestConfig {
    ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn what_fits_is_read_and_written_alike_and_stays_as_it_is() {
    let plan = plan();
    let maker = Maker::new(&plan);
    let property = |choices: Vec<u8>| {
        let mut tape = Tape::new(&choices);
        let form = *tape.of(&[Form::Wire, Form::Canonical]);
        let codec = tape.of(REGISTRY);
        let text = maker.document(&mut tape, codec.key, form).text(&mut tape);
        let first = agreed(&plan, codec, &text, form);
        let first = first.unwrap_or_else(|error| panic!("{error}\n{} from {text}", codec.key));
        let again = agreed(&plan, codec, &first.canonical, Form::Canonical);
        prop_assert_eq!(again.map(|it| it.canonical), Ok(first.canonical));
        // What is read from other places than it would be written to is never sent.
        if codec.key != "shapes.Status" {
            let again = agreed(&plan, codec, &first.wire, Form::Wire);
            prop_assert_eq!(again.map(|it| it.wire), Ok(first.wire));
        }
        Ok(())
    };
    run(&property);
}

#[test]
fn what_does_not_fit_is_refused_with_the_same_problems() {
    let plan = plan();
    let maker = Maker::new(&plan);
    let (read, refused) = (Cell::new(0), Cell::new(0));
    let property = |choices: Vec<u8>| {
        let mut tape = Tape::new(&choices);
        let form = *tape.of(&[Form::Wire, Form::Canonical]);
        let codec = tape.of(REGISTRY);
        let mut document = maker.document(&mut tape, codec.key, form);
        for _ in 0..=tape.pick(3) {
            spoil(&mut tape, &mut document);
        }
        let text = document.text(&mut tape);
        let text = if tape.one_in(4) { break_text(&mut tape, &text) } else { text };
        match agreed(&plan, codec, &text, form) {
            Ok(first) => {
                read.set(read.get() + 1);
                let again = agreed(&plan, codec, &first.canonical, Form::Canonical);
                prop_assert_eq!(again.map(|it| it.canonical), Ok(first.canonical));
            }
            Err(error) => {
                refused.set(refused.get() + 1);
                prop_assert!((1..=20).contains(&error.problems.len()), "{}", error);
                let longest = error.problems.iter().map(|problem| problem.got.chars().count()).max();
                prop_assert!(longest <= Some(81), "{}", error);
            }
        }
        Ok(())
    };
    let seed = run(&property);
    let least = CASES / 20;
    let (read, refused) = (read.get(), refused.get());
    assert!(read > least && refused > least, "{read} read, {refused} refused, {seed}");
}

/// Tries all cases. The seed that they came of, as the variable that has them tried again.
fn run(property: &dyn Fn(Vec<u8>) -> Result<(), TestCaseError>) -> String {
    let mut config = config();
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().build_hasher().finish(),
    };
    config.rng_seed = RngSeed::Fixed(seed);
    let seed = format!("PROPTEST_RNG_SEED={seed}");
    TestRunner::new(config).run(&choices(), property).unwrap_or_else(|error| panic!("{error}\n{seed}"));
    seed
}

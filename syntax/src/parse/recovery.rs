//! What every rule recovers with: a missing terminal is reported and assumed, junk is reported and skipped.

use chumsky::input::InputRef;
use chumsky::prelude::*;

use super::fault::{Fault, What};
use super::terminal::{Expected, T};
use super::{Ex, Grammar, In, Sp};

/// The place before the next terminal.
pub(super) fn here<'a>(input: &mut InputRef<'a, '_, In<'a>, Ex<'a>>) -> Sp {
    let cursor = input.cursor();
    input.span_since(&cursor)
}

/// A fault at the place before the next terminal.
pub(super) fn report<'a>(input: &mut InputRef<'a, '_, In<'a>, Ex<'a>>, expected: Expected) {
    let fault = Fault::between(here(input), What::Expected(expected));
    input.emit(fault);
}

/// Reads nothing and says that `expected` is missing.
pub(super) fn missing<'a>(expected: Expected) -> impl Grammar<'a, ()> {
    custom(move |input| {
        report(input, expected);
        Ok(())
    })
}

/// Reads `terminal`, or says that it is missing.
pub(super) fn required<'a>(terminal: T, expected: Expected) -> impl Grammar<'a, ()> {
    just(terminal).ignored().or(missing(expected))
}

/// Succeeds, reading nothing, where the next terminal is one that `test` takes.
pub(super) fn ahead<'a>(test: fn(T) -> bool) -> impl Grammar<'a, ()> {
    custom(move |input| if input.peek().is_some_and(test) { Ok(()) } else { refuse(input) })
}

/// Reads at least one terminal, up to one that `stop` takes outside of inner blocks, and reports the first of them.
pub(super) fn junk<'a>(expected: Expected, stop: fn(T) -> bool) -> impl Grammar<'a, ()> {
    custom(move |input| {
        if input.peek().is_none_or(stop) {
            return refuse(input);
        }
        report(input, expected);
        skip(input, stop);
        Ok(())
    })
}

/// Reads a block without looking at what it says.
pub(super) fn opaque_block<'a>() -> impl Grammar<'a, ()> {
    custom(move |input| {
        if input.peek() != Some(T::BraceOpen) {
            return refuse(input);
        }
        skip_one(input);
        Ok(())
    })
}

/// Reads up to the first terminal that `stop` takes, or to the end.
pub(super) fn skip<'a>(input: &mut InputRef<'a, '_, In<'a>, Ex<'a>>, stop: fn(T) -> bool) {
    while input.peek().is_some_and(|terminal| !stop(terminal)) {
        skip_one(input);
    }
}

/// Reads one terminal, or one block with all that is in it.
fn skip_one<'a>(input: &mut InputRef<'a, '_, In<'a>, Ex<'a>>) {
    let mut depth = 0_usize;
    while let Some(terminal) = input.next() {
        match terminal {
            T::BraceOpen => depth += 1,
            T::BraceClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// Fails without a word: another rule is tried.
pub(super) fn refuse<'a, O>(input: &mut InputRef<'a, '_, In<'a>, Ex<'a>>) -> Result<O, Fault> {
    let place = here(input);
    Err(Fault::between(place, What::Expected(Expected::default())))
}

//! What holds for any input, tried on inputs that no author writes; the fuzzer tries the same without an end.

mod extreme;
mod mutated;

use std::panic::catch_unwind;

use jadpo_properties::Target;

/// Tries an input, and says which it was when a property does not hold.
#[track_caller]
fn holds(target: Target, name: &str, input: &[u8]) {
    if catch_unwind(|| target.holds(input)).is_err() {
        let shown = input[..input.len().min(10_000)].escape_ascii();
        panic!("{} does not hold for {name}, {} bytes: b\"{shown}\"", target.name(), input.len());
    }
}

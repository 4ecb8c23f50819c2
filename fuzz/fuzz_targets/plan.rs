//! Any `plan.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jadpo_properties::Target::Plan.holds(input));

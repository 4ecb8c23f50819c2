//! Any two packages, or any `surface.json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jadpo_properties::Target::Surface.holds(input));

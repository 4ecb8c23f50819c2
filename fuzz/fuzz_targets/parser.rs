//! Declarations of any text.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jadpo_properties::Target::Parser.holds(input));

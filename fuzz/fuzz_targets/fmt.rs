//! The layout of any manifest.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| jadpo_properties::Target::Fmt.holds(input));

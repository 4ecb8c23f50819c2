//! The generated code of an awkward manifest, which must compile without a warning.
#![deny(warnings)]

jadpo_runtime::include_app!();

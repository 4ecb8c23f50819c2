//! Names, types, rules and diagnostics of jadpo manifests, as incremental queries.

pub mod model;

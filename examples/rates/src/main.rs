//! rates.

fn main() {}

//! The jadpo command.

fn main() {}

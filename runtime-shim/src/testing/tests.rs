//! The helpers themselves.

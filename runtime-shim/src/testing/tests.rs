//! The helpers themselves, over an app with two stores that has everything an app can have.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod crashes;
mod desk;
mod messages;
mod page;
mod patterns;
mod steps;

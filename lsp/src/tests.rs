//! The server driven as an editor drives it, through the real transport.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod disk;
mod editor;
mod ending;
mod fixes;
mod odd;
mod projects;
mod turns;
mod unread;
mod versions;

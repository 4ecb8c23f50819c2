//! The small runtime that executes jadpo plans: polls, deliveries, calls, one runner, and the hosts they run on.

pub mod action;
mod alive;
pub mod app;
pub mod batch;
mod blocking;
mod body;
pub mod boundary;
pub mod budget;
pub mod call;
mod clock;
pub mod codec;
pub mod context;
pub mod delivered;
pub mod delivery;
pub mod digest;
pub mod dispatch;
mod elsewhere;
pub mod email;
pub mod engine;
mod error_budget;
pub mod failure;
pub mod held;
pub mod host;
mod instance;
pub mod json;
mod kept_in;
pub mod limits;
pub mod listening;
#[cfg(feature = "native")]
pub mod native;
mod notes;
pub mod open_store;
pub mod outbox;
#[cfg(any(test, feature = "sim"))]
pub mod outside;
pub mod plan;
pub mod poll;
mod reached;
#[cfg(any(test, feature = "sim"))]
pub mod rehearsal;
mod reminders;
pub mod route;
pub mod runner;
pub mod schedule;
pub mod secret;
pub mod serve;
pub mod settings;
pub mod settle;
mod shared_clock;
#[cfg(any(test, feature = "sim"))]
pub mod sim;
#[cfg(all(test, feature = "sqlite"))]
mod sim_runs;
pub mod sql;
pub mod start;
pub mod status;
pub mod step;
pub mod stop;
pub mod store;
mod tasks;
#[cfg(any(feature = "testing", all(test, feature = "sqlite")))]
pub mod testing;
pub mod tick;
mod trace;
#[cfg(test)]
mod trial;
mod unstarted;
pub mod watched;

pub use app::App;
pub use boundary::{StoreAccess, Transaction};
pub use call::{Answer, CallError, CallHandle, Connection};
pub use context::Context;
pub use delivered::Delivered;
pub use dispatch::Dispatch;
pub use email::Email;
pub use failure::Failure;
pub use host::BoxFuture;
pub use jiff::{SignedDuration, Timestamp, civil};
pub use json::Json;
#[cfg(any(test, feature = "sim"))]
pub use rehearsal::{Rehearsal, RehearsalError, RehearsalOptions};
pub use rust_decimal::Decimal;
pub use secret::Secret;
pub use sql::{FromSql, Params, Row, SqlValue, ToSql};
pub use step::{Filled, Next, RunStep, Step};
pub use url::Url;
pub use uuid::Uuid;

//! The small runtime that executes jadpo plans: polls, deliveries, calls, one runner, and the hosts they run on.

pub mod codec;
pub mod digest;
pub mod email;
pub mod host;
pub mod plan;
pub mod secret;

pub use email::Email;
pub use jiff::{SignedDuration, Timestamp, civil};
pub use rust_decimal::Decimal;
pub use secret::Secret;
pub use url::Url;
pub use uuid::Uuid;

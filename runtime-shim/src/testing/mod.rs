//! What an app's own tests run it with: virtual time, scripted providers, a store of its own for each test, assertions on what
//! was kept, and a process that ends wherever it can.
//!
//! ```no_run
//! use jadpo_runtime::testing::{self, json, minutes};
//!
//! # fn server() -> jadpo_runtime::App { loop {} }
//! let mut app = testing::app(server().env("FEED_KEY", "a key for tests"));
//! app.answers("GET /v1/prices", json!({ "btc": "60", "eth": "2" }));
//! app.advance(minutes(10));
//! app.expect_event("coinfeed.PricesChanged", 1);
//! app.expect_delivered("update_quotes", 1);
//! assert_eq!(app.rows("main", "SELECT btc, eth FROM quotes"), ["60 | 2"]);
//! ```

mod actions;
mod crash;
mod expect;
mod input;
mod kept;
mod lost;
mod pattern;
mod picture;
mod provider;
mod recording;
mod remembered;
mod requests;
mod running;
#[cfg(test)]
mod tests;
mod world;
mod writes;

pub use actions::{Output, Refused};
pub use crash::crash_everywhere;
pub use input::Input;
pub use kept::{KeptDelivery, KeptEvent, KeptRun};
pub use provider::{Call, IntoReplies};
pub use requests::{Answer, Request};
pub use serde_json::{Value, json};
pub use world::TestApp;

pub use crate::host::HttpRequest;
pub use crate::sim::Reply;

use std::rc::Rc;
use std::time::Duration;

use crate::app::App;

/// An app in a world of its own. It starts with the first time that passes, or the first thing that is asked of it.
pub fn app(app: App) -> TestApp {
    TestApp::new(Rc::new(move || app.clone()))
}

/// So many milliseconds.
pub fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// So many seconds.
pub fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// So many minutes.
pub fn minutes(n: u64) -> Duration {
    Duration::from_mins(n)
}

/// So many hours.
pub fn hours(n: u64) -> Duration {
    Duration::from_hours(n)
}

/// So many days.
pub fn days(n: u64) -> Duration {
    Duration::from_hours(n.saturating_mul(24))
}

//! Deliveries: one attempt's body, how it ended, and what that makes of the claim.
//!
//! The steps decide on facts; [`run`] does what they say.

mod body;
mod gathered;
mod next;
mod run;

pub use body::BodyEnd;
pub use next::{Facts, Next, after_body, after_failure};
pub use run::{Attempt, run};

//! Deliveries: one attempt, how it ended, and what that makes of the claim.
//!
//! The steps decide on facts; [`Attempt`] does what they say.

mod attempt;
mod next;
mod run;

pub use attempt::{Attempt, AttemptEnd};
pub use next::{Facts, Next, after};
pub use run::run;

//! Calls to providers: from a typed input to an answer, through slots, attempts, retries and deadlines.

mod answer;
mod attempt;
mod connection;
mod error;
mod input;
mod request;
pub mod retry;
mod retry_after;
mod secrets;
mod slots;
pub mod template;
#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use connection::{CallHandle, Calling, Connection, DeliveryTurn, GiveBack, Turn};
pub use error::{CallError, CallErrorKind, Seen};
pub use secrets::Secrets;
pub use slots::{Asked, Owner, Slot, SlotFacts, Slots, Take};

//! A boundary: what a body does commits or rolls back as one.
//!
//! A body reads what is committed and gathers writes, or opens the boundary's transaction; [`commit`] commits both, with the
//! events emitted and the batch runs started, once the body has its value.

mod access;
mod commit;
mod gathered;
mod transaction;

pub use access::StoreAccess;
pub use commit::{RunEnd, Terms, commit};
pub use transaction::Transaction;

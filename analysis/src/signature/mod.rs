//! What declarations say, as data without places.
//!
//! A rule that needs another declaration asks for its signature: an edit of that declaration's layout, comments or
//! documentation then stops here.

mod action;
mod batch;
mod connection;
mod declared;
mod deployable;
mod operation;
mod provider;
mod route;
mod schedule;
mod store;
mod subscriber;
mod type_use;

pub use action::action_signature;
pub use batch::batch_signature;
pub use connection::{connection_signature, is_broken, package_name};
pub use declared::{FieldSignature, TypeSignature, VariantSignature, WrittenWire, type_signature};
pub use deployable::{Listed, deployable_signature};
pub use operation::{OperationSignature, operation_signature};
pub use provider::{
    Address, Cases, Known, PollSignature, ProviderSignature, Sent, SettingSignature, cases, polls_known,
    provider_signature, sent, settings, settings_known,
};
pub use route::route_signature;
pub use schedule::schedule_signature;
pub use store::{engine, engine_values, store_signature, target_key};
pub use subscriber::{subscriber_signature, subscriber_uses};
pub use type_use::{bounded, read as read_type, text as type_text};

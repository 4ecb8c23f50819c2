//! The resolved, defaulted meaning of a project: all that codegen, the surface and the reports read.
//!
//! It holds no span and nothing of the database. It exists only for a project without errors, so every reference in
//! it resolves, every default is filled in, and every list is in a fixed order: by name, but for fields and variants
//! (as declared), and headers and query keys (as declared).

mod app;
mod declared;
mod deferred;
mod deployable;
mod provider;

pub use app::{
    Action, Connection, Engine, LivePoll, Route, Segment, SettingSource, Store, Subscriber, Target,
};
pub use declared::{
    BytesWire, Field, InstantWire, ItemsRule, RangeRule, TextRule, Type, TypeDef, TypeKind, TypeRef, Variant,
    VariantWire,
};
pub use deferred::{Backfill, Batch, Schedule, When};
pub use deployable::{Deployable, Host, Listen, Runner};
pub use provider::{Auth, Operation, Part, Poll, Provider, Retry, Setting, Template, may_be_sent_again};

use std::collections::BTreeMap;

/// A project: one app and the packages that its connections use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The app.
    pub app: App,
    /// The packages, by name.
    pub packages: BTreeMap<String, Package>,
}

/// The app's own declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the declarations of its kind, by name")]
pub struct App {
    pub name: String,
    pub doc: String,
    pub types: BTreeMap<String, TypeDef>,
    pub stores: BTreeMap<String, Store>,
    pub connections: BTreeMap<String, Connection>,
    pub subscribers: BTreeMap<String, Subscriber>,
    pub actions: BTreeMap<String, Action>,
    pub routes: BTreeMap<String, Route>,
    pub schedules: BTreeMap<String, Schedule>,
    pub batches: BTreeMap<String, Batch>,
    pub backfills: BTreeMap<String, Backfill>,
    pub deployables: BTreeMap<String, Deployable>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the part of its name")]
pub struct Package {
    pub name: String,
    pub doc: String,
    pub provider: Provider,
    pub operations: BTreeMap<String, Operation>,
    pub types: BTreeMap<String, TypeDef>,
}

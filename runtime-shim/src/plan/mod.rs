//! What runs: plain data made by the compiler, written as `plan.json`, read by compiled and interpreted apps alike.
//!
//! Waits are in milliseconds. Names of types are `package.Type`, or `Type` for one of the app's. A reader refuses a
//! version that it does not know, and unknown keys, since ignoring one could run something else than was checked.

mod actions;
mod app;
mod deployable;
mod package;
mod read;
mod shapes;

pub use actions::{Action, Backfill, Batch, Route, Schedule, Segment, When};
pub use app::{Connection, Poll, SettingSource, Store, StoreEngine, Subscriber};
pub use deployable::{Deployable, Host, Listen, Runner, Target};
pub use package::{Auth, Operation, Package, Part, Retry, Setting, Template};
pub use read::PlanError;
pub use shapes::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, Shape, TextRule, TypeDef};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of this form.
pub const VERSION: u32 = 1;

/// An app: what it connects to, what it hears, where it keeps things, and what its deployables run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`VERSION`] of the writer.
    pub version: u32,
    /// The app's name.
    pub app: String,
    /// Every declared type that something below names, through any number of types.
    pub types: BTreeMap<String, TypeDef>,
    /// By name.
    pub packages: BTreeMap<String, Package>,
    /// By name.
    pub connections: BTreeMap<String, Connection>,
    /// By name.
    pub stores: BTreeMap<String, Store>,
    /// By name.
    pub subscribers: BTreeMap<String, Subscriber>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, Action>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub routes: BTreeMap<String, Route>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub schedules: BTreeMap<String, Schedule>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub batches: BTreeMap<String, Batch>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub backfills: BTreeMap<String, Backfill>,
    /// By name.
    pub deployables: BTreeMap<String, Deployable>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

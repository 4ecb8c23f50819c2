//! Actions, and what runs them: routes and schedules; batches and backfills, which run in steps.

use serde::{Deserialize, Serialize};

use super::{Shape, is_false};

/// An action: what a route, a schedule or a public caller runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Whether what is outside the program may call it by name.
    #[serde(default, skip_serializing_if = "is_false")]
    pub public: bool,
    /// The store that it writes, which is also where its events are kept.
    pub store: String,
    /// The object that a caller gives, by its key in [`super::Plan::types`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What it answers; `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Shape>,
    /// The app's events that it may emit.
    pub emits: Vec<String>,
    /// The connections that its code may call.
    pub uses: Vec<String>,
    /// The batches and backfills that it may start.
    pub starts: Vec<String>,
}

/// A route of the app's server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Its path's segments, without the `/` before each.
    pub path: Vec<Segment>,
    /// The action that it runs.
    pub action: String,
    /// The environment variable that holds the token of `Authorization: Bearer`; `None`: anybody may call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearer: Option<String>,
    /// Whether the answer waits for what the action sets off.
    #[serde(default, skip_serializing_if = "is_false")]
    pub settle: bool,
    /// The longest that it waits, the action's deadline too.
    pub within_ms: u64,
}

/// A segment of a route's path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Segment {
    /// As it stands, not percent-encoded.
    Text(String),
    /// Any one segment: the text of the input's field of this declared name.
    Input(String),
}

/// A schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name in the language")]
pub struct Schedule {
    pub when: When,
    pub action: String,
}

/// When a schedule runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum When {
    /// Once in so many milliseconds, counted from the tick that first saw it.
    EveryMs(u64),
    /// Once a day at a local time.
    Daily {
        /// From 0 to 23.
        hour: u8,
        /// From 0 to 59.
        minute: u8,
        /// A name of the IANA time zone database.
        zone: String,
    },
}

/// A batch: a run of it is steps, each a boundary that keeps its cursor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The store that it writes, where its runs are kept.
    pub store: String,
    /// The object that starts a run of it, by its key in [`super::Plan::types`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// How many records a step is for.
    pub size: u32,
}

/// A backfill: a batch that works out one field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backfill {
    /// The store that it writes, where its runs are kept.
    pub store: String,
    /// The record, by its key in [`super::Plan::types`].
    pub record: String,
    /// The field's declared name.
    pub field: String,
    /// How many records a step is for.
    pub size: u32,
}

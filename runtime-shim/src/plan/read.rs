//! From the text of a `plan.json` to a plan.

use std::fmt;

use super::{Plan, VERSION};

/// Why a text is no plan that this runtime runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// It is no JSON, or not of a plan's form; the reason.
    Form(String),
    /// Another version than [`VERSION`], or none.
    Version(Option<u64>),
}

impl Plan {
    /// Reads a plan. That its names lead somewhere is for [`crate::start`] to say.
    pub fn read(json: &str) -> Result<Self, PlanError> {
        let form = |error: serde_json::Error| PlanError::Form(error.to_string());
        // The version is read alone first: another version's keys would only say that they are unknown.
        let value: serde_json::Value = serde_json::from_str(json).map_err(form)?;
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(PlanError::Version(version));
        }
        serde_json::from_value(value).map_err(form)
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(why) => write!(f, "the plan can't be read: {why}"),
            Self::Version(found) => {
                let found = found.map_or("none".to_owned(), |version| version.to_string());
                write!(f, "the plan has version {found}; this runtime runs version {VERSION}")
            }
        }
    }
}

impl std::error::Error for PlanError {}

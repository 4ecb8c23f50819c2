//! What a test gives an action or a batch.

use serde_json::Value;

use crate::codec::{self, Form, Wire};

/// What an action or a batch is given: `&value` of its generated type, [`json!`](serde_json::json) in its canonical form, or
/// `()` where it takes none.
pub trait Input {
    /// Canonical JSON.
    fn canonical(self) -> Option<String>;
}

impl Input for () {
    fn canonical(self) -> Option<String> {
        None
    }
}

impl Input for Value {
    fn canonical(self) -> Option<String> {
        Some(self.to_string())
    }
}

impl<T: Wire> Input for &T {
    fn canonical(self) -> Option<String> {
        Some(codec::encode(self, Form::Canonical))
    }
}

//! What an app adds to types that are generated for the awkward project, by the names of the codec's.

use crate::app::core::{Few, TextType};

impl TextType {
    /// The app's own.
    pub const FIELDS: usize = 1;

    /// The app's own.
    pub fn check(&self) -> usize {
        Self::by() + Self::FIELDS
    }

    fn by() -> usize {
        1
    }
}

impl Few {
    /// The app's own.
    pub const FIELDS: usize = 1;
}

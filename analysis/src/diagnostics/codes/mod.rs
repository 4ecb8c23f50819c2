//! Every code as a constant, with its page. A row here and a file in `codes/` make a code.

pub mod app;
pub mod base;
pub mod deferred;
pub mod package;

/// Declares constants for codes, and the table of their pages in `analysis/codes/<code>.md`.
macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        $(#[doc = concat!("`", $code, "`")] pub const $name: Code = Code($code);)*

        /// Each code of this table with the text of its page.
        pub(in crate::diagnostics) const PAGES: &[(Code, &str)] =
            &[$(($name, include_str!(concat!("../../../codes/", $code, ".md"))),)*];
    };
}
use super::catalogue::Code;
use codes;

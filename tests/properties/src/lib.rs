//! What holds for any input, each property written once: the suite tries it on mutated seeds, the fuzzer on whatever
//! reaches new code.
#![allow(
    clippy::unwrap_used,
    reason = "a property that does not hold panics, which is what fuzzers look for"
)]

mod check;
mod files;
mod fmt;
mod lexer;
pub mod mutation;
mod parser;
mod plan;
mod sample;
pub mod seeds;
mod surface;
mod tree_spans;

/// What reads inputs that jadpo did not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Tokens of a text.
    Lexer,
    /// Declarations of a text.
    Parser,
    /// A whole project: files after `//- /path` lines.
    Check,
    /// The layout of one manifest.
    Fmt,
    /// Two packages, as projects with a `//= ` line between.
    Surface,
    /// A `plan.json`.
    Plan,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 6] = [Self::Lexer, Self::Parser, Self::Check, Self::Fmt, Self::Surface, Self::Plan];

    /// Its name, which is that of the fuzzer's target too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexer => "lexer",
            Self::Parser => "parser",
            Self::Check => "check",
            Self::Fmt => "fmt",
            Self::Surface => "surface",
            Self::Plan => "plan",
        }
    }

    /// Tries the target's properties on an input.
    ///
    /// # Panics
    /// When one does not hold.
    pub fn holds(self, input: &[u8]) {
        let text = || String::from_utf8_lossy(input);
        match self {
            Self::Lexer => lexer::holds(&text()),
            Self::Parser => parser::holds(&text()),
            Self::Check => check::holds(input),
            Self::Fmt => fmt::holds(&text()),
            Self::Surface => surface::holds(input),
            Self::Plan => plan::holds(&text()),
        }
    }
}

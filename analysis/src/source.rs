//! From bytes to a text that can be parsed, or the reason why not.

use std::path::Path;
use std::sync::Arc;

use jadpo_syntax::Span;

use crate::system::System;

/// The longest file that is read, in bytes.
pub const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The longest `surface.json` that is read, in bytes: a package may have any number of files.
pub const SURFACE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Why a file's text is not parsed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReadProblem {
    /// Not UTF-8 from this byte on.
    Utf8 {
        /// The byte's offset in the file.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// A NUL byte at this place of the text.
    Nul(Span),
    /// More than [`FILE_BYTES_MAX`].
    TooLarge,
    /// The system could not read it.
    Failed(String),
}

/// A file's text and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text, or the part before the problem, so that its place can be shown.
    pub text: Arc<str>,
    /// Why it is not to be parsed.
    pub problem: Option<ReadProblem>,
}

impl Source {
    /// The file at `path`.
    pub fn read(system: &dyn System, path: &Path) -> Self {
        Self::read_within(system, path, FILE_BYTES_MAX)
    }

    /// What stands at a path, of which there may be this many bytes.
    pub fn read_within(system: &dyn System, path: &Path, bytes_max: usize) -> Self {
        match system.read(path, bytes_max + 1) {
            Ok(bytes) => Self::from_bytes_within(bytes, bytes_max),
            Err(error) => Self::failed(ReadProblem::Failed(error.to_string())),
        }
    }

    /// What `bytes` say. A BOM stays in the text, so that offsets are those of the file.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self::from_bytes_within(bytes, FILE_BYTES_MAX)
    }

    /// What `bytes` say, of which there may be this many.
    pub fn from_bytes_within(bytes: Vec<u8>, bytes_max: usize) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::from_text_within(text.into(), bytes_max),
            Err(error) if error.as_bytes().len() > bytes_max => Self::failed(ReadProblem::TooLarge),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let text = String::from_utf8_lossy(&bytes[..offset]).into_owned();
                Self { text: text.into(), problem: Some(ReadProblem::Utf8 { offset, byte: bytes[offset] }) }
            }
        }
    }

    /// What a text in memory says, under the same limits.
    pub fn from_text(text: impl Into<Arc<str>>) -> Self {
        Self::from_text_within(text.into(), FILE_BYTES_MAX)
    }

    fn from_text_within(text: Arc<str>, bytes_max: usize) -> Self {
        if text.len() > bytes_max {
            return Self::failed(ReadProblem::TooLarge);
        }
        let nul = text.bytes().position(|byte| byte == 0).and_then(|at| u32::try_from(at).ok());
        let problem = nul.map(|at| ReadProblem::Nul(Span::new(at, at + 1)));
        Self { text, problem }
    }

    /// A file without a text.
    pub fn failed(problem: ReadProblem) -> Self {
        Self { text: "".into(), problem: Some(problem) }
    }
}

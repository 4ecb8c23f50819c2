//! A provider's answer of a status that is a success, and how it is read.

use std::fmt;
use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::codec::interpret::{self, Types, Value};
use crate::codec::{self, DecodeError, Form, Wire};
use crate::host::HttpResponse;
use crate::plan::Shape;

use super::error::{CallError, CallErrorKind, Seen};
use super::secrets::Secrets;

/// A whole answer.
#[derive(Clone)]
pub struct Answer {
    pub(super) connection: String,
    pub(super) operation: String,
    pub(super) attempts: u32,
    /// Where the output stands in the body.
    pub(super) at: String,
    pub(super) response: HttpResponse,
    pub(super) secrets: Arc<Secrets>,
}

impl Answer {
    /// The status code, from 200 to 299.
    pub fn status(&self) -> u16 {
        self.response.status
    }

    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.header(&name.to_ascii_lowercase())
    }

    /// The body as it came, decompressed. Empty where the operation has no output, since it is not read then.
    pub fn bytes(&self) -> &[u8] {
        &self.response.body
    }

    /// The body as text in UTF-8, a byte order mark passed over.
    pub fn text(&self) -> Result<&str, CallError> {
        if let Some(charset) = self.header("content-type").and_then(foreign_charset) {
            return Err(self.not_json(format!("its charset is {charset}")));
        }
        let text = std::str::from_utf8(self.bytes())
            .map_err(|error| self.not_json(format!("byte {} is no UTF-8", error.valid_up_to())))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// The output, read as its type.
    pub fn decode<T: Wire>(&self) -> Result<T, CallError> {
        let text = self.json_text()?;
        codec::decode_at(text, &self.at, Form::Wire).map_err(|error| self.does_not_fit(text, error))
    }

    /// The output, read by the plan's shapes.
    pub fn read(&self, types: &Types, shape: &Shape) -> Result<Value, CallError> {
        let text = self.json_text()?;
        interpret::read(types, shape, text, &self.at, Form::Wire)
            .map_err(|error| self.does_not_fit(text, error))
    }

    fn json_text(&self) -> Result<&str, CallError> {
        let text = self.text()?;
        if text.trim_ascii().is_empty() {
            return Err(self.not_json("it has no body".to_owned()));
        }
        Ok(text)
    }

    /// Tells an answer that is no JSON from one of another shape. The text is gone through again only where it did not fit, so
    /// that good answers are read once.
    fn does_not_fit(&self, text: &str, error: DecodeError) -> CallError {
        match serde_json::from_str::<IgnoredAny>(text) {
            Err(why) => self.not_json(why.to_string()),
            Ok(IgnoredAny) => self.error(CallErrorKind::Decode(self.secrets.cut_problems(error))),
        }
    }

    fn not_json(&self, why: String) -> CallError {
        self.error(CallErrorKind::NotJson(Box::new(Seen::of(&self.response, &self.secrets)), why))
    }

    fn error(&self, kind: CallErrorKind) -> CallError {
        CallError {
            connection: self.connection.clone(),
            operation: self.operation.clone(),
            attempts: self.attempts,
            kind,
        }
    }
}

impl fmt::Debug for Answer {
    /// Neither headers nor body, which may hold what nobody should read in a log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Answer")
            .field("connection", &self.connection)
            .field("operation", &self.operation)
            .field("status", &self.response.status)
            .field("bytes", &self.response.body.len())
            .finish_non_exhaustive()
    }
}

/// The charset that a content type names, unless it is UTF-8 or a part of it. JSON has no other, and a guess could bend text
/// without anybody noticing.
fn foreign_charset(content_type: &str) -> Option<String> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, charset) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    let charset = charset.trim().trim_matches('"').to_ascii_lowercase();
    let known = matches!(charset.as_str(), "utf-8" | "utf8" | "us-ascii" | "ascii");
    (!known).then(|| charset.chars().filter(char::is_ascii_graphic).take(40).collect())
}

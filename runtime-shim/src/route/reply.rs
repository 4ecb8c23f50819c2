//! A whole answer to a request, before any host has made bytes of it.

use serde::Serialize;

use crate::codec::Problem;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Beside those that every answer has.
    pub headers: Vec<(&'static str, String)>,
    /// JSON; none where it is empty.
    pub body: String,
}

#[derive(Serialize)]
struct Body<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Misfit<'a>>,
}

#[derive(Serialize)]
struct Misfit<'a> {
    place: &'a str,
    wanted: &'a str,
    got: &'a str,
}

impl Reply {
    /// An answer of this JSON text; an empty one is no body.
    pub fn json(status: u16, body: impl Into<String>) -> Reply {
        Reply { status, headers: Vec::new(), body: body.into() }
    }

    /// An error: a word for programs and a sentence for people.
    pub fn error(status: u16, code: &str, message: &str) -> Reply {
        Reply::json(status, text(&Body { error: Error { code, message, problems: Vec::new() } }))
    }

    /// An input that does not fit, with each place.
    pub fn misfit(problems: &[Problem]) -> Reply {
        let places = problems.iter().map(|problem| Misfit {
            place: &problem.place,
            wanted: &problem.wanted,
            got: &problem.got,
        });
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let error = Error { code: "invalid_input", message: &shown.join("; "), problems: places.collect() };
        Reply::json(400, text(&Body { error }))
    }

    /// A body of more bytes than are read.
    pub fn too_large(bytes_max: usize) -> Reply {
        Reply::error(413, "too_large", &format!("the body has more than {bytes_max} bytes"))
    }

    /// What could not be answered; why stands in the log alone.
    pub fn internal() -> Reply {
        Reply::error(500, "internal", "the request could not be answered")
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

fn text(body: &Body<'_>) -> String {
    serde_json::to_string(body).expect("a structure of texts is always JSON")
}

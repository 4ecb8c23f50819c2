//! What the world gives the runtime: time, sleep, a network, chance, and a place to run work.
//!
//! The core names no executor, socket, clock or random source; it asks its host. The native host and the virtual one
//! implement the same trait.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A future that a host or a store gives.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A host, shared by everything that runs on it.
pub type SharedHost = Arc<dyn Host>;

/// Time, sleep, network, chance and work handed on.
pub trait Host: Send + Sync + 'static {
    /// Milliseconds since the epoch, UTC. May jump.
    fn wall_ms(&self) -> i64;

    /// Microseconds of a clock that never goes back; it need not count while the machine sleeps.
    fn monotonic_us(&self) -> u64;

    /// Milliseconds of a clock that never goes back and counts while the machine sleeps.
    fn boot_ms(&self) -> u64;

    /// Ends after `ms` milliseconds of the monotonic clock.
    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()>;

    /// 64 random bits.
    fn random(&self) -> u64;

    /// Sends one request and reads its whole answer. Dropping the future ends the request.
    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>>;

    /// Runs a task beside the caller.
    fn spawn(&self, task: BoxFuture<'static, ()>);

    /// Runs work that blocks its thread, and ends once it is done, or never will be. A host without threads to spare, and one
    /// whose runs must come out the same each time, runs it at once.
    fn blocking(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, ()> {
        work();
        Box::pin(std::future::ready(()))
    }
}

/// The most bytes that are read of the body of an answer whose status is no success; the rest is left unread.
pub const ERROR_BODY_BYTES_MAX: usize = 4_096;

/// One outgoing request.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Upper case.
    pub method: String,
    /// Absolute.
    pub url: String,
    /// In order; names in any case.
    pub headers: Vec<(String, String)>,
    /// The body; `None` sends none.
    pub body: Option<Vec<u8>>,
    /// The most bytes of a success's body, counted after decompression; one byte more is [`HttpError::TooLarge`].
    pub max_response_bytes: u64,
    /// Whether the body of a success is wanted. That of a failure is always read, up to [`ERROR_BODY_BYTES_MAX`].
    pub read_body: bool,
}

/// A whole answer.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// In order, names in lower case, values that are no text left out.
    pub headers: Vec<(String, String)>,
    /// Decompressed.
    pub body: Vec<u8>,
}

/// Without the values of its query and its headers and without its body, any of which may be a secret.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &without_values(&self.url))
            .field("headers", &names(&self.headers))
            .field("body", &self.body.as_ref().map(|body| bytes(body)))
            .finish_non_exhaustive()
    }
}

/// Without the values of its headers and without its body.
impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("headers", &names(&self.headers))
            .field("body", &bytes(&self.body))
            .finish()
    }
}

fn bytes(body: &[u8]) -> String {
    format!("{} bytes", body.len())
}

/// The names of headers.
pub(crate) fn names(headers: &[(String, String)]) -> Vec<&str> {
    headers.iter().map(|(name, _)| name.as_str()).collect()
}

/// A URL with the keys of its query, whose values may be secrets.
pub(crate) fn without_values(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let key = |pair: &str| pair.split_once('=').map_or_else(|| "…".to_owned(), |(key, _)| format!("{key}=…"));
    let keys: Vec<String> = query.split('&').map(key).collect();
    format!("{path}?{}", keys.join("&"))
}

impl HttpResponse {
    /// The first header of this lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why a request had no whole answer. Texts hold no URL, header or body, which may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpError {
    /// No connection, or it broke before the answer was whole.
    Transport(String),
    /// The answer was longer than `max_response_bytes`.
    TooLarge,
    /// It was redirected to another scheme, host or port, or more than five times.
    Redirect(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_and_an_answer_show_names_and_no_value() {
        let headers = vec![("authorization".to_owned(), "Bearer hush".to_owned())];
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: "https://api.test/v1/orders?key=hush&page=2&hush".to_owned(),
            headers: headers.clone(),
            body: Some(b"hush".to_vec()),
            max_response_bytes: 1,
            read_body: true,
        };
        assert_eq!(
            format!("{request:?}"),
            r#"HttpRequest { method: "POST", url: "https://api.test/v1/orders?key=…&page=…&…", headers: ["authorization"], body: Some("4 bytes"), .. }"#
        );
        let answer = HttpResponse { status: 200, headers, body: b"hush".to_vec() };
        assert_eq!(
            format!("{answer:?}"),
            r#"HttpResponse { status: 200, headers: ["authorization"], body: "4 bytes" }"#
        );
        assert_eq!(without_values("https://api.test/v1/prices"), "https://api.test/v1/prices");
    }
}

//! Requests over a real network: bounded answers, no redirect to another place, and no proxy that an environment names.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, Method, Response, Url};

use crate::host::{ERROR_BODY_BYTES_MAX, HttpError, HttpRequest, HttpResponse};

/// The most redirects that one request follows.
const REDIRECTS_MAX: usize = 5;

/// How long the network may take to make a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the body of a failure is waited for.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(1);

/// How long an unused connection is kept for the next request.
const IDLE_TIMEOUT: Duration = Duration::from_mins(1);

/// The most headers of an answer. Their bytes are bounded by the client's read buffer, about 400 KiB.
const HEADERS_MAX: usize = 100;

/// Sends requests; clones share the connections that are kept open.
#[derive(Clone, Debug)]
pub struct HttpClient {
    client: Client,
}

/// The machine can't make requests: most often it has no root certificates.
#[derive(Debug)]
pub struct HttpSetupError(reqwest::Error);

impl HttpClient {
    /// A client with the machine's root certificates.
    pub fn new() -> Result<Self, HttpSetupError> {
        // A provider that the program installed before is as good; the error only says that there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(Policy::custom(within_one_place))
            // A redirect would tell the address, and so a secret in its query, to the next.
            .referer(false)
            .no_proxy()
            .gzip(true)
            .http1_only()
            .http1_max_headers(HEADERS_MAX)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build()
            .map_err(HttpSetupError)?;
        Ok(Self { client })
    }

    /// Sends one request and reads its whole answer, within its bounds. Dropping the future closes the connection.
    pub async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let mut sent = reqwest::Request::new(method(&request.method)?, url(&request.url)?);
        *sent.headers_mut() = headers(&request.headers)?;
        *sent.body_mut() = request.body.map(Into::into);
        let answer = self.client.execute(sent).await.map_err(|error| failure(&error))?;
        let mut response = HttpResponse {
            status: answer.status().as_u16(),
            headers: told(answer.headers()),
            body: Vec::new(),
        };
        if !answer.status().is_success() {
            response.body = beginning(answer).await;
        } else if request.read_body {
            response.body = whole(answer, request.max_response_bytes).await?;
        }
        Ok(response)
    }
}

/// The whole body, counted as it is decompressed, so that no more than one piece stands beyond the bound.
async fn whole(mut answer: Response, bytes_max: u64) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|error| failure(&error))? {
        if (body.len() + piece.len()) as u64 > bytes_max {
            return Err(HttpError::TooLarge);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The beginning of a failure's body, as far and as soon as it comes: the status alone says that the request failed, and
/// what its headers ask for must not be lost to a body that never ends.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let read = async {
        while body.len() < ERROR_BODY_BYTES_MAX {
            let Ok(Some(piece)) = answer.chunk().await else { break };
            body.extend_from_slice(&piece[..piece.len().min(ERROR_BODY_BYTES_MAX - body.len())]);
        }
    };
    let _ = tokio::time::timeout(ERROR_BODY_WAIT, read).await;
    body
}

fn within_one_place(attempt: Attempt<'_>) -> Action {
    let (next, previous) = (attempt.url(), attempt.previous());
    // The address that was asked for first is among the previous ones.
    if previous.len() > REDIRECTS_MAX {
        return attempt.error(Refused("more than five in a row"));
    }
    let Some(from) = previous.last() else { return attempt.error(Refused("from nowhere")) };
    if next.scheme() != from.scheme() {
        attempt.error(Refused("to another scheme"))
    } else if next.host() != from.host() {
        attempt.error(Refused("to another host"))
    } else if next.port_or_known_default() != from.port_or_known_default() {
        attempt.error(Refused("to another port"))
    } else {
        attempt.follow()
    }
}

/// Why a redirect was not followed.
#[derive(Debug)]
struct Refused(&'static str);

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl Error for Refused {}

/// The error without the address, which may hold a secret.
fn failure(error: &reqwest::Error) -> HttpError {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<Refused>() {
            return HttpError::Redirect(refused.to_string());
        }
        causes.push(inner.to_string());
        cause = inner.source();
    }
    let what = if error.is_connect() {
        "can't connect"
    } else if error.is_body() || error.is_decode() {
        "the answer's body broke off"
    } else if error.is_redirect() {
        return HttpError::Redirect("it leads nowhere".to_owned());
    } else {
        "the request broke off"
    };
    // The innermost cause is what the system said; those around it repeat what the word above says.
    match causes.pop() {
        Some(cause) => HttpError::Transport(format!("{what}: {cause}")),
        None => HttpError::Transport(what.to_owned()),
    }
}

fn method(name: &str) -> Result<Method, HttpError> {
    Method::from_bytes(name.as_bytes())
        .map_err(|_| HttpError::Transport("the method is none of HTTP".to_owned()))
}

fn url(text: &str) -> Result<Url, HttpError> {
    Url::parse(text).map_err(|why| HttpError::Transport(format!("the address is invalid: {why}")))
}

fn headers(pairs: &[(String, String)]) -> Result<HeaderMap, HttpError> {
    let mut headers = HeaderMap::with_capacity(pairs.len());
    for (name, value) in pairs {
        let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes()))
        else {
            return Err(HttpError::Transport("a header has an invalid name or value".to_owned()));
        };
        headers.append(name, value);
    }
    Ok(headers)
}

/// The headers of an answer, those left out whose value is no text.
fn told(headers: &HeaderMap) -> Vec<(String, String)> {
    let texts = headers
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), std::str::from_utf8(value.as_bytes()).ok()?)));
    texts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl fmt::Display for HttpSetupError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no request can be made from this machine: {}", self.0)
    }
}

impl Error for HttpSetupError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

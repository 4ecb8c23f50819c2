//! How telemetry goes out: through the HTTP client that is there anyway, on the app's executor.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opentelemetry_http::{Bytes, HttpClient as Client, HttpError, Request, Response};

use super::super::HttpClient;
use crate::host::HttpRequest;

/// How long one batch may take, ms.
const TIMEOUT_MS: u64 = 10_000;

/// The most bytes of an answer; a collector has little to say.
const ANSWER_BYTES_MAX: u64 = 65_536;

/// Sends batches; clones are the same one.
#[derive(Clone, Debug)]
pub struct Sender {
    client: HttpClient,
    runtime: tokio::runtime::Handle,
    /// Whether the last batch failed, which is told once.
    fails: Arc<AtomicBool>,
}

impl Sender {
    /// A sender on this executor.
    pub fn new(client: HttpClient, runtime: tokio::runtime::Handle) -> Sender {
        Sender { client, runtime, fails: Arc::default() }
    }

    async fn send(self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let headers = parts
            .headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
        let request = HttpRequest {
            method: parts.method.as_str().to_owned(),
            url: parts.uri.to_string(),
            headers: headers.collect(),
            body: Some(body.to_vec()),
            max_response_bytes: ANSWER_BYTES_MAX,
            read_body: true,
        };
        // The collector's thread is none of the executor's, so the request is made there and awaited here.
        let (client, limit) = (self.client.clone(), std::time::Duration::from_millis(TIMEOUT_MS));
        let sent = self.runtime.spawn(async move { tokio::time::timeout(limit, client.send(request)).await });
        let outcome = match sent.await {
            Ok(Ok(Ok(answer))) if (200..300).contains(&answer.status) => Ok(answer),
            Ok(Ok(Ok(answer))) => {
                self.tell(Some(&format!("the collector answered {}", answer.status)));
                return Ok(Response::builder().status(answer.status).body(answer.body.into())?);
            }
            Ok(Ok(Err(error))) => Err(format!("{error:?}")),
            Ok(Err(_)) => Err(format!("the collector did not answer within {TIMEOUT_MS} ms")),
            Err(_) => Err("the program ended".to_owned()),
        };
        self.tell(outcome.as_ref().err().map(String::as_str));
        let answer = outcome?;
        Ok(Response::builder().status(answer.status).body(answer.body.into())?)
    }

    /// Says once that sending fails, and once that it works again.
    fn tell(&self, error: Option<&str>) {
        let failed = self.fails.swap(error.is_some(), Ordering::Relaxed);
        match error {
            Some(error) if !failed => tracing::warn!("telemetry can't be sent: {error}"),
            None if failed => tracing::info!("telemetry is sent again"),
            _ => {}
        }
    }
}

impl Client for Sender {
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(self.clone().send(request))
    }
}

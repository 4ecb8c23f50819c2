//! The native host against a server on this machine.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

mod blocking;
mod bounds;
mod clocks;
mod redirects;
mod server;
mod slots;
#[cfg(target_os = "linux")]
mod unpacked;
mod virtual_time;

use std::time::Duration;

use tokio::runtime::Runtime;

use super::HttpClient;
use crate::host::{HttpError, HttpRequest, HttpResponse};

/// How long a server waits at most until it notices that it was left.
const HEARD_MAX: Duration = Duration::from_secs(20);

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn get(url: &str) -> HttpRequest {
    HttpRequest {
        method: "GET".to_owned(),
        url: url.to_owned(),
        headers: vec![
            ("authorization".to_owned(), "Bearer hush".to_owned()),
            ("x-api-key".to_owned(), "hush".to_owned()),
        ],
        body: None,
        max_response_bytes: 1_000_000,
        read_body: true,
    }
}

/// Sends it, and holds that no error tells the address or a secret.
#[track_caller]
fn send(request: HttpRequest) -> Result<HttpResponse, HttpError> {
    let outcome = runtime().block_on(HttpClient::new().unwrap().send(request));
    if let Err(error) = &outcome {
        let text = format!("{error:?}");
        assert!(!text.contains("hush") && !text.contains("127.0.0.1") && !text.contains("http://"), "{text}");
    }
    outcome
}

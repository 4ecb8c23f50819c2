//! The provider of a run: a price that only rises, behind answers that are slow, repeated, broken or never come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::record::Record;
use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use crate::sim::{Network, Timers, VirtualHost};

/// How the path of the operation ends whose connection is capped.
pub const CAPPED: &str = "/v1/ping";

/// The provider.
#[derive(Default)]
pub struct Provider {
    healthy: AtomicBool,
    price: AtomicU64,
    prices_asked: AtomicU64,
    /// Its own chance, which reaches back to it, and the witness; the world has both only once there is a provider.
    rest: Mutex<Option<(Weak<VirtualHost>, Arc<Record>)>>,
}

impl Provider {
    /// Gives it its chance.
    pub fn join(&self, chance: &Arc<VirtualHost>, record: Arc<Record>) {
        *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some((Arc::downgrade(chance), record));
    }

    /// From now on every answer is a good one, at once, and the price stands.
    pub fn heal(&self) {
        self.healthy.store(true, Ordering::Relaxed);
    }

    /// How often the price was asked for.
    pub fn prices_asked(&self) -> u64 {
        self.prices_asked.load(Ordering::Relaxed)
    }

    /// After how long it answers, and what; `None` never answers.
    fn answer(&self, url: &str, random: u64) -> (u64, Option<Result<HttpResponse, HttpError>>) {
        let (fate, slow_ms) = (random % 100, (random >> 32) % 9_000);
        if url.ends_with("/v1/prices") {
            self.prices_asked.fetch_add(1, Ordering::Relaxed);
        }
        if self.healthy.load(Ordering::Relaxed) {
            return (1, Some(Ok(self.good(url, false))));
        }
        let ms = if fate.is_multiple_of(3) { slow_ms } else { slow_ms % 100 };
        match fate {
            0..4 => (0, None),
            4..10 => (ms, Some(Ok(status(503)))),
            10..13 => {
                let mut asks = status(429);
                asks.headers.push(("retry-after".to_owned(), (slow_ms / 300).to_string()));
                (ms, Some(Ok(asks)))
            }
            13..18 => (ms, Some(Err(HttpError::Transport("reset".to_owned())))),
            18..22 => (ms, Some(Ok(json(r#"{"btc":"x"}"#)))),
            _ => (ms, Some(Ok(self.good(url, fate < 70)))),
        }
    }

    fn good(&self, url: &str, rises: bool) -> HttpResponse {
        if url.ends_with(CAPPED) {
            return json("{}");
        }
        let price = self.price.fetch_add(u64::from(rises), Ordering::Relaxed) + u64::from(rises);
        json(&format!(r#"{{"btc":{price},"eth":2}}"#))
    }
}

impl Network for Provider {
    fn http(
        &self,
        timers: &Timers,
        request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((Some(chance), record)) = rest.as_ref().map(|(chance, record)| (chance.upgrade(), record))
        else {
            return Box::pin(std::future::ready(Err(HttpError::Transport("nobody is there".to_owned()))));
        };
        let (after_ms, answer) = self.answer(&request.url, chance.random());
        record.trace(|| format!("http {} {after_ms} {answer:?}", request.url));
        let timers = timers.clone();
        Box::pin(async move {
            timers.sleep(after_ms).await;
            match answer {
                Some(answer) => answer,
                None => std::future::pending().await,
            }
        })
    }
}

fn status(status: u16) -> HttpResponse {
    HttpResponse { status, headers: Vec::new(), body: Vec::new() }
}

fn json(body: &str) -> HttpResponse {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    HttpResponse { status: 200, headers, body: body.as_bytes().to_vec() }
}

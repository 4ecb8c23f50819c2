//! The exchange's answers, as a router that a server or a test can serve.

mod clock;
mod prices;
mod state;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use jadpo_runtime::sim::REQUEST_HEADER;
use serde_json::{Value, json};

pub use state::{Exchange, Mode};

/// The exchange's routes.
pub fn router(exchange: Arc<Exchange>) -> Router {
    Router::new()
        .route("/v1/quotes", get(quotes))
        .route("/v1/metals", get(metals))
        .route("/v1/notes/{base}", get(note))
        .route("/control", post(control))
        .route("/clock", post(clock))
        .route("/stats", get(stats))
        .with_state(exchange)
}

async fn quotes(State(exchange): State<Arc<Exchange>>, headers: HeaderMap) -> Response {
    let prices = prices::quotes(exchange.clock.minute());
    answer(&exchange, &headers, &prices).await
}

async fn metals(State(exchange): State<Arc<Exchange>>, headers: HeaderMap) -> Response {
    let prices = prices::metals(exchange.clock.minute());
    answer(&exchange, &headers, &prices).await
}

async fn note(
    State(exchange): State<Arc<Exchange>>,
    Path(base): Path<String>,
    headers: HeaderMap,
) -> Response {
    let text = format!("{base} moved at minute {}", exchange.clock.minute());
    answer(&exchange, &headers, &json!({ "text": text })).await
}

/// Answers as the mode says; the call counts as one at once until its answer is ready or its caller has gone.
async fn answer(exchange: &Exchange, headers: &HeaderMap, body: &Value) -> Response {
    let _at_once = exchange.count_call();
    if !headers.get(header::AUTHORIZATION).is_some_and(|value| value.as_bytes().starts_with(b"Bearer ")) {
        return (StatusCode::UNAUTHORIZED, "who is asking?").into_response();
    }
    match exchange.mode() {
        Mode::Ok => Json(body).into_response(),
        Mode::Slow { ms } => {
            exchange.clock.wait(number(headers), ms).await;
            Json(body).into_response()
        }
        Mode::Fail => (StatusCode::INTERNAL_SERVER_ERROR, "the exchange is closed").into_response(),
        Mode::Busy { seconds } => {
            (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())], "too many calls")
                .into_response()
        }
        Mode::Html => {
            ([(header::CONTENT_TYPE, "text/html")], "<!doctype html><title>Sign in</title>").into_response()
        }
    }
}

async fn control(State(exchange): State<Arc<Exchange>>, Json(mode): Json<Mode>) -> StatusCode {
    exchange.set_mode(mode);
    StatusCode::NO_CONTENT
}

/// The number by which a caller in virtual time tells its requests apart; 0 for any other.
fn number(headers: &HeaderMap) -> u64 {
    let number = headers.get(REQUEST_HEADER).and_then(|value| value.to_str().ok()?.parse().ok());
    number.unwrap_or(0)
}

/// Moves the virtual clock, and says which requests it holds and when each of them is due.
async fn clock(State(exchange): State<Arc<Exchange>>, Json(now): Json<clock::Now>) -> Json<clock::State> {
    Json(exchange.clock.advance(now))
}

async fn stats(State(exchange): State<Arc<Exchange>>) -> Json<Value> {
    Json(exchange.stats())
}

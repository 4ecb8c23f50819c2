//! The same handler as a user of axum writes it.

use axum::extract::Path;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

#[derive(Serialize)]
struct Ticket {
    id: i64,
    open: bool,
}

async fn show(Path(id): Path<i64>) -> Json<Ticket> {
    Json(Ticket { id, open: true })
}

/// Serves until the process is ended.
#[expect(clippy::print_stderr, reason = "the bench reads there where it listens")]
pub fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        eprintln!("listening on http://{}", listener.local_addr().expect("a bound address"));
        axum::serve(listener, Router::new().route("/tickets/{id}", get(show))).await.expect("it serves");
    });
}

//! The provider of the example: an exchange on loopback whose prices change, and which can be told to misbehave.
//!
//! It prints the port it listens on, ends when its standard input does, and then prints what it counted. `POST /control` takes `{"mode": "ok"}`,
//! `"fail"` (500), `"busy"` (429 with `Retry-After`), `"html"` or `"slow"`; `GET /stats` counts calls and the highest
//! number of calls at once. With `--virtual`, a slow
//! answer is held until `POST /clock` says that its time has come.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use rates::exchange::{Exchange, Mode};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "exchange: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        arguments.iter().skip_while(|argument| *argument != name).nth(1).and_then(|value| value.parse().ok())
    };
    let exchange = Arc::new(Exchange::new(arguments.iter().any(|argument| argument == "--virtual")));
    if let Some(ms) = after("--slow-ms") {
        exchange.set_mode(Mode::Slow { ms });
    }
    let port = after("--port").and_then(|port| u16::try_from(port).ok()).unwrap_or(0);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.map_err(|error| {
        std::io::Error::new(error.kind(), format!("can't listen on port {port}: {error}"))
    })?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?.port())?;
    // The terminal's ctrl-c reaches the whole process group; the app drains first, and then closes our input.
    tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
    let server = axum::serve(listener, rates::exchange::router(Arc::clone(&exchange)));
    tokio::select! {
        served = server => served?,
        () = input_ends() => {}
    }
    // Whoever started it may be gone; then nobody wants to know.
    let _ = writeln!(std::io::stdout(), "{}", exchange.stats());
    Ok(())
}

/// Ends when whoever started the exchange closes its input, or is gone.
async fn input_ends() {
    let (ended, end) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        drop(ended);
    });
    let _ = end.await;
}

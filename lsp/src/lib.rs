//! The jadpo language server: what `jadpo check` says, while one types.
//!
//! One thread owns the workspaces and takes the editor's notifications in the order of the wire ([`state`]); checks
//! and requests read snapshots of them. Positions are converted in `convert.rs` and nowhere else.

mod checker;
mod convert;
mod documents;
mod ending;
mod in_order;
mod limits;
mod notifications;
mod outgoing;
mod projects;
mod report;
mod requests;
mod server;
mod settings;
mod state;
mod streams;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use jadpo_analysis::system::{OsSystem, System};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tower_lsp::LspService;

use crate::ending::Ending;
use crate::in_order::InOrder;
use crate::server::Server;
use crate::streams::{UntilBroken, UntilEnd};

/// Serves one editor over standard input and output until it says `exit` or closes its end. Whether it asked for a
/// shutdown before, as the protocol wants: a process then ends with 0, else with 1.
pub fn serve() -> bool {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(limits::WORKERS)
        .thread_stack_size(limits::STACK_BYTES)
        .build()
        .expect("the system gives the few threads of an executor");
    let orderly = runtime.block_on(serve_over(tokio::io::stdin(), tokio::io::stdout(), Arc::new(OsSystem)));
    // Reading standard input blocks a thread for as long as the editor keeps it open, and nobody is to wait for that.
    runtime.shutdown_background();
    orderly
}

/// Serves one editor over any two streams, as [`serve`]; must be called within a tokio runtime.
pub async fn serve_over<I, O>(input: I, output: O, system: Arc<dyn System>) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let ending = Arc::new(Ending::default());
    let (outgoing, to_client) = mpsc::unbounded_channel();
    let world = state::start(system, outgoing);
    let (service, socket) = {
        let world = world.clone();
        LspService::new(|client| {
            tokio::spawn(outgoing::send(client.clone(), to_client));
            Server::new(client, world)
        })
    };
    let service = InOrder::new(service, world, ending.clone());
    let input = UntilEnd::new(input, ending.clone());
    let output = UntilBroken::new(output, ending.clone());
    tower_lsp::Server::new(input, output, socket).serve(service).await;
    ending.was_asked_for()
}

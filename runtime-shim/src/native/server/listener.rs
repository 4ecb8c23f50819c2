//! Accepts connections, holds how many live at once, and drains them at a stop; whatever they speak.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;

use futures_util::future::{Either, select};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::life::Life;
use super::watched::Watched;
use crate::host::SharedHost;
use crate::limits;
use crate::stop::Stop;

/// How many connections a listener holds, and how long it waits for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections that live at once; one more is closed before anything of it is read.
    pub connections_max: usize,
    /// How long a stop waits for those that are busy, ms.
    pub drain_ms: u64,
}

/// A bound address.
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    bounds: Bounds,
    host: SharedHost,
    stop: Stop,
}

/// An address that can't be listened on.
#[derive(Debug)]
pub struct ListenError {
    address: String,
    why: io::Error,
}

/// Where connections come from.
pub(super) trait Accept: Send {
    /// The next connection.
    fn accept(&self) -> impl Future<Output = io::Result<TcpStream>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&self) -> io::Result<TcpStream> {
        TcpListener::accept(self).await.map(|(stream, _)| stream)
    }
}

impl Listener {
    /// Binds an address with its port; port 0 is one that the system picks.
    pub async fn bind(
        address: &str,
        bounds: Bounds,
        host: SharedHost,
        stop: Stop,
    ) -> Result<Listener, ListenError> {
        let wrong = |why| ListenError { address: address.to_owned(), why };
        let socket = TcpListener::bind(address).await.map_err(wrong)?;
        let address = socket.local_addr().map_err(wrong)?;
        Ok(Listener { socket, address, bounds, host, stop })
    }

    /// The bound address, with its real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Gives each connection to `serve`, until the stop is asked and those that live then have ended, or were dropped
    /// because they were still busy.
    pub async fn run<F>(self, serve: impl Fn(Watched<TcpStream>, Life) -> F + Send)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Listener { socket, bounds, host, stop, .. } = self;
        run(socket, bounds, &host, &stop, serve).await;
    }
}

pub(super) async fn run<F>(
    socket: impl Accept,
    bounds: Bounds,
    host: &SharedHost,
    stop: &Stop,
    serve: impl Fn(Watched<TcpStream>, Life) -> F + Send,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut connections = JoinSet::new();
    let mut trouble = Trouble::default();
    while let Some(accepted) = until_stop(stop, socket.accept()).await {
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok(stream) if connections.len() < bounds.connections_max => {
                trouble.ends();
                // Answers are written whole, so waiting for more to send would only delay them.
                drop(stream.set_nodelay(true));
                let life = Life::begin(host.clone(), stop.clone());
                connections.spawn(serve(Watched::new(stream, life.clone()), life));
            }
            // Dropping it closes it, unread.
            Ok(_) => trouble.ends(),
            // The client was gone before it was accepted; the next one may be there.
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                let backoff_ms = trouble.counts(&error);
                if until_stop(stop, host.sleep(backoff_ms)).await.is_none() {
                    break;
                }
            }
        }
    }
    // Whoever has not been accepted is refused from now on.
    drop(socket);
    drain(connections, bounds.drain_ms, host).await;
}

/// Waits for the connections, and drops those that take too long.
async fn drain(mut connections: JoinSet<()>, drain_ms: u64, host: &SharedHost) {
    if ends_within(&mut connections, drain_ms, host).await {
        return;
    }
    let busy = connections.len();
    tracing::warn!(
        "{busy} connections were still busy when the stop had waited {drain_ms} ms, and were dropped"
    );
    connections.abort_all();
    // One whose code holds its thread can't be dropped, and is not waited for.
    ends_within(&mut connections, limits::DROP_MS_MAX, host).await;
}

/// Whether all connections end in so long.
async fn ends_within(connections: &mut JoinSet<()>, ms: u64, host: &SharedHost) -> bool {
    let all_ended = pin!(async { while connections.join_next().await.is_some() {} });
    matches!(select(all_ended, host.sleep(ms)).await, Either::Left(_))
}

/// What a future gives; none once the stop was asked.
async fn until_stop<T>(stop: &Stop, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(stop.asked()), pin!(future)).await {
        Either::Left(_) => None,
        Either::Right((value, _)) => Some(value),
    }
}

/// Errors of accepting in a row: told once, and slept over, since each try would fail at once.
#[derive(Default)]
struct Trouble {
    in_a_row: u32,
}

impl Trouble {
    /// How long to sleep after one more, ms.
    fn counts(&mut self, error: &io::Error) -> u64 {
        if self.in_a_row == 0 {
            tracing::warn!("no connection can be accepted: {error}");
        }
        let (shortest_ms, longest_ms) = limits::ACCEPT_BACKOFF_MS;
        let backoff_ms = shortest_ms.checked_shl(self.in_a_row).unwrap_or(longest_ms).min(longest_ms);
        self.in_a_row = (self.in_a_row + 1).min(16);
        backoff_ms
    }

    fn ends(&mut self) {
        if std::mem::take(&mut self.in_a_row) > 0 {
            tracing::info!("connections are accepted again");
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} can't be listened on: {}", self.address, self.why)
    }
}

impl std::error::Error for ListenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.why)
    }
}

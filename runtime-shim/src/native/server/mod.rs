//! The server of a native program: one listener for the app's routes and for its health.

mod body;
mod http;
mod life;
mod listener;
mod site;
#[cfg(test)]
mod tests;
mod watched;

use std::net::SocketAddr;
use std::sync::Arc;

use crate::route::Serve;
use crate::start::Ready;

pub use life::Life;
pub use listener::{Bounds, ListenError, Listener};
pub use site::Site;
pub use watched::Watched;

/// Binds the address of an app that listens, and lets its server run beside it until the stop; the bound address.
pub async fn open(ready: &mut Ready, serve: Arc<dyn Serve>) -> Result<Option<SocketAddr>, ListenError> {
    let Some(listening) = &ready.listening else { return Ok(None) };
    let bounds = Bounds { connections_max: listening.connections_max, drain_ms: listening.drain_ms };
    let (host, stop) = (ready.engine.host.clone(), ready.engine.stop.clone());
    let listener = Listener::bind(&listening.address, bounds, host, stop).await?;
    let address = listener.address();
    tracing::info!("listening on http://{address}");
    let site = Arc::new(Site::new(ready.routes.clone(), serve));
    ready.beside.push(Box::pin(listener.run(move |socket, life| http::serve(socket, life, site.clone()))));
    Ok(Some(address))
}

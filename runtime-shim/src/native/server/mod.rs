//! The server of a native program: one listener for the app's routes and for its health.

mod body;
mod http;
mod life;
mod listener;
mod site;
#[cfg(test)]
mod tests;
mod watched;

use std::sync::Arc;

pub use listener::{Bounds, ListenError, Listener};
pub use site::Site;

/// Serves a site on a listener, until the listener's stop is asked and its connections have ended.
pub async fn serve(listener: Listener, site: Site) {
    let site = Arc::new(site);
    listener.run(move |socket, life| http::serve(socket, life, site.clone())).await;
}

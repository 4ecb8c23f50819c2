//! The connections of a store: a bounded number, each made ready once and used again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::{
    Client, Connect, Hook, HookError, Manager, ManagerConfig, Pool as Connections, RecyclingMethod, Runtime,
};
use tokio::task::JoinHandle;
use tokio_postgres::{Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failed::Failed;
use crate::host::BoxFuture;
use crate::limits;
use crate::store::StoreErrorKind;

/// The connections of a store.
#[derive(Clone, Debug)]
pub struct Pool {
    connections: Connections,
    /// Connections that were made before this moment are not used again.
    trusted_since: Arc<Mutex<Option<Instant>>>,
}

impl Pool {
    /// At most `size` connections, made as they are needed.
    pub fn new(config: Config, tls: MakeRustlsConnect, size: usize, wait_ms: u64) -> Result<Pool, Failed> {
        // A connection that broke is found closed when it is taken; asking it each time would double every statement's way.
        let fast = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_connect(config, Quiet { tls }, fast);
        let built = Connections::builder(manager)
            .max_size(size)
            .wait_timeout(Some(Duration::from_millis(wait_ms)))
            .runtime(Runtime::Tokio1)
            // One that broke meanwhile is let go of without a word: whoever used it has told.
            .pre_recycle(Hook::sync_fn(|client, _| {
                if client.is_closed() { Err(HookError::message("closed")) } else { Ok(()) }
            }))
            .post_create(Hook::async_fn(|client, _| {
                Box::pin(async move { client.batch_execute(&begin_sql()).await.map_err(HookError::Backend) })
            }))
            .build();
        let connections = built.map_err(|error| Failed::Kind(StoreErrorKind::Other(error.to_string())))?;
        Ok(Pool { connections, trusted_since: Arc::default() })
    }

    /// A connection that is free, or a new one.
    pub async fn get(&self) -> Result<Client, Failed> {
        let client = loop {
            let client = match self.connections.get().await {
                Err(deadpool_postgres::PoolError::PostCreateHook(HookError::Backend(error))) => {
                    return Err(Failed::Engine(error));
                }
                other => other?,
            };
            let trusted_since = *self.trusted_since.lock().unwrap_or_else(PoisonError::into_inner);
            if trusted_since.is_none_or(|since| Client::metrics(&client).created > since) {
                break client;
            }
            drop(Client::take(client));
        };
        // An app may put values into its SQL's text, which makes ever new statements.
        if client.statement_cache.size() > limits::STATEMENTS_CACHED * 4 {
            client.statement_cache.clear();
        }
        Ok(client)
    }

    /// Has all connections made anew: the server behind them may be another's replica now, which new ones would find.
    pub fn distrust(&self) {
        *self.trusted_since.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

/// What every connection begins with. Sent as a statement and not as an option of the connection, which poolers in between
/// refuse.
fn begin_sql() -> String {
    format!("SET lock_timeout = {}", limits::POSTGRES_LOCK_MS)
}

/// Connects, and leaves it to whoever uses the connection to say that it broke.
struct Quiet {
    tls: MakeRustlsConnect,
}

impl Connect for Quiet {
    fn connect(
        &self,
        config: &Config,
    ) -> BoxFuture<'_, Result<(tokio_postgres::Client, JoinHandle<()>), Error>> {
        let config = config.clone();
        let tls = self.tls.clone();
        Box::pin(async move {
            let (client, connection) = config.connect(tls).await?;
            Ok((client, tokio::spawn(async move { drop(connection.await) })))
        })
    }
}

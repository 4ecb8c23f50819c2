//! Opens a database: its connections, the migration, the app's own tables, and the line that other instances are heard on.

use std::sync::Arc;

use event_listener::Event;
use tokio::sync::Semaphore;

use super::address::Address;
use super::executor::Executor;
use super::failed::Failed;
use super::group::Groups;
use super::pool::Pool;
use super::tell::Teller;
use super::{PostgresStore, Work, listen, migrate, tls};
use crate::limits;
use crate::store::{Place, StoreError, StoreErrorKind};

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Its name in the app.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// The app's own tables: SQL that is run at every start, so it must be safe to run again.
    pub prepare: Vec<String>,
    /// Connections that it has at most, the one that hears other instances aside.
    pub connections: usize,
    /// How long one of them is waited for, ms.
    pub wait_ms: u64,
}

impl OpenOptions {
    /// A store with the ordinary limits.
    pub fn new(name: &str, address: Address) -> OpenOptions {
        OpenOptions {
            name: name.to_owned(),
            address,
            prepare: Vec::new(),
            connections: limits::POSTGRES_CONNECTIONS_MAX,
            wait_ms: limits::POSTGRES_CONNECTION_WAIT_MS,
        }
    }

    /// Opens and migrates it. Blocks the thread until the server has answered or counts as gone.
    pub fn open(self) -> Result<PostgresStore, StoreError> {
        let place = Place { name: self.name.clone(), file: self.address.to_string() };
        self.open_inner(&place).map_err(|failed| StoreError { store: place, kind: failed.kind() })
    }

    fn open_inner(self, place: &Place) -> Result<PostgresStore, Failed> {
        let other = |text: String| Failed::Kind(StoreErrorKind::Other(text));
        let Address { config, trust } = self.address;
        let tls = tls::connector(&trust).map_err(other)?;
        let pool = Pool::new(config.clone(), tls.clone(), self.connections, self.wait_ms)?;
        let executor =
            Executor::start(format!("jadpo {}", place.name)).map_err(|error| other(error.to_string()))?;
        let (opening, prepare) = (pool.clone(), self.prepare);
        let opened =
            executor.run_blocking(async move { migrate::migrate(&mut opening.get().await?, &prepare).await });
        opened.unwrap_or(Err(Failed::Kind(StoreErrorKind::Closed)))?;
        let me: Arc<str> = uuid::Uuid::from_u128(chance()).to_string().into();
        let heard = Arc::new(Event::new());
        executor.handle().spawn(listen::run(config, tls, me.clone(), heard.clone()));
        // Bodies that hold a connection leave enough of them for what the runtime does beside.
        let bodies = (self.connections * 2 / 3).max(1);
        Ok(PostgresStore {
            work: Work {
                place: place.clone(),
                groups: Groups::new(pool.clone()),
                teller: Teller::new(pool.clone(), me),
                bodies: Arc::new(Semaphore::new(bodies)),
                wait_ms: self.wait_ms,
                pool,
            },
            executor,
            heard,
            asked: std::sync::atomic::AtomicU64::new(0),
        })
    }
}

/// A number that no other store of any process has.
fn chance() -> u128 {
    let half =
        || u128::from(getrandom::u64().expect("a system that gives no random bits can run no program"));
    half() << 64 | half()
}

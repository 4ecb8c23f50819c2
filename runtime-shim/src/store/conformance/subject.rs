//! A fresh store of each engine to try a case on.

use std::sync::Arc;
#[cfg(feature = "postgres")]
use std::sync::atomic::{AtomicU32, Ordering};

use crate::store::SharedStore;
use crate::store::memory::MemoryStore;
#[cfg(feature = "postgres")]
use crate::store::postgres;
use crate::store::sqlite;
#[cfg(feature = "postgres")]
use crate::trial::cluster::{self, Cluster};

/// The app's own table, for those that have any.
const PREPARE: &str = "CREATE TABLE IF NOT EXISTS notes (n INTEGER PRIMARY KEY, text TEXT)";

/// A store of one engine, with nothing in it.
pub struct Subject {
    pub store: SharedStore,
    engine: Engine,
    _directory: Option<tempfile::TempDir>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Memory,
    Sqlite,
    Postgres,
}

/// One of each engine that can be had here.
pub fn each() -> Vec<Subject> {
    [Some(in_memory()), Some(over_sqlite()), over_postgres()].into_iter().flatten().collect()
}

impl Subject {
    pub fn name(&self) -> String {
        format!("{:?}", self.engine)
    }

    /// Whether it runs the app's SQL.
    pub fn has_sql(&self) -> bool {
        self.engine != Engine::Memory
    }

    pub fn is_postgres(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// The app's SQL, written for SQLite, in this engine's words.
    pub fn sql(&self, sql: &str) -> String {
        if self.is_postgres() { sql.replace('?', "$") } else { sql.to_owned() }
    }
}

fn in_memory() -> Subject {
    Subject { store: Arc::new(MemoryStore::new("main")), engine: Engine::Memory, _directory: None }
}

fn over_sqlite() -> Subject {
    let directory = tempfile::tempdir().unwrap();
    let options = sqlite::OpenOptions {
        prepare: vec![PREPARE.to_owned()],
        ..sqlite::OpenOptions::new("main", directory.path().join("store.db"))
    };
    Subject { store: Arc::new(options.open().unwrap()), engine: Engine::Sqlite, _directory: Some(directory) }
}

/// The server that all cases of this program share, each with a database of its own.
#[cfg(feature = "postgres")]
pub fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: std::sync::OnceLock<Option<Cluster>> = std::sync::OnceLock::new();
    CLUSTER.get_or_init(|| cluster::is_there().then(Cluster::start)).as_ref()
}

/// The URL of a new database.
#[cfg(feature = "postgres")]
pub fn new_database(cluster: &Cluster) -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let name = format!("case_{}", MADE.fetch_add(1, Ordering::Relaxed));
    let admin = cluster.url("postgres");
    let sql = format!("CREATE DATABASE {name}");
    let made = std::thread::spawn(move || {
        let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        executor.block_on(async {
            let (client, connection) = tokio_postgres::connect(&admin, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(&sql).await.unwrap();
        });
    });
    made.join().unwrap();
    cluster.url(&name)
}

#[cfg(feature = "postgres")]
fn over_postgres() -> Option<Subject> {
    let address = new_database(cluster()?).parse().unwrap();
    let options = postgres::OpenOptions {
        prepare: vec![PREPARE.to_owned()],
        ..postgres::OpenOptions::new("main", address)
    };
    Some(Subject { store: Arc::new(options.open().unwrap()), engine: Engine::Postgres, _directory: None })
}

/// A program without the engine has none.
#[cfg(not(feature = "postgres"))]
fn over_postgres() -> Option<Subject> {
    None
}

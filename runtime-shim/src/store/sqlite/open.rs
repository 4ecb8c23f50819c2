//! Opens a database file: directory, journal, migration, and the app's own tables.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::failed::{Failed, is_trouble};
use super::{SqliteStore, migrate, reader::Reader, writer::Writer};
use crate::limits;
use crate::store::{Place, Runs, StoreError, StoreErrorKind};

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Its name in the app.
    pub name: String,
    /// Its file, made with its directory where there is none.
    pub path: PathBuf,
    /// The app's own tables: SQL that is run at every start, so it must be safe to run again.
    pub prepare: Vec<String>,
    /// How long a lock that another process holds is waited for, ms.
    pub busy_ms: u64,
    /// How long a body may hold a transaction open, ms. In virtual time only what runs the body can tell how long that is.
    pub transaction_ms: u64,
    /// Whether each commit waits until the disk has it (`synchronous=FULL`); otherwise only checkpoints do (`NORMAL`).
    pub sync_each_commit: bool,
    /// Where its work is done.
    pub runs: Runs,
}

impl OpenOptions {
    /// A store with the ordinary limits.
    pub fn new(name: &str, path: impl Into<PathBuf>) -> OpenOptions {
        OpenOptions {
            name: name.to_owned(),
            path: path.into(),
            prepare: Vec::new(),
            busy_ms: limits::SQLITE_BUSY_MS,
            transaction_ms: limits::TRANSACTION_MS_MAX,
            sync_each_commit: false,
            runs: Runs::OnThreads,
        }
    }

    /// Opens and migrates it. Blocks the thread, and tries no more after [`limits::SQLITE_START_WAITS`] times as long as a lock
    /// is waited for.
    pub fn open(&self) -> Result<SqliteStore, StoreError> {
        // A relative path says little to whoever reads it in a log.
        let file = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let place = Place { name: self.name.clone(), file: file.display().to_string() };
        let begun = Instant::now();
        let longest = Duration::from_millis(self.busy_ms).saturating_mul(limits::SQLITE_START_WAITS);
        let mut told = false;
        loop {
            match self.open_inner(&place).map_err(|failed| failed.kind()) {
                Ok(store) => return Ok(store),
                Err(StoreErrorKind::Locked) if begun.elapsed() < longest => {
                    if !std::mem::replace(&mut told, true) {
                        tracing::warn!("{place}: it is locked by another process; the start waits");
                    }
                    std::thread::sleep(Duration::from_millis(limits::SQLITE_START_PAUSE_MS));
                }
                Err(kind) => return Err(StoreError { store: place, kind }),
            }
        }
    }

    fn open_inner(&self, place: &Place) -> Result<SqliteStore, Failed> {
        make(&self.path)?;
        let mut connection =
            self.connect(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        if connection.is_readonly("main")? {
            return Err(Failed::Kind(StoreErrorKind::ReadOnly));
        }
        journal(&connection)?;
        // What a savepoint would need to go back is a few pages for a moment, and no reason for a file in each transaction.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        migrate::migrate(&mut connection)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for sql in &self.prepare {
            transaction.execute_batch(sql).map_err(not_prepared)?;
        }
        transaction.commit()?;
        let reader = self.reader(place, 1)?;
        let queries = self.reader(place, limits::SQLITE_QUERY_THREADS)?;
        let writer =
            Writer::start(place.clone(), connection, self.runs, self.transaction_ms).map_err(no_thread)?;
        Ok(SqliteStore { writer, reader, queries })
    }

    fn reader(&self, place: &Place, threads: usize) -> Result<Reader, Failed> {
        let connect = |_| {
            let connection = self.connect(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            connection.pragma_update(None, "query_only", true)?;
            Ok(connection)
        };
        let connections = (0..threads).map(connect).collect::<Result<_, Failed>>()?;
        Reader::start(place, connections, self.runs).map_err(no_thread)
    }

    fn connect(&self, flags: OpenFlags) -> Result<Connection, Failed> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::from_millis(self.busy_ms))?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let synchronous = if self.sync_each_commit { "FULL" } else { "NORMAL" };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.set_prepared_statement_cache_capacity(limits::STATEMENTS_CACHED);
        Ok(connection)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn no_thread(error: std::io::Error) -> Failed {
    Failed::Kind(StoreErrorKind::Other(error.to_string()))
}

/// Tells SQL of the app's that the engine refuses from the store's own trouble.
fn not_prepared(error: rusqlite::Error) -> Failed {
    if is_trouble(&error) {
        return Failed::Engine(error);
    }
    Failed::Kind(StoreErrorKind::Other(format!("what the app prepares there is refused: {error}")))
}

/// Makes the directory and the file where there are none. The system says why it can't far better than the engine, which
/// only can't open the file.
fn make(path: &Path) -> Result<(), Failed> {
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        std::fs::create_dir_all(directory)
            .map_err(|error| not_made("its directory can't be made: ", &error))?;
    }
    let file = std::fs::OpenOptions::new().read(true).append(true).create(true).open(path);
    file.map(drop).map_err(|error| not_made("", &error))
}

fn not_made(what: &str, error: &std::io::Error) -> Failed {
    Failed::Kind(match error.kind() {
        std::io::ErrorKind::ReadOnlyFilesystem => StoreErrorKind::ReadOnly,
        std::io::ErrorKind::StorageFull => StoreErrorKind::Full,
        _ => StoreErrorKind::NotOpened(format!("{what}{error}")),
    })
}

/// Switches to write-ahead logging, which lets readers and the writer go on beside each other.
fn journal(connection: &Connection) -> Result<(), Failed> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode.eq_ignore_ascii_case("wal") {
        return Ok(());
    }
    Err(Failed::Kind(StoreErrorKind::Other(format!(
        "write-ahead logging can't be turned on; the journal is {mode:?}"
    ))))
}

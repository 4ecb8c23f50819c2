//! Where the stores of a run are kept, and what can be asked of them from outside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use super::cluster::{Cluster, programs};

/// The two stores of a run.
pub enum Kept<'a> {
    /// In a folder, as SQLite files.
    Files(PathBuf),
    /// In two databases of a server, whose names begin alike.
    Databases(&'a Cluster, String),
}

impl<'a> Kept<'a> {
    /// Two new databases, whose clock goes as fast as the processes' from `epoch_ms` on.
    pub fn databases(cluster: &'a Cluster, name: &str, epoch_ms: i64, rate: u32) -> Self {
        for store in ["main", "side"] {
            let database = format!("{name}_{store}");
            psql(&cluster.url("postgres"), &format!("CREATE DATABASE {database}"));
            let clock = format!(
                "CREATE SCHEMA swift; \
                 CREATE FUNCTION swift.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ \
                 SELECT to_timestamp({epoch_ms} / 1000.0 + (extract(epoch FROM pg_catalog.clock_timestamp()) - {epoch_ms} / 1000.0) * {rate}) $$; \
                 ALTER DATABASE {database} SET search_path = public, swift, pg_catalog"
            );
            psql(&cluster.url(&database), &clock);
        }
        Self::Databases(cluster, name.to_owned())
    }

    /// What a process needs to find them.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Files(folder) => vec![
                ("KILLED_MAIN_FILE", folder.join("main.db").display().to_string()),
                ("KILLED_SIDE_FILE", folder.join("side.db").display().to_string()),
            ],
            Self::Databases(cluster, name) => vec![
                ("KILLED_MAIN", cluster.url(&format!("{name}_main"))),
                ("KILLED_SIDE", cluster.url(&format!("{name}_side"))),
            ],
        }
    }

    /// The rows of a query, their columns parted by `|`; `None` where it can't be asked now.
    pub fn ask(&self, store: &str, sql: &str) -> Option<Vec<String>> {
        match self {
            Self::Files(folder) => ask_file(&folder.join(format!("{store}.db")), sql).ok(),
            Self::Databases(cluster, name) => ask_database(&cluster.url(&format!("{name}_{store}")), sql),
        }
    }

    /// The rows of a query.
    #[track_caller]
    pub fn rows(&self, store: &str, sql: &str) -> Vec<String> {
        self.ask(store, sql).unwrap_or_else(|| panic!("{sql} can't be asked"))
    }

    /// A number.
    #[track_caller]
    pub fn count(&self, store: &str, sql: &str) -> u64 {
        self.rows(store, sql)[0].parse().unwrap_or_else(|_| panic!("{sql} is no number"))
    }

    /// Deliveries and runs that are yet to be done; `None` where that can't be asked now.
    pub fn left(&self) -> Option<u64> {
        let sql = "SELECT (SELECT count(*) FROM jadpo_deliveries WHERE state IN ('pending', 'claimed'))
            + (SELECT count(*) FROM jadpo_batch_runs WHERE state IN ('pending', 'claimed'))";
        let mut left = 0;
        for store in ["main", "side"] {
            left += self.ask(store, sql)?.first()?.parse::<u64>().ok()?;
        }
        Some(left)
    }

    /// Whether the files are whole; a server sees to that itself.
    pub fn is_whole(&self) -> bool {
        let whole = |store| self.rows(store, "PRAGMA integrity_check") == ["ok"];
        matches!(self, Self::Databases(..)) || (whole("main") && whole("side"))
    }
}

/// Runs SQL over a database, and gives what it prints.
#[track_caller]
pub fn psql(url: &str, sql: &str) -> Vec<String> {
    ask_database(url, sql).unwrap_or_else(|| panic!("{sql} fails"))
}

fn ask_database(url: &str, sql: &str) -> Option<Vec<String>> {
    let program = programs()?.join("psql");
    let mut command = Command::new(program);
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]);
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().map(str::to_owned).collect())
}

fn ask_file(path: &Path, sql: &str) -> rusqlite::Result<Vec<String>> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    let mut statement = connection.prepare(sql)?;
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let texts = (0..columns).map(|at| row.get::<_, Value>(at).map(|value| text(&value)));
        Ok(texts.collect::<rusqlite::Result<Vec<_>>>()?.join("|"))
    })?;
    rows.collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => format!("{bytes:?}"),
    }
}

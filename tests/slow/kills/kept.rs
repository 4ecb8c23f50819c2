//! Where the stores of a run are kept, and what can be asked of them from outside.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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

    /// Deliveries, runs and schedules that are yet to be done; `None` where that can't be asked now.
    pub fn left(&self) -> Option<u64> {
        let sql = "SELECT (SELECT count(*) FROM jadpo_deliveries WHERE state IN ('pending', 'claimed'))
            + (SELECT count(*) FROM jadpo_batch_runs WHERE state IN ('pending', 'claimed'))
            + (SELECT count(*) FROM jadpo_schedules WHERE claim_token IS NOT NULL)";
        let mut left = 0;
        for store in ["main", "side"] {
            left += self.ask(store, sql)?.first()?.parse::<u64>().ok()?;
        }
        Some(left)
    }

    /// Does something while nobody else holds the lock of a file: a process that is stopped then holds up no other.
    pub fn while_nobody_writes(&self, something: impl FnOnce()) {
        let Self::Files(folder) = self else { return something() };
        let open = |store| {
            let connection = Connection::open(folder.join(format!("{store}.db"))).unwrap();
            connection.busy_timeout(Duration::from_secs(30)).unwrap();
            connection.execute_batch("BEGIN IMMEDIATE").unwrap();
            connection
        };
        let held = ["main", "side"].map(open);
        something();
        for connection in held {
            connection.execute_batch("ROLLBACK").unwrap();
        }
    }

    /// Whether they are on a server, without which no process starts.
    pub fn is_on_a_server(&self) -> bool {
        matches!(self, Self::Databases(..))
    }

    /// Whether the files are whole; a server sees to that itself.
    pub fn is_whole(&self) -> bool {
        let whole = |store| self.rows(store, "PRAGMA integrity_check") == ["ok"];
        self.is_on_a_server() || (whole("main") && whole("side"))
    }
}

/// Runs SQL over a database, and gives what it prints.
#[track_caller]
pub fn psql(url: &str, sql: &str) -> Vec<String> {
    ask_database(url, sql).unwrap_or_else(|| panic!("{sql} fails"))
}

/// A session of its own, with a transaction open in which `sql` was done. It is rolled back when this is dropped.
pub struct Session(Child);

impl Session {
    #[track_caller]
    pub fn begin(url: &str, sql: &str) -> Self {
        let mut command = client(url).expect("the package postgresql is installed");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        writeln!(child.stdin.as_mut().unwrap(), "BEGIN; {sql}; SELECT 'done';").unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "done\n", "{sql} fails");
        Self(child)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn ask_database(url: &str, sql: &str) -> Option<Vec<String>> {
    let output = client(url)?.args(["-c", sql]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().map(str::to_owned).collect())
}

/// A client that prints values alone, and ends at the first error.
fn client(url: &str) -> Option<Command> {
    let mut command = Command::new(programs()?.join("psql"));
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url]);
    Some(command)
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

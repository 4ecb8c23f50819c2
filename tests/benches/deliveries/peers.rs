//! Other queues over SQLite: each a small program of its own under `tests/benches/peers`, which fills its tables with the same
//! work, works it off, and says how long that took.

use std::path::{Path, PathBuf};
use std::process::Command;

use jadpo_tests::workspace::root;
use rusqlite::Connection;

use super::board::Work;

/// Another queue.
pub struct Peer {
    /// Its name and version.
    pub name: &'static str,
    program: &'static str,
    /// How many are done, of `?1` that there were.
    done: &'static str,
    /// Whether its connections can be told to wait for the disk with each commit.
    pub knows_full: bool,
    /// A slow one is told to stop after so many, while all are due.
    pub at_most: u32,
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "honker 0.5.0",
        program: "jadpo-peer-honker",
        done: "SELECT ?1 - count(*) FROM _honker_live", // What is done is deleted.
        knows_full: true,
        at_most: u32::MAX,
    },
    Peer {
        name: "effectum 0.7.0",
        program: "jadpo-peer-effectum",
        done: "SELECT min(?1, count(*)) FROM jobs WHERE status = 'succeeded'",
        knows_full: false,
        at_most: u32::MAX,
    },
    Peer {
        name: "apalis-sqlite 1.0.0",
        program: "jadpo-peer-apalis",
        done: "SELECT min(?1, count(*)) FROM Jobs WHERE status = 'Done'",
        knows_full: true,
        at_most: 2_000,
    },
];

/// Those that are built, and those that are not.
pub fn built() -> (Vec<Peer>, Vec<Peer>) {
    PEERS.into_iter().partition(|peer| peer.path().is_file())
}

impl Peer {
    /// Jobs a second.
    pub fn burn_down(&self, folder: &Path, work: Work) -> f64 {
        let file = folder.join("peer.db");
        let enough = work.enough.min(self.at_most);
        let numbers = [work.due.to_string(), enough.to_string()];
        let output = Command::new(self.path()).arg(&file).args(numbers).arg(work.synchronous).output();
        let output = output.expect("it is built");
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{}: {told}", self.name);
        let seconds: f64 = said.trim().parse().expect("it says how many seconds it took");
        let connection = Connection::open(&file).expect("the database opens");
        let journal: String =
            connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).expect("it is known");
        assert_eq!(journal, "wal", "{}", self.name);
        let done: u32 = connection.query_row(self.done, [work.due], |row| row.get(0)).expect("it is counted");
        assert!(done >= enough, "{}: {done} done", self.name);
        f64::from(done) / seconds
    }

    fn path(&self) -> PathBuf {
        let folder =
            std::env::var_os("JADPO_PEERS").map_or_else(|| root().join("target/peers"), PathBuf::from);
        folder.join("release").join(self.program)
    }
}

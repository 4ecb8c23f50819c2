//! Other queues over PostgreSQL: each a small program of its own under `tests/benches/peers`, which fills its tables with the
//! same work and works it off, and says how long that took and how many of its handlers ran.

use std::path::{Path, PathBuf};
use std::process::Command;

use jadpo_tests::workspace::root;

use super::Work;
use super::database::{number, put_to_rest};

/// Another queue, set up in one way.
pub struct Peer {
    /// Its name and version, and how it is set up.
    pub name: &'static str,
    /// Whether it may fetch ahead and gather as far as it can, and not only hold 16 at once.
    pub batched: bool,
    /// Its folder under `tests/benches/peers`.
    folder: &'static str,
    program: &'static str,
    /// What its program is told.
    mode: &'static str,
    /// What is not over in its tables, and what is over but never ran; what is done it deletes, or moves to another table.
    left: &'static str,
}

const GRAPHILE: Peer = Peer {
    name: "graphile_worker 0.14.1, 500 at once, 5,000 fetched ahead, ends gathered for 5 ms",
    batched: true,
    folder: "graphile_worker",
    program: "jadpo-peer-graphile-worker",
    mode: "batched",
    left: "SELECT count(*) FROM graphile_worker._private_jobs",
};

const AWA: Peer = Peer {
    name: "awa 0.6.9, 256 workers",
    batched: true,
    folder: "awa",
    program: "jadpo-peer-awa",
    mode: "batched",
    left: "SELECT count(*) FROM awa.jobs WHERE state <> 'completed'",
};

const PEERS: [Peer; 5] = [
    GRAPHILE,
    Peer {
        name: "graphile_worker 0.14.1, 16 fetched ahead, ends gathered for 5 ms",
        batched: false,
        mode: "gathered",
        ..GRAPHILE
    },
    Peer {
        name: "graphile_worker 0.14.1, one by one, polled each ms",
        batched: false,
        mode: "single",
        ..GRAPHILE
    },
    AWA,
    Peer { name: "awa 0.6.9, 16 workers", batched: false, mode: "unbatched", ..AWA },
];

/// Those that are built, and those that are not.
pub fn built() -> (Vec<Peer>, Vec<Peer>) {
    PEERS.into_iter().partition(|peer| peer.path().is_file())
}

impl Peer {
    /// Jobs a second.
    pub fn burn_down(&self, url: &str, work: Work) -> f64 {
        self.ask(&["fill", url, &work.due.to_string()]);
        // Or nothing would be left of them in the end whatever was done.
        assert_eq!(number(url, self.left), i64::from(work.due), "{}: some are not there", self.name);
        put_to_rest(url);
        let said = self.ask(&["run", url, &work.due.to_string(), self.mode]);
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [seconds, handled] = numbers[..] else { panic!("{} said {said:?}", self.name) };
        assert!((handled - f64::from(work.due)).abs() < 0.5, "{}: {handled} handled", self.name);
        assert_eq!(number(url, self.left), 0, "{}: some are left", self.name);
        f64::from(work.due) / seconds
    }

    fn path(&self) -> PathBuf {
        let folder =
            std::env::var_os("JADPO_PEERS").map_or_else(|| root().join("target/peers"), PathBuf::from);
        folder.join("release").join(self.program)
    }

    fn ask(&self, arguments: &[&str]) -> String {
        let home: &Path = &root().join("tests/benches/peers").join(self.folder);
        let output = Command::new(self.path()).args(arguments).current_dir(home).output();
        let output = output.expect("it is built");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {error}", self.name);
        String::from_utf8(output.stdout).expect("it prints text")
    }
}

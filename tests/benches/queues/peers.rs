//! Other queues over PostgreSQL: each a small program of its own under `tests/benches/peers`, which fills its tables with the
//! same work and works it off, and says how long that took and how many of its handlers ran.

use std::path::{Path, PathBuf};
use std::process::Command;

use jadpo_tests::workspace::root;

use super::Work;
use super::database::{number, put_to_rest};

/// Another queue.
pub struct Peer {
    /// Its name and version.
    pub name: &'static str,
    /// Its folder under `tests/benches/peers`.
    folder: &'static str,
    program: PathBuf,
    /// What is not over in its tables, and what is over but never ran.
    left: &'static str,
}

/// Name, folder, program, and what it has left; what is done it deletes, or moves to another table.
const PEERS: &[(&str, &str, &str, &str)] = &[
    (
        "graphile_worker 0.14.1",
        "graphile_worker",
        "jadpo-peer-graphile-worker",
        "SELECT count(*) FROM graphile_worker._private_jobs",
    ),
    ("awa 0.6.9", "awa", "jadpo-peer-awa", "SELECT count(*) FROM awa.jobs WHERE state <> 'completed'"),
];

/// Those that are built, and the names of those that are not.
pub fn built() -> (Vec<Peer>, Vec<&'static str>) {
    let folder = std::env::var_os("JADPO_PEERS").map_or_else(|| root().join("target/peers"), PathBuf::from);
    let (mut peers, mut left_out) = (Vec::new(), Vec::new());
    for &(name, of, program, left) in PEERS {
        let program = folder.join("release").join(program);
        if program.is_file() {
            peers.push(Peer { name, folder: of, program, left });
        } else {
            left_out.push(name);
        }
    }
    (peers, left_out)
}

impl Peer {
    /// Jobs a second.
    pub fn burn_down(&self, url: &str, work: Work) -> f64 {
        self.ask(&["fill", url, &work.due.to_string()]);
        put_to_rest(url);
        let mode = if work.batched { "batched" } else { "unbatched" };
        let said = self.ask(&["run", url, &work.due.to_string(), mode]);
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [seconds, handled] = numbers[..] else { panic!("{} said {said:?}", self.name) };
        assert!((handled - f64::from(work.due)).abs() < 0.5, "{}: {handled} handled", self.name);
        assert_eq!(number(url, self.left), 0, "{}: some are left", self.name);
        f64::from(work.due) / seconds
    }

    fn ask(&self, arguments: &[&str]) -> String {
        let home: &Path = &root().join("tests/benches/peers").join(self.folder);
        let output = Command::new(&self.program).args(arguments).current_dir(home).output();
        let output = output.expect("it is built");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {error}", self.name);
        String::from_utf8(output.stdout).expect("it prints text")
    }
}

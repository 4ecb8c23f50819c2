//! Trouble that ends: a full disk, one that can't be written, a database that takes no writes, is restarted, or has no
//! connection free. Each is reported and waited out, and nothing is lost in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use jadpo_tests::scratch::Scratch;
use jadpo_tests::wait;

use super::chance::Chance;
use super::checks::{Promised, check};
use super::clients::{Clients, transfer};
use super::cluster::{self, Cluster};
use super::gauge::Gauge;
use super::instance::Place;
use super::kept::{Kept, Session, psql};
use super::storm::{Pace, RATE, Storm, environment, now_ms, quiet};
use super::{SHORT, TWO, tell};

const LIMIT: Duration = Duration::from_mins(1);

/// One process, and somebody who asks it one thing after the other.
struct One<'a> {
    kept: Kept<'a>,
    gauge: Gauge,
    place: Place,
    chance: Chance,
    promised: Vec<String>,
    asked: u32,
    pace: Pace,
    _folder: Scratch,
}

impl<'a> One<'a> {
    fn over(kept: Kept<'a>, epoch_ms: i64, rate: u32) -> Self {
        let folder = Scratch::empty();
        let gauge = Gauge::start(9);
        let pace = Pace { epoch_ms, rate, offset_ms: 0, budget_ms: 60_000 };
        let place = Place::new(0, folder.at("log"), environment(&kept, &gauge, &pace));
        Self {
            kept,
            gauge,
            place,
            chance: Chance::of(9),
            promised: Vec::new(),
            asked: 0,
            pace,
            _folder: folder,
        }
    }

    /// Asks for one more transfer.
    fn ask(&mut self) -> Option<u16> {
        self.asked += 1;
        let id = format!("one-{}", self.asked);
        let status = transfer(self.place.port, "/transfers", &id, &mut self.chance);
        if matches!(status, Some(200 | 202)) {
            self.promised.push(id);
        }
        status
    }

    /// Asks until it is told that it is done.
    #[track_caller]
    fn until_done(&mut self) {
        wait::until(LIMIT, "a transfer", || matches!(self.ask(), Some(200 | 202)).then_some(()));
    }

    /// Asks until it is told that the store can't take it.
    #[track_caller]
    fn until_unavailable(&mut self) {
        let told = || (self.ask() == Some(503)).then_some(());
        wait::until(LIMIT, "an answer that the store fails", told);
    }

    /// Waits until everything is done, stops it, and checks.
    #[track_caller]
    fn ends_well(mut self) -> String {
        self.until_done();
        self.gauge.be_still();
        quiet(&self.kept, std::slice::from_mut(&mut self.place));
        let passed_ms = u64::try_from(now_ms() - self.pace.epoch_ms).unwrap();
        let minutes = passed_ms * u64::from(self.pace.rate) / 60_000;
        let promised = Promised { transfers: &self.promised, minutes };
        let checked = check(&self.kept, &self.gauge, &promised);
        checked.unwrap_or_else(|wrong| panic!("{wrong}\n{}", self.place.tail()));
        self.place.log()
    }
}

/// A small disk in memory, gone when this is dropped.
struct Disk(PathBuf);

impl Disk {
    /// `None` where this user may mount none, which no set-up can change.
    fn mount(path: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "jadpo-test"]).arg(path).output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        is_mounted.then(|| Self(path.to_owned()))
    }

    fn remount(&self, how: &str) {
        let options = format!("remount,{how}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap().success());
    }

    /// Fills what is left of it.
    fn fill(&self) {
        // It ends in an error, which is its purpose.
        let _ = fs::write(self.filler(), vec![7; 64 << 20]);
    }

    fn empty(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_reported_and_waited_out() {
    let folder = Scratch::empty();
    let Some(disk) = Disk::mount(folder.path(), "16m") else { return };
    let mut one = One::over(Kept::Files(folder.path().to_owned()), now_ms(), RATE);
    one.place.start();
    one.until_done();
    disk.fill();
    one.until_unavailable();
    disk.empty();
    let log = one.ends_well();
    assert!(log.contains("no space is left"), "{log}");
    assert!(log.contains("works again"), "{log}");
}

#[test]
fn a_disk_that_cannot_be_written_is_named_and_nothing_is_lost() {
    let folder = Scratch::empty();
    let Some(disk) = Disk::mount(folder.path(), "16m") else { return };
    let mut one = One::over(Kept::Files(folder.path().to_owned()), now_ms(), RATE);
    one.place.start();
    one.until_done();
    one.place.stop();
    disk.remount("ro");
    one.place.start();
    let ended = one.place.end().and_then(|end| end.code());
    assert_eq!(ended, Some(1), "{}", one.place.tail());
    assert!(one.place.tail().contains("main.db"), "{}", one.place.tail());
    disk.remount("rw");
    one.place.start();
    one.ends_well();
}

#[test]
fn a_database_that_takes_no_writes_is_reported_and_waited_out() {
    if !cluster::is_there() {
        return;
    }
    let cluster = Cluster::start();
    let epoch_ms = now_ms();
    let mut one = One::over(Kept::databases(&cluster, "unwritten", epoch_ms, RATE), epoch_ms, RATE);
    one.place.start();
    one.until_done();
    // A session of its own that may write, whatever the server says.
    let operator = format!("{}?options=-cdefault_transaction_read_only%3Doff", cluster.url("postgres"));
    let writes = |are_off: &str| {
        psql(&operator, &format!("ALTER SYSTEM SET default_transaction_read_only = {are_off}"));
        psql(&operator, "SELECT pg_reload_conf()");
    };
    writes("on");
    one.until_unavailable();
    writes("off");
    let log = one.ends_well();
    assert!(log.contains("read-only"), "{log}");
}

#[test]
fn a_database_without_a_connection_free_is_reported_and_waited_out() {
    if !cluster::is_there() {
        return;
    }
    let cluster = Cluster::start();
    let epoch_ms = now_ms();
    // What is waited for is counted by the machine's clock, and so is what a route waits.
    let mut one = One::over(Kept::databases(&cluster, "exhausted", epoch_ms, 1), epoch_ms, 1);
    one.place.start();
    one.until_done();
    // Whoever moves money waits with a transaction open, until all are open that there may be.
    let holder = Session::begin(&cluster.url("exhausted_main"), "LOCK TABLE accounts");
    let clients = Clients::start(40, 9, &[one.place.port]);
    // Any of them may be the one that is turned away, and those with a transaction open are not.
    let turned_away = || (clients.unavailable() > 0).then_some(());
    wait::until(LIMIT, "a client that is turned away", turned_away);
    drop(holder);
    one.until_done();
    one.promised.extend(clients.stop());
    one.ends_well();
}

#[test]
fn a_database_that_is_restarted_under_load_loses_nothing() {
    if !cluster::is_there() {
        return;
    }
    let cluster = Cluster::start();
    let storm = Storm {
        name: "restarted",
        seed: 4,
        offsets_ms: TWO,
        kills: 5,
        cluster: Some(&cluster),
        restarts: 50,
        ..SHORT
    };
    let figures = storm.run();
    assert!(figures.restarts > 0);
    tell("restarted", 4, &figures);
}

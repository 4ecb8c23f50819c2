//! A program as a process: how large it is, how soon it ticks, and what it costs while nothing happens. Where it is too large
//! or costs too much, that is an error.
//!
//! `cargo bench -p jadpo-tests --bench process -- MINUTES` idles for so many minutes, two without. Over PostgreSQL it idles
//! where the package postgresql is installed.

mod feed;
mod idle;
mod idler;
mod started;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use jadpo_tests::binaries::binary;

/// Says which program this process is.
const ROLE: &str = "JADPO_BENCH_ROLE";

/// Where the store of the idle app is.
const PLACE: &str = "JADPO_BENCH_PLACE";

/// The most bytes of the example's program, release and stripped.
const SIZE_MAX: u64 = 12 * 1_024 * 1_024;

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("sqlite") => idler::run(idler::Engine::Sqlite),
        Ok("postgres") => idler::run(idler::Engine::Postgres),
        _ => measure(),
    }
}

fn measure() {
    let minutes = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(2);
    let mut out = std::io::stdout().lock();
    let mut line = |text: String| writeln!(out, "{text}").expect("standard output is open");
    let size = fs::metadata(binary("rates", "rates")).expect("it was built").len();
    assert!(size <= SIZE_MAX, "{size} bytes");
    line(format!("examples/rates, release, stripped: {:.1} MiB", mib(size)));
    started::measure().into_iter().for_each(&mut line);
    idle::measure(minutes).into_iter().for_each(&mut line);
}

fn mib(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1_024).unwrap_or(u32::MAX)) / 1_024.0
}

/// The idle app in a process of its own.
struct Idler {
    process: Child,
}

impl Idler {
    /// Starts it over an engine, its store at `place`.
    fn start(role: &str, place: &str) -> Idler {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .env(ROLE, role)
            .env(PLACE, place)
            .env("FEED_PORT", feed::start().to_string())
            .env_remove("JADPO_LOG")
            .stderr(Stdio::piped())
            .spawn()
            .expect("this program can be started again");
        let mut log = BufReader::new(process.stderr.take().expect("its standard error was asked for"));
        let mut line = String::new();
        while !line.contains("listening on") {
            line.clear();
            assert!(log.read_line(&mut line).expect("its log is text") > 0, "the idle app ended");
        }
        // Whatever it says later must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Idler { process }
    }
}

impl Drop for Idler {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

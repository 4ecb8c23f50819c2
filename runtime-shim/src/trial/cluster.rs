//! A private PostgreSQL server for tests: made anew, on a loopback port of its own, gone with the test program however it ends.
//!
//! Only the standard library is used, so that other crates' tests can take this file as it is.
#![allow(dead_code, reason = "each program that takes this file needs another part of it")]

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Keeps the server as long as somebody holds the other end of its standard input, and does what it reads there.
const KEEPER: &str = r#"
set -eu
dir=$(mktemp -d "${TMPDIR:-/tmp}/jadpo-pg.XXXXXX")
pid=
stop() { if [ -n "$pid" ]; then kill -"$1" "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; pid=; fi; }
trap 'stop QUIT; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
start() {
    "$BIN/postgres" -D "$dir/data" -p "$PORT" -k "$dir" -c listen_addresses=127.0.0.1 -c fsync=off \
        -c max_connections=200 -c log_min_messages=warning ${JADPO_TEST_SERVER_OPTIONS:-} </dev/null >"$dir/log" 2>&1 &
    pid=$!
    # Asked over the socket in its own directory: at the port another server may answer.
    for _ in $(seq 300); do
        "$BIN/pg_isready" -q -h "$dir" -p "$PORT" && { echo done; return; }
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    grep -q 'Address already in use' "$dir/log" || { cat "$dir/log" >&2; exit 1; }
    pid=
    echo taken
}
"$BIN/initdb" -D "$dir/data" -U jadpo -A trust -N --no-instructions -E UTF8 --locale=C >"$dir/log" 2>&1 \
    || { cat "$dir/log" >&2; exit 1; }
if [ -n "${CERTIFICATE:-}" ]; then
    umask 077
    printf '%s' "$CERTIFICATE" >"$dir/data/server.crt"
    printf '%s' "$KEY" >"$dir/data/server.key"
    echo 'ssl = on' >>"$dir/data/postgresql.conf"
    echo 'hostssl all all 127.0.0.1/32 trust' >"$dir/data/pg_hba.conf"
    unset CERTIFICATE KEY
fi
echo made
while read -r what; do
    case $what in
        stop) stop INT; echo done ;;
        crash) stop QUIT; echo done ;;
        start*) PORT=${what#start }; start ;;
    esac
done
"#;

/// Ports below those that a system gives to whoever asks for any: a server that is stopped finds its own free again.
const PORTS: Range<u32> = 20_000..30_000;

/// Ports that are tried before it counts as certain that none is free.
const PORT_TRIES: u32 = 100;

/// How long the keeper may take for what it is asked. It gives a server half a minute to start.
const ANSWER_MAX: Duration = Duration::from_mins(2);

/// A server of its own.
#[derive(Debug)]
pub struct Cluster {
    port: u32,
    keeper: Mutex<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    _child: Child,
    asks: ChildStdin,
    answers: Receiver<String>,
}

/// Where Debian's package keeps its programs, the newest version's; `None` where there is none.
pub fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(Result::ok);
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions
        .map(|entry| entry.path())
        .filter(|path| path.join("bin/initdb").is_file())
        .max_by_key(number);
    newest.map(|path| path.join("bin"))
}

/// Whether tests over a server can run here; where everything is required, its absence fails them instead.
pub fn is_there() -> bool {
    let there = programs().is_some();
    let required = std::env::var("JADPO_TEST_REQUIRE").is_ok_and(|required| required == "all");
    assert!(there || !required, "the package postgresql is not installed, and JADPO_TEST_REQUIRE is all");
    there
}

impl Cluster {
    /// Starts one that waits for no disk.
    pub fn start() -> Cluster {
        Cluster::start_with(&[])
    }

    /// Starts one that speaks TLS alone, with this certificate and its key, both PEM.
    pub fn start_encrypted(certificate: &str, key: &str) -> Cluster {
        Cluster::start_with(&[("CERTIFICATE", certificate), ("KEY", key)])
    }

    /// Starts one with these options as well, separated by spaces.
    pub fn start_for(options: &str) -> Cluster {
        Cluster::start_with(&[("JADPO_TEST_SERVER_OPTIONS", options)])
    }

    fn start_with(environment: &[(&str, &str)]) -> Cluster {
        let bin = programs().expect("the package postgresql is installed");
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args([
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                "--",
                "sh",
                "-c",
                KEEPER,
            ]);
            command
        } else {
            let mut command = Command::new("sh");
            command.args(["-c", KEEPER]);
            command
        };
        command.envs(environment.iter().copied());
        command.env("BIN", bin).env("LC_ALL", "C").current_dir("/");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh can be run");
        let asks = child.stdin.take().expect("it is piped");
        let answers = lines(child.stdout.take().expect("it is piped"));
        let mut keeper = Keeper { _child: child, asks, answers };
        assert_eq!(keeper.answer(), "made", "there is no directory of data; what initdb said is above");
        let is_given = |port: &u32| match &*keeper.ask(&format!("start {port}")) {
            "done" => true,
            "taken" => false,
            _ => panic!("the server did not start; what it said is above"),
        };
        let port = (0..PORT_TRIES).map(|_| candidate()).find(is_given).expect("a port is free");
        Cluster { port, keeper: Mutex::new(keeper) }
    }

    /// The URL of one of its databases; `postgres` is always there.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://jadpo@127.0.0.1:{}/{database}", self.port)
    }

    /// Stops the server as an operator does, its connections cut.
    pub fn stop(&self) {
        self.ask("stop");
    }

    /// Ends the server as a crash does: what it has not yet written is lost.
    pub fn crash(&self) {
        self.ask("crash");
    }

    /// Starts it again.
    pub fn start_again(&self) {
        self.ask(&format!("start {}", self.port));
    }

    fn ask(&self, what: &str) {
        let answer = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).ask(what);
        assert_eq!(answer, "done", "to {what}");
    }
}

impl Keeper {
    fn ask(&mut self, what: &str) -> String {
        writeln!(self.asks, "{what}").expect("the keeper lives");
        self.answer()
    }

    /// What it says next; nothing when it has ended.
    fn answer(&mut self) -> String {
        match self.answers.recv_timeout(ANSWER_MAX) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => String::new(),
            Err(RecvTimeoutError::Timeout) => panic!("the keeper of the server says nothing"),
        }
    }
}

/// The lines of an output, read on a thread that ends with it.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (read, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = read.send(line);
        }
    });
    lines
}

/// A port that no other test program is likely to try, and this one not again soon.
fn candidate() -> u32 {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let place = std::process::id().wrapping_mul(16).wrapping_add(TRIED.fetch_add(1, Ordering::Relaxed));
    PORTS.start + place % (PORTS.end - PORTS.start)
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id can be run");
    output.stdout.starts_with(b"0\n")
}

//! A private PostgreSQL server for tests: made anew, on a free loopback port, gone with the test program however it ends.
//!
//! Only the standard library is used, so that other crates' tests can take this file as it is.
#![allow(dead_code, reason = "each program that takes this file needs another part of it")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

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
        -c max_connections=200 -c log_min_messages=warning ${JADPO_TEST_SERVER_OPTIONS:-} </dev/null >>"$dir/log" 2>&1 &
    pid=$!
    for _ in $(seq 300); do
        "$BIN/pg_isready" -q -h 127.0.0.1 -p "$PORT" && return 0
        kill -0 "$pid" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
        sleep 0.1
    done
    exit 1
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
start
echo ready
while read -r line; do
    case $line in
        stop) stop INT; echo done ;;
        crash) stop QUIT; echo done ;;
        start) start; echo done ;;
    esac
done
"#;

/// A server of its own.
#[derive(Debug)]
pub struct Cluster {
    port: u16,
    keeper: Mutex<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    _child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
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
        // Free when it is asked for, and the server says so where it no longer is.
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
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
        command.env("BIN", bin).env("PORT", port.to_string()).env("LC_ALL", "C").current_dir("/");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh can be run");
        let asks = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut keeper = Keeper { _child: child, asks, answers };
        assert_eq!(keeper.answer(), "ready", "the server did not start; what it said is above");
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
        self.ask("start");
    }

    fn ask(&self, what: &str) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(keeper.asks, "{what}").expect("the keeper lives");
        assert_eq!(keeper.answer(), "done");
    }
}

impl Keeper {
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the keeper lives");
        line.trim_end().to_owned()
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id can be run");
    output.stdout.starts_with(b"0\n")
}

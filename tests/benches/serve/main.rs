//! A `GET` on a route with a trivial action over kept-alive connections, beside the same handler in plain axum: requests
//! per second and how long they take. Server and peer are processes of their own, each as its users run it, measured turn
//! by turn. Both answers are asserted before.
//!
//! `cargo bench -p jadpo-tests --bench serve`.

mod load;
mod peer;
mod served;

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use load::Load;

/// Says which server this process is.
const ROLE: &str = "JADPO_BENCH_ROLE";

/// Rounds, of which the median counts.
const ROUNDS: usize = 9;

/// How long one server is asked in a round.
const ROUND: Duration = Duration::from_secs(2);

/// Connections that ask at once.
const CONNECTIONS: usize = 32;

/// What both answer.
const BODY: &str = r#"{"id":7,"open":true}"#;

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("jadpo") => served::run(),
        Ok("axum") => peer::run(),
        _ => measure(),
    }
}

fn measure() {
    let servers = [Server::start("jadpo"), Server::start("axum")];
    for server in &servers {
        assert_eq!(load::one(server.address), BODY, "{} answers something else", server.name);
        load::run(server.address, CONNECTIONS, ROUND / 4);
    }
    let mut loads: [Vec<Load>; 2] = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // Who begins changes, so that what else the machine does falls on both.
        for at in [round % 2, (round + 1) % 2] {
            loads[at].push(load::run(servers[at].address, CONNECTIONS, ROUND));
        }
    }
    let mut out = std::io::stdout().lock();
    let mut line = |text: String| writeln!(out, "{text}").expect("standard output is open");
    line(format!("{:<8} {:>12} {:>10} {:>10}", "server", "requests/s", "p50 µs", "p99 µs"));
    for (server, loads) in servers.iter().zip(&loads) {
        let [rate, p50, p99] =
            [Load::rate, Load::p50_us, Load::p99_us].map(|of| median(loads.iter().map(of)));
        line(format!("{:<8} {rate:>12.0} {p50:>10.0} {p99:>10.0}", server.name));
    }
    let ratio =
        |of: fn(&Load) -> f64| median(loads[0].iter().zip(&loads[1]).map(|(own, peer)| of(own) / of(peer)));
    line(format!(
        "jadpo/axum, round by round: requests/s {:.2}, p99 {:.2}",
        ratio(Load::rate),
        ratio(Load::p99_us)
    ));
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A server in a process of its own.
struct Server {
    name: &'static str,
    address: SocketAddr,
    process: Child,
}

impl Server {
    fn start(name: &'static str) -> Server {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .env(ROLE, name)
            .stderr(Stdio::piped())
            .spawn()
            .expect("this program can be started again");
        let mut log = BufReader::new(process.stderr.take().expect("its standard error was asked for"));
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(log.read_line(&mut line).expect("its log is text") > 0, "{name} ended");
            if let Some((_, address)) = line.trim_end().split_once("listening on http://") {
                break address.parse().expect("an address");
            }
        };
        // Whatever it says later must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Server { name, address, process }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

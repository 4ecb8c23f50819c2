//! The server on real sockets of this machine, under a clock that is moved by hand.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod accepting;
#[cfg(feature = "sqlite")]
mod bank;
mod bounds;
mod client;
mod clock;
mod deadlines;
mod requests;
mod stopping;
#[cfg(feature = "sqlite")]
mod told;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::life::Life;
use super::{Bounds, Listener, Site, http};
use crate::host::BoxFuture;
use crate::route::{RouteAnswer, RouteCall, Routes, Serve};
use crate::stop::Stop;
use client::Client;
use clock::Clock;

/// How long a stop waits.
const DRAIN_MS: u64 = 10_000;

/// A server of the app of [`crate::route::tests`].
struct Running {
    address: SocketAddr,
    stop: Stop,
    clock: Clock,
    desk: Arc<Desk>,
    /// Of each connection, in the order that they were accepted.
    lives: Arc<Mutex<Vec<Life>>>,
    server: JoinHandle<()>,
    runtime: Runtime,
}

/// Runs the actions: the input is the output, and `GET /tickets/{id}` waits until it is let go.
#[derive(Default)]
struct Desk {
    is_unready: AtomicBool,
    calls: Mutex<Vec<RouteCall>>,
    begun: AtomicUsize,
    ended: AtomicUsize,
    dropped: AtomicUsize,
    go: Stop,
    /// How long the output of an action without an input is, bytes; 0 is a word.
    length: AtomicUsize,
}

impl Serve for Desk {
    fn is_ready(&self) -> bool {
        !self.is_unready.load(Ordering::SeqCst)
    }

    fn answer(&self, call: RouteCall) -> BoxFuture<'_, RouteAnswer> {
        Box::pin(async move {
            let is_slow = call.route == "show";
            self.calls.lock().unwrap().push(call.clone());
            let mut run = Run { desk: self, is_whole: false };
            self.begun.fetch_add(1, Ordering::SeqCst);
            if is_slow {
                self.go.asked().await;
            }
            run.is_whole = true;
            let length = self.length.load(Ordering::SeqCst);
            let word =
                || if length == 0 { "\"pong\"".to_owned() } else { format!("\"{}\"", "x".repeat(length)) };
            let output = Some(call.input.unwrap_or_else(word));
            RouteAnswer { status: 200, output, failed: 0, pending: 0, error: None }
        })
    }
}

struct Run<'d> {
    desk: &'d Desk,
    is_whole: bool,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let count = if self.is_whole { &self.desk.ended } else { &self.desk.dropped };
        count.fetch_add(1, Ordering::SeqCst);
    }
}

impl Running {
    fn start(connections_max: usize) -> Running {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (stop, clock, desk) = (Stop::default(), Clock::default(), Arc::new(Desk::default()));
        let plan = Arc::new(crate::route::tests::plan());
        let environment = |_: &str| Some("s3cret-token".to_owned());
        let routes = Routes::open(&plan, &plan.deployables["server"], &environment).unwrap();
        let site = Arc::new(Site::new(Arc::new(routes), desk.clone()));
        let bounds = Bounds { connections_max, drain_ms: DRAIN_MS };
        let bind = Listener::bind("127.0.0.1:0", bounds, Arc::new(clock.clone()), stop.clone());
        let listener = runtime.block_on(bind).unwrap();
        let address = listener.address();
        let lives: Arc<Mutex<Vec<Life>>> = Arc::default();
        let known = lives.clone();
        let server = runtime.spawn(listener.run(move |socket, life| {
            known.lock().unwrap().push(life.clone());
            http::serve(socket, life, site.clone())
        }));
        Running { address, stop, clock, desk, lives, server, runtime }
    }

    fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// What the connection of this number is doing, and how long until it is overdue.
    fn shown(&self, number: usize) -> Option<(String, u64)> {
        self.lives.lock().unwrap().get(number).map(Life::shown)
    }

    /// Waits until the connection of this number does this.
    fn wait_for(&self, number: usize, phase: &str) {
        wait_until(phase, || self.shown(number).is_some_and(|(shown, _)| shown == phase));
    }

    /// Waits until the server has ended.
    fn has_ended(self) {
        self.runtime.block_on(self.server).unwrap();
    }
}

/// Waits for what another thread brings about.
#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited too long for {what}");
        std::thread::yield_now();
    }
}

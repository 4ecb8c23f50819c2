//! What can't be accepted, and what can't be listened on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::TcpStream;

use super::super::listener::{Accept, run};
use super::{Bounds, Clock, Listener, wait_until};
use crate::host::SharedHost;
use crate::stop::Stop;

/// Every accept fails: with these errors in turn.
struct Failing {
    errors: Vec<io::ErrorKind>,
    calls: Arc<AtomicUsize>,
}

impl Accept for Failing {
    async fn accept(&self) -> io::Result<TcpStream> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        match self.errors.get(call) {
            Some(kind) => Err((*kind).into()),
            None => std::future::pending().await,
        }
    }
}

const BOUNDS: Bounds = Bounds { connections_max: 1, drain_ms: 0 };

/// The sleeps between those errors, ms.
fn sleeps(errors: &[io::ErrorKind]) -> Vec<u64> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let (clock, stop, calls) = (Clock::racing(), Stop::default(), Arc::new(AtomicUsize::new(0)));
    let failing = Failing { errors: errors.to_vec(), calls: calls.clone() };
    let (host, asked): (SharedHost, _) = (Arc::new(clock.clone()), stop.clone());
    let running = runtime.spawn(async move { run(failing, BOUNDS, &host, &asked, |_, _| async {}).await });
    wait_until("all of them", || calls.load(Ordering::SeqCst) > errors.len());
    let sleeps = clock.asked();
    stop.ask();
    runtime.block_on(running).unwrap();
    sleeps
}

#[test]
fn a_machine_out_of_descriptors_is_never_asked_in_a_spin() {
    // What the system says then has no kind of its own.
    assert_eq!(sleeps(&[io::ErrorKind::Other; 10]), [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
    assert_eq!(sleeps(&[io::ErrorKind::Other; 80]).last(), Some(&1_000));
}

#[test]
fn a_client_that_is_gone_already_is_passed_over() {
    assert_eq!(sleeps(&[io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset]), [0_u64; 0]);
}

#[test]
fn an_address_in_use_is_named() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bind = |address: &str| {
        let host: SharedHost = Arc::new(Clock::default());
        let bound = runtime.block_on(Listener::bind(address, BOUNDS, host, Stop::default()));
        bound.map_err(|error| error.to_string())
    };
    let first = bind("127.0.0.1:0").unwrap();
    let taken = first.address().to_string();
    let error = bind(&taken).err().unwrap();
    assert!(error.starts_with(&format!("{taken} can't be listened on: ")), "{error}");
    for wrong in ["", "127.0.0.1", "nowhere", "127.0.0.1:99999", "[::1"] {
        let error = bind(wrong).err().unwrap();
        assert!(error.contains("can't be listened on"), "{error}");
    }
}

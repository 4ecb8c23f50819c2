//! Ten thousand attempts to connect to a program that holds 64 connections, all of them taken: it serves those, reads nothing
//! of the others, keeps none of them waiting and is no larger afterwards.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use jadpo_tests::scratch::Scratch;

use super::{Serving, program};

/// What a deployable holds unless it says otherwise.
const CAP: usize = 64;

const ATTEMPTS: usize = 10_000;

/// Clients that try at once.
const AT_ONCE: usize = 4;

/// An attempt that is not over by then hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most that the program may have grown by, bytes: what 10,000 connections would take is far more.
const GROWTH_MAX: u64 = 8 * 1_024 * 1_024;

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: example\r\n\r\n";

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn is_answered(stream: &mut TcpStream) -> bool {
    let mut buffer = [0; 1_024];
    stream.write_all(REQUEST).is_ok()
        && stream.read(&mut buffer).is_ok_and(|length| buffer[..length].starts_with(b"HTTP/1.1 200 "))
}

/// Whether a new connection is closed without a byte.
fn is_closed_unread(port: u16) -> bool {
    let mut stream = connect(port);
    // It may be closed before this is written.
    drop(stream.write_all(REQUEST));
    match stream.read(&mut [0]) {
        Ok(length) => length == 0,
        Err(error) => matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe),
    }
}

/// How many of so many attempts were closed unread.
fn closed_of(attempts: usize, port: u16) -> usize {
    std::thread::scope(|scope| {
        let tries = || (0..attempts / AT_ONCE).filter(|_| is_closed_unread(port)).count();
        let clients: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(tries)).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    })
}

#[test]
fn those_inside_are_served_the_rest_are_closed_and_the_memory_stays() {
    let scratch = Scratch::empty();
    let archive = Serving::start(program("archive", "archive", scratch.path()), "ARCHIVE_LISTEN");
    let mut inside: Vec<TcpStream> = (0..CAP).map(|_| connect(archive.port)).collect();
    assert!(inside.iter_mut().all(is_answered));
    // What the first of them makes is made.
    assert_eq!(closed_of(ATTEMPTS / 10, archive.port), ATTEMPTS / 10);
    let before = archive.program.allocated();
    assert_eq!(closed_of(ATTEMPTS, archive.port), ATTEMPTS, "none was answered, and none hangs");
    let after = archive.program.allocated();
    assert!(inside.iter_mut().all(is_answered), "those inside notice nothing");
    if cfg!(target_os = "linux") {
        let (before, after) = (before.unwrap(), after.unwrap());
        assert!(after <= before + GROWTH_MAX, "{before} bytes before and {after} after");
    }
    drop(inside);
    archive.stop();
}

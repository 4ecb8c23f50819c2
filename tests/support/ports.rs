//! Ports on loopback that a program can be started on again and again.

use std::net::TcpListener;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, Ordering};

/// The ports that are handed out lie below those that a system gives to whoever asks for any, so nobody who does is given
/// one while its program is not running.
const FIRST: u16 = 10_000;

/// How many there are.
const COUNT: u16 = 10_000;

/// A port that nobody listens on and that this process hands out once.
///
/// # Panics
/// When none is left.
#[track_caller]
pub fn free() -> u16 {
    // Test programs that run beside each other begin at different ones.
    static NEXT: LazyLock<AtomicU16> = LazyLock::new(|| {
        let begin = u64::from(std::process::id()) * 97 % u64::from(COUNT);
        AtomicU16::new(u16::try_from(begin).expect("it is below the count"))
    });
    let candidates = (0..COUNT).map(|_| FIRST + NEXT.fetch_add(1, Ordering::SeqCst) % COUNT);
    let mut free = candidates.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    free.next().expect("one of so many ports is free")
}

//! How much memory it takes to find out that an answer unpacks to too much.

use std::process::Command;

use super::bounds::packed;
use super::server::Server;
use super::{get, send};
use crate::host::HttpError;

/// Where the child below asks.
const URL: &str = "JADPO_TEST_PACKED_URL";

/// What the answer unpacks to, bytes.
const UNPACKED: usize = 64 << 20;

/// What may be read of it, bytes.
const MAX: u64 = 1 << 20;

/// What asking may take, KiB: a quarter of what unpacking it all would.
const PEAK_KIB: u64 = 16 << 10;

/// The most memory that this process had so far, KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// What the test below runs as a process of its own, since others would be counted too.
#[test]
#[ignore = "the other test runs it as a process of its own"]
fn child() {
    let Ok(url) = std::env::var(URL) else { return };
    let before = peak_kib();
    let mut request = get(&url);
    request.max_response_bytes = MAX;
    assert_eq!(send(request), Err(HttpError::TooLarge));
    let grown = peak_kib() - before;
    assert!(grown < PEAK_KIB, "it took {grown} KiB");
}

#[test]
fn what_unpacks_to_too_much_takes_little_more_memory_than_may_be_read() {
    let bomb = packed(&vec![b' '; UNPACKED]);
    let server = Server::answering(move |_| bomb.clone());
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "native::tests::unpacked::child", "--ignored", "--nocapture"]);
    let ended = child.env(URL, server.url("/")).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(server.seen().len(), 1, "it has asked");
}

//! The system's clocks and chance.

use super::runtime;
use crate::host::Host;
use crate::native::NativeHost;

#[test]
fn clocks_go_forward_and_chance_differs() {
    let runtime = runtime();
    let host = NativeHost::new(runtime.handle().clone()).unwrap();
    let before = (host.monotonic_us(), host.boot_ms(), host.wall_ms());
    runtime.block_on(host.sleep(5));
    assert!(host.monotonic_us() >= before.0 + 5_000);
    assert!(host.boot_ms() >= before.1 + 4);
    assert!(host.wall_ms() > 1_700_000_000_000 && before.2 > 1_700_000_000_000);
    let mut drawn: Vec<u64> = (0..100).map(|_| host.random()).collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 100);
}

#[test]
fn spawned_tasks_run_beside_the_caller() {
    let runtime = runtime();
    let host = NativeHost::new(runtime.handle().clone()).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    host.spawn(Box::pin(async move { sender.send(7).unwrap() }));
    assert_eq!(receiver.recv(), Ok(7));
}

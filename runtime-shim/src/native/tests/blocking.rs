//! Work that blocks, beside what is served.

use std::sync::mpsc;

use crate::host::Host;
use crate::native::NativeHost;

#[test]
fn work_that_blocks_holds_up_nobody() {
    // The only thread that serves: work that took it would wait for ever.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let host = NativeHost::new(runtime.handle().clone()).unwrap();
    let (let_go, held) = mpsc::channel::<()>();
    runtime.block_on(async {
        let work = host.blocking(Box::new(move || held.recv().unwrap()));
        host.spawn(Box::pin(async move { let_go.send(()).unwrap() }));
        work.await;
    });
}

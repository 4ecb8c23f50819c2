//! The native host with a network that has its answer at once.

use jadpo_runtime::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use jadpo_runtime::native::NativeHost;

/// Everything but the network is the machine's.
pub struct InstantHost {
    native: NativeHost,
    answer: HttpResponse,
}

impl InstantHost {
    /// A host that answers every request with this JSON.
    pub fn new(executor: tokio::runtime::Handle, json: &str) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let answer = HttpResponse { status: 200, headers, body: json.as_bytes().to_vec() };
        Self { native: NativeHost::new(executor).expect("the native host starts"), answer }
    }
}

impl Host for InstantHost {
    fn wall_ms(&self) -> i64 {
        self.native.wall_ms()
    }

    fn monotonic_us(&self) -> u64 {
        self.native.monotonic_us()
    }

    fn boot_ms(&self) -> u64 {
        self.native.boot_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.native.sleep(ms)
    }

    fn random(&self) -> u64 {
        self.native.random()
    }

    fn http(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let answer = self.answer.clone();
        Box::pin(async move { Ok(answer) })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.native.spawn(task);
    }
}

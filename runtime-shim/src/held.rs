//! Notices code of the app that holds a thread which serves others, too.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::host::{BoxFuture, Host};
use crate::limits;

/// A handler's body, each of its turns on a thread measured; the first that is too long is logged with its name.
pub struct Measured<'a, T> {
    body: BoxFuture<'a, T>,
    host: &'a dyn Host,
    handler: &'a str,
    is_told: bool,
}

/// Measures the body of a handler.
pub fn measured<'a, T>(host: &'a dyn Host, handler: &'a str, body: BoxFuture<'a, T>) -> Measured<'a, T> {
    Measured { body, host, handler, is_told: false }
}

impl<T> Future for Measured<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if self.is_told {
            return self.body.as_mut().poll(context);
        }
        let begun_us = self.host.monotonic_us();
        let polled = self.body.as_mut().poll(context);
        let held_ms = self.host.monotonic_us().saturating_sub(begun_us) / 1_000;
        if held_ms > limits::HELD_MS_MAX {
            self.is_told = true;
            tracing::warn!(
                "{} held its thread for {held_ms} ms, in which it served nobody else: work that blocks belongs into cx.blocking",
                self.handler
            );
        }
        polled
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use std::sync::Mutex;

    use futures_util::FutureExt;

    use super::*;
    use crate::host::{HttpError, HttpRequest, HttpResponse};

    /// A clock of which each look takes the next time, in ms.
    struct Looks(Mutex<Vec<u64>>);

    impl Host for Looks {
        fn wall_ms(&self) -> i64 {
            0
        }

        fn monotonic_us(&self) -> u64 {
            self.0.lock().map(|mut times| times.remove(0) * 1_000).unwrap_or_default()
        }

        fn boot_ms(&self) -> u64 {
            0
        }

        fn sleep(&self, _: u64) -> BoxFuture<'static, ()> {
            Box::pin(std::future::pending())
        }

        fn random(&self) -> u64 {
            0
        }

        fn http(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
            Box::pin(std::future::pending())
        }

        fn spawn(&self, _: BoxFuture<'static, ()>) {}
    }

    /// What is told of a body of so many turns, its clock read at these times.
    fn told(times: &[u64], turns: usize) -> String {
        let host = Looks(Mutex::new(times.to_vec()));
        crate::trial::log::told(|| {
            let mut left = turns;
            let body = std::future::poll_fn(move |_| {
                left -= 1;
                if left == 0 { Poll::Ready(()) } else { Poll::Pending }
            });
            let mut measured = measured(&host, "recount", Box::pin(body));
            let ended = (0..turns).filter(|_| (&mut measured).now_or_never().is_some()).count();
            assert_eq!(ended, 1);
        })
    }

    #[test]
    fn a_turn_that_is_too_long_is_told_once_with_its_name() {
        assert_eq!(told(&[0, 200, 900, 1_100], 2), "");
        insta::assert_snapshot!(
            told(&[0, 1, 500, 701], 4),
            @"WARN recount held its thread for 201 ms, in which it served nobody else: work that blocks belongs into cx.blocking"
        );
    }
}

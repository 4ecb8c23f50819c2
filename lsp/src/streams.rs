//! The two streams of a session, made to end it in good order.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::ending::Ending;

/// An input that is at its end once the session is, though the editor keeps it open: answers on their way are still
/// written, and then serving ends by itself.
#[derive(Debug)]
pub struct UntilEnd<I> {
    input: I,
    ending: Arc<Ending>,
}

impl<I> UntilEnd<I> {
    /// `input`, until the end.
    pub fn new(input: I, ending: Arc<Ending>) -> Self {
        Self { input, ending }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for UntilEnd<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ending.poll_end(cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.input).poll_read(cx, buffer)
    }
}

/// An output that ends the session when the editor no longer reads. From then on it takes everything and writes
/// nothing, since the transport takes a failed write for a defect of its own.
#[derive(Debug)]
pub struct UntilBroken<O> {
    output: Option<O>,
    ending: Arc<Ending>,
}

impl<O> UntilBroken<O> {
    /// `output`, until it breaks.
    pub fn new(output: O, ending: Arc<Ending>) -> Self {
        Self { output: Some(output), ending }
    }

    /// What `write` answers, or `instead` from the first failure on.
    fn or<T>(
        &mut self,
        instead: T,
        write: impl FnOnce(Pin<&mut O>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>>
    where
        O: Unpin,
    {
        let Some(output) = &mut self.output else { return Poll::Ready(Ok(instead)) };
        match write(Pin::new(output)) {
            Poll::Ready(Err(_)) => {
                self.output = None;
                self.ending.end();
                Poll::Ready(Ok(instead))
            }
            answer => answer,
        }
    }
}

impl<O: AsyncWrite + Unpin> AsyncWrite for UntilBroken<O> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.or(bytes.len(), |output| output.poll_write(cx, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.or((), |output| output.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.or((), |output| output.poll_shutdown(cx))
    }
}

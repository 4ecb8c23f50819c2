//! A socket that tells its connection's life when bytes come and when what was written has left.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::life::Life;
use crate::host::BoxFuture;

/// Pieces of what nobody reads that are taken in one turn.
const PIECES_AT_ONCE: usize = 16;

/// A watched socket.
pub struct Watched<S> {
    socket: S,
    life: Life,
    /// Set once nothing more is written, though the client may still be sending.
    lingers: Option<BoxFuture<'static, ()>>,
}

impl<S> Watched<S> {
    /// Watches a socket for its connection's life.
    pub fn new(socket: S, life: Life) -> Watched<S> {
        Watched { socket, life, lingers: None }
    }
}

impl<S: AsyncRead + Unpin> Watched<S> {
    /// Takes and drops what still comes, until the client closes or it has lasted long enough. Closing at once would make
    /// the system tell the client that its bytes were lost, and with that drop the answer that says why.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let lingers = self.lingers.get_or_insert_with(|| self.life.lingers());
        if lingers.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut dropped = [MaybeUninit::uninit(); 8 * 1_024];
        for _ in 0..PIECES_AT_ONCE {
            let mut buffer = ReadBuf::uninit(&mut dropped);
            let read = ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(());
            }
        }
        // A client that sends without end leaves the thread to others in between.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.socket).poll_read(cx, buffer));
        if buffer.filled().len() > before {
            self.life.received();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = ready!(Pin::new(&mut self.socket).poll_flush(cx));
        self.life.flushed();
        Poll::Ready(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingers.is_none() {
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
            if !self.life.is_cut() {
                return Poll::Ready(Ok(()));
            }
        }
        self.poll_linger(cx).map(Ok)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

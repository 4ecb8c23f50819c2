//! What one connection is doing, since when, and so when it is overdue and when a stop may end it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::Event;

use crate::host::{BoxFuture, SharedHost};
use crate::limits;
use crate::stop::Stop;

/// The life of one connection; clones know the same.
#[derive(Clone)]
pub struct Life {
    shared: Arc<Shared>,
}

struct Shared {
    host: SharedHost,
    stop: Stop,
    state: Mutex<State>,
    /// Told when a head is whole.
    went_on: Event,
}

struct State {
    phase: Phase,
    /// When that began, by the monotonic clock.
    since_us: u64,
    /// When the first byte of the next request came, if it came before the answer had left.
    ahead_us: Option<u64>,
    /// Whether an answer was made before its request was whole.
    is_cut: bool,
}

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing has come since the last answer.
    Idle,
    /// The beginning of a request has come.
    Head,
    /// A request's head is whole, its body perhaps not.
    Body,
    /// What is needed of a request is here, and it has no answer yet.
    Answering,
    /// An answer is on its way.
    Writing,
}

impl Life {
    /// The life of a connection that has just been accepted.
    pub fn begin(host: SharedHost, stop: Stop) -> Life {
        let state =
            State { phase: Phase::Idle, since_us: host.monotonic_us(), ahead_us: None, is_cut: false };
        Life { shared: Arc::new(Shared { host, stop, state: Mutex::new(state), went_on: Event::new() }) }
    }

    /// Bytes came.
    pub fn received(&self) {
        let mut state = self.state();
        match state.phase {
            Phase::Idle => state.enter(Phase::Head, self.now_us()),
            Phase::Answering | Phase::Writing if state.ahead_us.is_none() => {
                state.ahead_us = Some(self.now_us());
            }
            _ => {}
        }
    }

    /// The head of a request is whole.
    pub fn head_is_whole(&self) {
        let mut state = self.state();
        if state.phase == Phase::Idle {
            // It came with the bytes of the request before it.
            state.since_us = self.now_us();
        }
        state.phase = Phase::Body;
        state.is_cut = false;
        drop(state);
        self.shared.went_on.notify(usize::MAX);
    }

    /// What the answer needs of the request is here; whether that is all of it.
    pub fn is_answering(&self, is_whole: bool) {
        let mut state = self.state();
        state.is_cut = !is_whole;
        state.enter(Phase::Answering, 0);
    }

    /// The answer is there.
    pub fn answers(&self) {
        let now_us = self.now_us();
        let mut state = self.state();
        state.is_cut |= state.phase == Phase::Body;
        state.enter(Phase::Writing, now_us);
    }

    /// Everything that was written has left.
    pub fn flushed(&self) {
        let mut state = self.state();
        if state.phase == Phase::Writing {
            match state.ahead_us.take() {
                Some(since_us) => state.enter(Phase::Head, since_us),
                None => state.enter(Phase::Idle, self.now_us()),
            }
        }
    }

    /// Whether the client may still be sending what nobody is going to read.
    pub fn is_cut(&self) -> bool {
        let state = self.state();
        state.is_cut || state.phase == Phase::Head
    }

    /// How long a connection lingers that is closed while its client may still be sending.
    pub fn lingers(&self) -> BoxFuture<'static, ()> {
        self.shared.host.sleep(limits::LINGER_MS_MAX)
    }

    /// Ends once the client took too long: to send a request, to take an answer, or to ask anything.
    pub async fn is_overdue(&self) {
        loop {
            let left_ms = self.left_ms();
            if left_ms == 0 {
                return;
            }
            self.shared.host.sleep(left_ms).await;
        }
    }

    /// Whether the answer that is being made is the connection's last.
    pub fn is_last(&self) -> bool {
        self.shared.stop.is_asked()
    }

    /// Ends once a stop was asked and no request is half sent: an idle connection may close, and one whose request is
    /// known closes after its answer.
    pub async fn may_end(&self) {
        self.shared.stop.asked().await;
        loop {
            let went_on = self.shared.went_on.listen();
            if self.state().phase != Phase::Head {
                return;
            }
            went_on.await;
        }
    }

    /// How long until it is overdue. While it waits for its answer no time runs, and a look is as far away as can be.
    fn left_ms(&self) -> u64 {
        let state = self.state();
        let limit_ms = match state.phase {
            Phase::Answering => return limits::READ_MS_MAX,
            Phase::Idle => limits::IDLE_MS_MAX,
            Phase::Head | Phase::Body | Phase::Writing => limits::READ_MS_MAX,
        };
        let passed_us = self.now_us().saturating_sub(state.since_us);
        (limit_ms * 1_000).saturating_sub(passed_us).div_ceil(1_000)
    }

    /// What it is doing, and how long until it is overdue.
    #[cfg(test)]
    pub fn shown(&self) -> (String, u64) {
        let left_ms = self.left_ms();
        (format!("{:?}", self.state().phase), left_ms)
    }

    fn now_us(&self) -> u64 {
        self.shared.host.monotonic_us()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, phase: Phase, now_us: u64) {
        self.phase = phase;
        self.since_us = now_us;
    }
}

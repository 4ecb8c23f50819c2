//! The executor of a virtual world: one thread that runs what is ready, in the order in which it became so, and moves the
//! clock when nothing is and nothing outside is under way.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use crate::host::BoxFuture;
use crate::outside::Outside;

use super::host::{VirtualHost, split_mix};
use super::network::{Network, Settled};
use super::timers::Timers;

/// How long real work may keep the clock standing before a run counts as hung.
const HUNG_AFTER: Duration = Duration::from_mins(2);

/// How soon a network that was busy is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(1);

/// Turns at one virtual moment after which the run counts as spinning.
const TURNS_MAX: u64 = 10_000_000;

/// The number of the future that [`Sim::run`] was given.
const ROOT: u64 = 0;

/// A virtual world: a clock, tasks, and a network. Its hosts share them.
pub struct Sim {
    shared: Arc<Shared>,
    network: Arc<dyn Network>,
    seed: u64,
}

/// What wakers and hosts reach.
pub(super) struct Shared {
    pub(super) timers: Timers,
    pub(super) outside: Outside,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    ready: VecDeque<u64>,
    tasks: BTreeMap<u64, Task>,
    last_task: u64,
    /// Where any of what is ready may run next, the chance that chooses it.
    any_order: Option<u64>,
}

struct Task {
    /// `None` while it runs.
    future: Option<BoxFuture<'static, ()>>,
    flag: Arc<Flag>,
}

/// Wakes one task.
struct Flag {
    number: u64,
    /// Whether it stands in the queue already.
    queued: AtomicBool,
    shared: Arc<Shared>,
}

impl Sim {
    /// A world that starts at `start_ms` since the epoch; equal seeds give equal chance.
    pub fn new(seed: u64, start_ms: i64, network: Arc<dyn Network>) -> Self {
        Self::with_network(seed, start_ms, |_| network)
    }

    /// The same, over a network that does real work and counts it.
    pub fn with_network(
        seed: u64,
        start_ms: i64,
        network: impl FnOnce(&Outside) -> Arc<dyn Network>,
    ) -> Self {
        let outside = Outside::default();
        let network = network(&outside);
        // A provider must know the time before the first request reaches it.
        network.moved(start_ms);
        let shared = Shared { timers: Timers::new(start_ms), outside, queue: Mutex::default() };
        Self { shared: Arc::new(shared), network, seed }
    }

    /// The same with what is ready at one moment run in any order, which the seed chooses.
    #[must_use]
    pub fn in_any_order(self) -> Self {
        self.shared.lock().any_order = Some(!self.seed);
        self
    }

    /// A host of this world; hosts of different numbers have different chance and clocks of their own to shift.
    pub fn host(&self, number: u64) -> Arc<VirtualHost> {
        Arc::new(VirtualHost::new(Arc::clone(&self.shared), Arc::clone(&self.network), self.seed, number))
    }

    /// The clock.
    pub fn timers(&self) -> Timers {
        self.shared.timers.clone()
    }

    /// Where work on real threads is to be counted.
    pub fn outside(&self) -> Outside {
        self.shared.outside.clone()
    }

    /// Ends once it is this moment, in milliseconds since the epoch, and nothing is ready to run at it.
    pub async fn calm_at(&self, wall_ms: i64) {
        let timers = self.timers();
        timers.sleep(u64::try_from(wall_ms - timers.wall_ms()).unwrap_or(0)).await;
        std::future::poll_fn(|context| {
            if !self.shared.any_task_ready() {
                return Poll::Ready(());
            }
            // Behind whatever stands in the queue, and looks again then.
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Runs until `root` ends, with all tasks beside it; those that haven't ended go on in the next run.
    ///
    /// # Panics
    /// With the panic of any task, so that no failed assertion is lost, and where a run can't go on: nothing is ready and no
    /// timer set, real work hangs, or tasks spin at one moment.
    pub fn run<T>(&self, root: impl Future<Output = T>) -> T {
        let mut root = pin!(root);
        let flag =
            Arc::new(Flag { number: ROOT, queued: AtomicBool::new(false), shared: Arc::clone(&self.shared) });
        let waker = Waker::from(Arc::clone(&flag));
        waker.wake_by_ref();
        let mut turns = 0;
        let mut last_turn = Instant::now();
        loop {
            let version = self.shared.outside.version();
            while let Some(number) = self.shared.pop() {
                turns += 1;
                last_turn = Instant::now();
                assert!(turns < TURNS_MAX, "the tasks spin at one moment of virtual time");
                if number != ROOT {
                    self.poll_task(number);
                    continue;
                }
                flag.queued.store(false, Ordering::SeqCst);
                if let Poll::Ready(value) = root.as_mut().poll(&mut Context::from_waker(&waker)) {
                    flag.retire();
                    return value;
                }
            }
            assert!(last_turn.elapsed() < HUNG_AFTER, "real work that virtual time waits for hangs");
            if self.move_on(version) {
                turns = 0;
            }
        }
    }

    fn poll_task(&self, number: u64) {
        let Some((mut future, flag)) = self.shared.take_task(number) else { return };
        flag.queued.store(false, Ordering::SeqCst);
        let waker = Waker::from(flag);
        let ended = future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        // Dropped outside the lock, since dropping may wake or spawn.
        let ended = self.shared.put_task(number, future, ended);
        drop(ended);
    }

    /// Waits for what is real, or moves the clock; says whether it moved.
    fn move_on(&self, version: u64) -> bool {
        let shared = &self.shared;
        if shared.outside.pending() > 0 {
            shared.outside.wait(version, HUNG_AFTER);
            return false;
        }
        let next_ms = match self.network.settle(shared.timers.wall_ms()) {
            Settled::Busy => {
                shared.outside.wait(version, ASK_AGAIN);
                return false;
            }
            Settled::Quiet { next_ms } => next_ms,
        };
        // Work that ended in between has woken somebody before it stopped counting.
        if shared.any_ready() {
            return false;
        }
        let outside_us = next_ms.map(|wall_ms| shared.timers.at_wall_ms(wall_ms));
        let next_us = shared.timers.next_us().into_iter().chain(outside_us).min();
        let Some(next_us) = next_us else {
            panic!("nothing is ready, nothing is under way and no timer is set");
        };
        shared.timers.move_to(next_us);
        self.network.moved(shared.timers.wall_ms());
        true
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        // Tasks hold hosts, which hold the queue that holds the tasks.
        let tasks = std::mem::take(&mut self.shared.lock().tasks);
        drop(tasks);
    }
}

impl Shared {
    pub(super) fn spawn(self: &Arc<Self>, future: BoxFuture<'static, ()>) {
        let mut queue = self.lock();
        queue.last_task += 1;
        let number = queue.last_task;
        let flag = Arc::new(Flag { number, queued: AtomicBool::new(true), shared: Arc::clone(self) });
        queue.tasks.insert(number, Task { future: Some(future), flag });
        queue.ready.push_back(number);
        drop(queue);
        self.outside.notify();
    }

    fn pop(&self) -> Option<u64> {
        let mut queue = self.lock();
        let ready = queue.ready.len() as u64;
        match &mut queue.any_order {
            Some(chance) if ready > 1 => {
                let at = split_mix(chance) % ready;
                queue.ready.swap_remove_front(usize::try_from(at).unwrap_or(0))
            }
            _ => queue.ready.pop_front(),
        }
    }

    fn any_ready(&self) -> bool {
        !self.lock().ready.is_empty()
    }

    /// Whether anything but the future that a run was given is ready.
    fn any_task_ready(&self) -> bool {
        self.lock().ready.iter().any(|number| *number != ROOT)
    }

    fn take_task(&self, number: u64) -> Option<(BoxFuture<'static, ()>, Arc<Flag>)> {
        let mut queue = self.lock();
        let task = queue.tasks.get_mut(&number)?;
        Some((task.future.take()?, Arc::clone(&task.flag)))
    }

    /// Puts a task back, or hands it out to be dropped if it has ended.
    fn put_task(
        &self,
        number: u64,
        future: BoxFuture<'static, ()>,
        ended: bool,
    ) -> Option<BoxFuture<'static, ()>> {
        let mut queue = self.lock();
        if ended {
            queue.tasks.remove(&number);
            return Some(future);
        }
        match queue.tasks.get_mut(&number) {
            Some(task) => task.future = Some(future),
            None => return Some(future),
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Flag {
    /// Has what still holds a waker of a run that has ended wake nothing: the next run has a root of its own.
    fn retire(&self) {
        self.queued.store(true, Ordering::SeqCst);
        self.shared.lock().ready.retain(|number| *number != self.number);
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, Ordering::SeqCst) {
            self.shared.lock().ready.push_back(self.number);
            self.shared.outside.notify();
        }
    }
}

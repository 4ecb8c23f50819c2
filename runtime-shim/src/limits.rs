//! Every wait and every amount that the runtime bounds, with its name and unit.

use crate::plan::Retry;

/// A run's longest time, and an invocation's, ms.
pub const RUN_MS_MAX: u64 = 15 * 60_000;

/// The most of a budget that is kept back for giving claims back, ms.
pub const KEPT_BACK_MS_MAX: u64 = 5_000;

/// How much longer a lease lasts than what is left of its claimer's budget, ms.
pub const LEASE_BEYOND_BUDGET_MS: u64 = 60_000;

/// The longest that any lease lasts, ms.
pub const LEASE_MS_MAX: i64 = 16 * 60_000;

/// How often a tick happens, ms.
pub const TICK_MS: i64 = 60_000;

/// When a failed poll is due again after its tick, ms.
pub const POLL_RETRY_MS: i64 = 60_000;

/// Pieces of one line that ticks run at once: a connection's polls, or schedules that use the same connections. More wait their
/// turn.
pub const PIECES_AT_ONCE_MAX: u64 = 256;

/// How long a delivery's commit in another store than its event's is tried again, ms.
pub const OTHER_STORE_MS: i64 = 5_000;

/// When a delivery that found all slots out is due again, ms.
pub const SLOT_WAIT_MS: i64 = 1_000;

/// How often an instance that holds claims is heard from, ms.
pub const HEARD_EVERY_MS: u64 = 10_000;

/// How long an instance may be silent before its claims are taken, ms.
pub const SILENT_MS: i64 = 30_000;

/// Two looks for work with no worker freed and no wake are at least this far apart, ms.
pub const LOOKS_APART_MS_MIN: u64 = 100;

/// Store errors in a row after which the runner counts as not ready.
pub const STORE_ERRORS_READY_MAX: u32 = 10;

/// How long deliveries that ended are gathered, so that they are written together, with the next claim or beside it, ms.
pub const GATHER_MS_MAX: u64 = 5;

/// Deliveries that have ended and are not yet written as done beside the loop, beyond which none is claimed: what is being
/// written, what goes next, and as many again, so that neither the disk nor the workers wait for the other.
pub const UNSETTLED_MAX: usize = 3 * POSTGRES_COMPLETIONS_GROUPED_MAX;

/// How long a stop waits for what runs, ms.
pub const DRAIN_MS: u64 = 10_000;

/// How often the purge runs, ms.
pub const PURGE_EVERY_MS: i64 = 60 * 60_000;

/// Events that one step of the purge looks at.
pub const PURGE_STEP_EVENTS_MAX: u32 = 500;

/// How long the row of a process that ended without leaving is kept, ms.
pub const INSTANCE_KEPT_MS: i64 = 24 * 60 * 60_000;

/// Deliveries that one statement ends or frees.
pub const ENDED_AT_ONCE_MAX: u32 = 1_000;

/// Failed deliveries that a status lists.
pub const FAILED_SHOWN_MAX: u32 = 100;

/// Failed deliveries that a start reminds of.
pub const FAILED_LOGGED_MAX: u32 = 10;

/// Characters of an error that are kept with a delivery or a poll.
pub const ERROR_CHARS_MAX: usize = 2_000;

/// Places of an answer that does not fit that are kept with a poll.
pub const ERROR_PLACES_MAX: usize = 20;

/// Commits that go into one transaction of an SQLite store.
pub const COMMITS_GROUPED_MAX: usize = 64;

/// How long a lock that another process holds on an SQLite file is waited for, ms.
pub const SQLITE_BUSY_MS: u64 = 5_000;

/// How many times [`SQLITE_BUSY_MS`] a start waits for an SQLite file that is locked: another process may be migrating it.
pub const SQLITE_START_WAITS: u32 = 12;

/// The pause before a start tries an SQLite file again that was locked, ms: for some locks the engine itself does not wait.
pub const SQLITE_START_PAUSE_MS: u64 = 50;

/// How long a body may hold a transaction open, ms: less than another process waits for the lock on an SQLite file.
pub const TRANSACTION_MS_MAX: u64 = 4_000;

/// Threads that read for the app from an SQLite store.
pub const SQLITE_QUERY_THREADS: usize = 4;

/// Prepared statements that an SQLite connection keeps.
pub const STATEMENTS_CACHED: usize = 64;

/// The longest that the loop sleeps when nothing is known to be due, ms.
pub const LOOP_PAUSE_MS_MAX: u64 = 60_000;

/// How soon a stopping process tries again to give claims back, ms.
pub const DRAIN_RETRY_MS: u64 = 500;

/// How long a client may take to send a request, from its first byte, and to take its answer, ms.
pub const READ_MS_MAX: u64 = 60_000;

/// Attempts of a batch run's step, and the waits between them, ms.
pub const STEP_RETRY: Retry = Retry { attempts: 8, initial_ms: 5_000, max_ms: 60 * 60_000 };

/// Runs of batches and backfills that a store's workers make at once.
pub const RUNS_AT_ONCE_MAX: usize = 4;

/// Values of one step of a backfill that are told by name when they are not kept.
pub const SKIPPED_LOGGED_MAX: usize = 10;

/// How long a connection is kept on which nothing is asked, ms.
pub const IDLE_MS_MAX: u64 = 60_000;

/// How long a dropped connection may take to let go, ms.
pub const DROP_MS_MAX: u64 = 250;

/// Bytes of a request's line and headers.
pub const HEAD_BYTES_MAX: usize = 16 * 1_024;

/// Bytes of a request's body.
pub const BODY_BYTES_MAX: usize = 1_024 * 1_024;

/// The shortest and the longest sleep after a connection could not be accepted, ms.
pub const ACCEPT_BACKOFF_MS: (u64, u64) = (10, 1_000);

/// How long a connection lingers whose client may still be sending, so that it reads why it is closed, ms.
pub const LINGER_MS_MAX: u64 = 2_000;

/// How long a handler may hold a thread in one turn before it is told, ms.
pub const HELD_MS_MAX: u64 = 200;

/// The longest deadline that a route has, ms.
pub const ROUTE_MS_MAX: u64 = 60_000;

/// How long a route that stops waiting lets what it ran be given back, ms.
pub const SETTLE_STOP_MS: u64 = 1_000;

/// Ends of pieces that are remembered while some route waits, for a wait that begins after its piece has ended.
pub const ENDS_REMEMBERED_MAX: usize = 4_096;

/// Connections to a PostgreSQL database that a store has at most, the one that hears other instances aside.
pub const POSTGRES_CONNECTIONS_MAX: usize = 12;

/// How long one of them is waited for, ms.
pub const POSTGRES_CONNECTION_WAIT_MS: u64 = 5_000;

/// How long a PostgreSQL server may take to let a connection in, ms.
pub const POSTGRES_CONNECT_MS: u64 = 5_000;

/// How long what was sent to a PostgreSQL server may stay unanswered by its machine before the line counts as broken, ms.
pub const POSTGRES_UNANSWERED_MS: u64 = 15_000;

/// How long a lock that another transaction of a PostgreSQL database holds is waited for, ms.
pub const POSTGRES_LOCK_MS: u64 = 5_000;

/// Transactions of gathered commits that a PostgreSQL store has open at once, of each of two kinds.
pub const POSTGRES_GROUPS_AT_ONCE_MAX: usize = 2;

/// Deliveries that write nothing and are marked as done by one statement of a PostgreSQL store.
pub const POSTGRES_COMPLETIONS_GROUPED_MAX: usize = 1_000;

/// Other instances are told of new work at most once in this time, ms.
pub const WAKE_WINDOW_MS: u64 = 5;

/// How soon a lost line to other instances is made again, ms; the wait doubles up to the next.
pub const LISTEN_RETRY_MS_MIN: u64 = 250;

/// The longest wait before that is tried again, and so before an instance that hears nobody looks by itself, ms.
pub const LISTEN_RETRY_MS_MAX: u64 = 8_000;

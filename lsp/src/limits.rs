//! Every bound of the server, with its unit.

/// Threads of the executor: it only moves messages.
pub const WORKERS: usize = 2;

/// The stack of a thread that checks, in bytes; what is nested as deep as the language allows fits many times.
pub const STACK_BYTES: usize = 8 * 1024 * 1024;

/// The most messages that are taken before the next check starts.
pub const BATCH_MAX: usize = 256;

/// How often a request is answered anew after an edit made its snapshot old.
pub const ATTEMPTS_MAX: usize = 3;

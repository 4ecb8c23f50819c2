-- Schedules, batch runs, and the deliveries of other stores that were received here. It only adds, so that a program which
-- knows the schema before it runs on beside this one.

CREATE TABLE jadpo_schedules (
    name             TEXT    NOT NULL PRIMARY KEY,
    next_due_ms      INTEGER NOT NULL,
    spec             TEXT    NOT NULL,            -- when it runs, as it was last claimed under
    claim_token      INTEGER,
    instance         INTEGER,
    claimed_until_ms INTEGER,
    lost_before      INTEGER NOT NULL DEFAULT 0,  -- whether the last claim took a lost one over
    last_run_ms      INTEGER,
    last_error       TEXT,
    failed_at_ms     INTEGER,
    CHECK ((claim_token IS NULL) = (claimed_until_ms IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE jadpo_batch_runs (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    batch            TEXT    NOT NULL,
    input            TEXT,                        -- canonical JSON
    cursor           TEXT,                        -- where the last committed step ended
    state            TEXT    NOT NULL CHECK (
        state = 'pending' OR state = 'claimed' OR state = 'done' OR state = 'failed' OR state = 'discarded'),
    steps            INTEGER NOT NULL DEFAULT 0,
    skipped          INTEGER NOT NULL DEFAULT 0,
    last_skipped     TEXT,                        -- JSON: the key and the problem
    attempts         INTEGER NOT NULL,            -- of the step that comes now
    due_ms           INTEGER NOT NULL,
    claim_token      INTEGER,
    instance         INTEGER,
    claimed_until_ms INTEGER,
    last_error       TEXT,
    trace            TEXT,                        -- W3C trace context
    created_at_ms    INTEGER NOT NULL,
    finished_at_ms   INTEGER,
    CHECK ((state = 'claimed') = (claim_token IS NOT NULL)),
    CHECK ((state = 'done' OR state = 'failed' OR state = 'discarded') = (finished_at_ms IS NOT NULL))
) STRICT;

CREATE INDEX jadpo_batch_runs_due      ON jadpo_batch_runs (batch, due_ms)     WHERE state = 'pending';
CREATE INDEX jadpo_batch_runs_claimed  ON jadpo_batch_runs (claimed_until_ms)  WHERE state = 'claimed';
CREATE INDEX jadpo_batch_runs_failed   ON jadpo_batch_runs (finished_at_ms)    WHERE state = 'failed';
CREATE INDEX jadpo_batch_runs_finished ON jadpo_batch_runs (finished_at_ms)    WHERE state IN ('done', 'discarded');

CREATE TABLE jadpo_received (
    store          TEXT    NOT NULL,              -- the other store
    delivery       INTEGER NOT NULL,              -- its delivery's id
    received_at_ms INTEGER NOT NULL,
    PRIMARY KEY (store, delivery)
) STRICT, WITHOUT ROWID;

CREATE INDEX jadpo_received_at ON jadpo_received (received_at_ms);

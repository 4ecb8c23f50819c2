-- Polls, events and their deliveries. Times are integer milliseconds since the epoch, UTC.
-- Only this version ever runs beside it, since it is the first.

CREATE TABLE jadpo_polls (
    name          TEXT    NOT NULL PRIMARY KEY,   -- poll <connection>.<poll>
    next_due_ms   INTEGER NOT NULL,
    every_ms      INTEGER,                        -- the interval last claimed under; NULL counts as another
    claim_no      INTEGER NOT NULL,
    digest        TEXT,                           -- SHA-256 of the event last kept, in hexadecimal
    changed_at_ms INTEGER,
    last_error    TEXT,                           -- JSON
    failed_at_ms  INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE jadpo_events (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    name           TEXT    NOT NULL,
    source         TEXT,                          -- the connection; NULL for the app's own
    external_id    TEXT,
    occurred_at_ms INTEGER NOT NULL,
    payload        TEXT    NOT NULL,              -- canonical JSON
    trace          TEXT,                          -- W3C trace context
    created_at_ms  INTEGER NOT NULL,
    UNIQUE (source, external_id)
) STRICT;

CREATE TABLE jadpo_deliveries (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id         INTEGER NOT NULL REFERENCES jadpo_events (id),
    subscriber       TEXT    NOT NULL,
    state            TEXT    NOT NULL CHECK (
        state = 'pending' OR state = 'claimed' OR state = 'done' OR state = 'failed' OR state = 'discarded'),
    attempts         INTEGER NOT NULL,
    due_ms           INTEGER NOT NULL,
    give_up_ms       INTEGER NOT NULL,
    claim_token      INTEGER,
    instance         INTEGER,
    claimed_until_ms INTEGER,
    last_error       TEXT,
    finished_at_ms   INTEGER,
    CHECK ((state = 'claimed') = (claim_token IS NOT NULL)),
    CHECK ((state = 'done' OR state = 'failed' OR state = 'discarded') = (finished_at_ms IS NOT NULL))
) STRICT;

-- Each holds only the rows of its state, so what is done makes no hot statement slower.
CREATE INDEX jadpo_deliveries_due     ON jadpo_deliveries (subscriber, due_ms) WHERE state = 'pending';
CREATE INDEX jadpo_deliveries_give_up ON jadpo_deliveries (give_up_ms)         WHERE state = 'pending';
CREATE INDEX jadpo_deliveries_claimed ON jadpo_deliveries (claimed_until_ms)   WHERE state = 'claimed';
CREATE INDEX jadpo_deliveries_failed  ON jadpo_deliveries (finished_at_ms)     WHERE state = 'failed';
CREATE INDEX jadpo_deliveries_event   ON jadpo_deliveries (event_id);

CREATE TABLE jadpo_instances (
    id          INTEGER PRIMARY KEY,              -- unique to each process start
    heard_at_ms INTEGER NOT NULL
) STRICT;

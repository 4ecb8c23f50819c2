//! What a boundary depends on: compared and settled by one statement, which also keeps everybody else from it until the
//! boundary has ended.

use deadpool_postgres::Client;
use tokio_postgres::types::ToSql;

use super::failed::Failed;
use super::statement::{execute, query_opt};
use crate::store::{BoundaryEnd, Fence, Held};

const DELIVERY: &str = "
SELECT 1 FROM jadpo_deliveries WHERE id = $1 AND state = 'claimed' AND claim_token = $2 FOR UPDATE";

const DONE: &str = "
UPDATE jadpo_deliveries SET
    state = 'done', finished_at_ms = $3, last_error = NULL,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const KNOWN: &str = "SELECT 1 FROM jadpo_received WHERE store = $1 AND delivery = $2";

const RECEIVE: &str = "
INSERT INTO jadpo_received (store, delivery, received_at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";

const SCHEDULE: &str = "SELECT 1 FROM jadpo_schedules WHERE name = $1 AND claim_token = $2 FOR UPDATE";

const RUN_ENDED: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL,
    last_run_ms = $3, last_error = NULL, failed_at_ms = NULL
WHERE name = $1 AND claim_token = $2";

const STEP: &str = "
SELECT 1 FROM jadpo_batch_runs
WHERE id = $1 AND state = 'claimed' AND claim_token = $2 AND steps = $3 FOR UPDATE";

/// The next step begins under the same claim, so its first attempt is counted here.
const STEPPED: &str = "
UPDATE jadpo_batch_runs SET
    cursor = $3, steps = steps + 1, attempts = 1, last_error = NULL,
    skipped = skipped + $4, last_skipped = coalesce($5, last_skipped)
WHERE id = $1 AND state = 'claimed' AND claim_token = $2 AND steps = $6";

const COMPLETED: &str = "
UPDATE jadpo_batch_runs SET
    state = 'done', finished_at_ms = $3, steps = steps + 1, last_error = NULL,
    skipped = skipped + $4, last_skipped = coalesce($5, last_skipped),
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2 AND steps = $6";

/// A fence with what settles it: a statement and its parameters.
pub struct Settling<'a> {
    fence: &'a Fence,
    now_ms: i64,
    /// Steps of a run that were committed before this one.
    before: i64,
    /// How many values of a step were skipped, and the last of them as JSON.
    skipped: i64,
    last_skipped: Option<String>,
}

impl<'a> Settling<'a> {
    pub fn of(fence: &'a Fence, now_ms: i64) -> Settling<'a> {
        let (before, skipped) = match fence {
            Fence::Step { before, skipped, .. } => (*before, skipped.as_slice()),
            _ => (0, &[][..]),
        };
        let last = skipped.last().map(|last| serde_json::json!([last.key, last.problem]).to_string());
        let (before, skipped) = (count(before), count(skipped.len() as u64));
        Settling { fence, now_ms, before, skipped, last_skipped: last }
    }

    /// The statement; none where nothing is settled. It touches one row, or the boundary may not be kept.
    pub fn sql(&self) -> Option<&'static str> {
        match self.fence {
            Fence::Free => None,
            Fence::Delivery(_) => Some(DONE),
            Fence::Received { .. } => Some(RECEIVE),
            Fence::Schedule { .. } => Some(RUN_ENDED),
            Fence::Step { cursor: Some(_), .. } => Some(STEPPED),
            Fence::Step { cursor: None, .. } => Some(COMPLETED),
        }
    }

    pub fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        match self.fence {
            Fence::Free => Vec::new(),
            Fence::Delivery(Held { id, token }) => vec![id, token, &self.now_ms],
            Fence::Received { store, delivery } => vec![store, delivery, &self.now_ms],
            Fence::Schedule { name, token } => vec![name, token, &self.now_ms],
            Fence::Step { held, cursor: Some(cursor), .. } => {
                vec![&held.id, &held.token, cursor, &self.skipped, &self.last_skipped, &self.before]
            }
            Fence::Step { held, cursor: None, .. } => {
                vec![&held.id, &held.token, &self.now_ms, &self.skipped, &self.last_skipped, &self.before]
            }
        }
    }
}

/// How a boundary ends whose fence does not stand.
pub fn ended(fence: &Fence) -> BoundaryEnd {
    match fence {
        Fence::Received { .. } => BoundaryEnd::Received,
        _ => BoundaryEnd::Fenced,
    }
}

/// Compares it at the beginning of a transaction that a body opens; what it stands on is held until that ends.
pub async fn check(client: &Client, fence: &Fence) -> Result<Option<BoundaryEnd>, Failed> {
    let stands = match fence {
        Fence::Free => true,
        Fence::Delivery(held) => query_opt(client, DELIVERY, &[&held.id, &held.token]).await?.is_some(),
        Fence::Received { store, delivery } => query_opt(client, KNOWN, &[store, delivery]).await?.is_none(),
        Fence::Schedule { name, token } => query_opt(client, SCHEDULE, &[name, token]).await?.is_some(),
        Fence::Step { held, before, .. } => {
            query_opt(client, STEP, &[&held.id, &held.token, &count(*before)]).await?.is_some()
        }
    };
    Ok((!stands).then(|| ended(fence)))
}

/// Makes a delivery done while its claim stands.
pub async fn finish(client: &Client, held: Held, now_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, DONE, &[&held.id, &held.token, &now_ms]).await? == 1)
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

//! No hot statement scans a table or sorts one: what is done makes nothing slower.

use super::super::{
    claim_deliveries, claim_run, expire, give_back_unstarted, group, outlook, take_over, walk,
};
use super::{block_on, connect, database, options};

/// As many rows as make a scan cost more than it is worth: most done, some of each other state.
const FILL: &str = "
INSERT INTO jadpo_events (name, occurred_at_ms, payload, created_at_ms) SELECT 'e', 0, '{}', 0 FROM generate_series(1, 2000);
INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms, finished_at_ms)
SELECT 1 + i % 2000, 's' || i % 5, 'done', 1, i, i + 1000, i FROM generate_series(1, 40000) AS i;
INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
SELECT 1 + i % 2000, 's' || i % 5, 'pending', 0, i, i + 1000 FROM generate_series(1, 4000) AS i;
INSERT INTO jadpo_deliveries
    (event_id, subscriber, state, attempts, due_ms, give_up_ms, claim_token, instance, claimed_until_ms)
SELECT 1 + i % 2000, 's' || i % 5, 'claimed', 1, i, i + 1000, i, 1, i FROM generate_series(1, 200) AS i;
INSERT INTO jadpo_batch_runs (batch, state, attempts, due_ms, created_at_ms, finished_at_ms)
SELECT 'b', 'done', 1, i, 0, i FROM generate_series(1, 5000) AS i;
ANALYZE;";

/// The plan of a statement that is prepared for any parameters, as the runtime's are.
async fn plan(client: &tokio_postgres::Client, sql: &str) -> String {
    let count = (1..30).rev().find(|at| sql.contains(&format!("${at}"))).unwrap_or(0);
    let nulls = vec!["NULL"; count].join(", ");
    client.batch_execute(&format!("DEALLOCATE ALL; PREPARE hot AS {sql}")).await.unwrap();
    let explained = client.simple_query(&format!("EXPLAIN (COSTS OFF) EXECUTE hot({nulls})")).await.unwrap();
    let line = |message: &tokio_postgres::SimpleQueryMessage| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => Some(format!("{}\n", row.get(0)?)),
        _ => None,
    };
    explained.iter().filter_map(line).collect()
}

/// What the loop asks again and again, with the indexes that each walks.
const HOT: [(&str, &str, &[&str]); 7] = [
    ("claim", claim_deliveries::SQL, &["jadpo_deliveries_due", "jadpo_deliveries_pkey", "jadpo_events_pkey"]),
    (
        "outlook",
        outlook::SQL,
        &[
            "jadpo_deliveries_due",
            "jadpo_deliveries_give_up",
            "jadpo_deliveries_claimed",
            "jadpo_batch_runs_due",
        ],
    ),
    ("take over", take_over::SQL, &["jadpo_deliveries_claimed"]),
    ("expire", expire::SQL, &["jadpo_deliveries_give_up"]),
    ("all done", group::ALL_DONE, &["jadpo_deliveries_pkey"]),
    ("give back unstarted", give_back_unstarted::DELIVERIES, &["jadpo_deliveries_claimed"]),
    ("claim run", claim_run::SQL, &["jadpo_batch_runs_due"]),
];

#[track_caller]
fn walks(plan: &str, what: &str, indexes: &[&str]) {
    for table in ["jadpo_deliveries", "jadpo_events", "jadpo_batch_runs"] {
        assert!(!plan.contains(&format!("Seq Scan on {table}")), "{what} scans {table}:\n{plan}");
    }
    for index in indexes {
        assert!(plan.contains(index), "{what} does not use {index}:\n{plan}");
    }
    for (scan, below) in plan.lines().zip(plan.lines().skip(1)) {
        // There are as many instances as programs.
        let is_of_many = scan.contains("_pkey on") && !scan.contains("on jadpo_instances");
        assert!(!is_of_many || below.contains("Index Cond"), "{what} goes through a table: {scan}\n{plan}");
    }
}

/// A plan is kept while the tables grow, until somebody gathers statistics.
#[test]
fn what_is_planned_over_empty_tables_walks_indexes_all_the_same() {
    let Some(url) = database() else { return };
    drop(options(&url).open().unwrap());
    block_on(async {
        let client = connect(&url).await;
        client.batch_execute("VACUUM (ANALYZE)").await.unwrap();
        for begin in [walk::BEGIN, claim_deliveries::BEGIN_UNSYNCED] {
            client.batch_execute(begin).await.unwrap();
            for (what, sql, indexes) in HOT {
                walks(&plan(&client, sql).await, what, indexes);
            }
            client.batch_execute("COMMIT").await.unwrap();
        }
    });
}

/// Planning a claim takes several times as long as the claim.
#[test]
fn a_claim_is_planned_once() {
    let Some(url) = database() else { return };
    drop(options(&url).open().unwrap());
    block_on(async {
        let client = connect(&url).await;
        let claim = client.prepare(claim_deliveries::SQL).await.unwrap();
        for _ in 0..10 {
            client.batch_execute(walk::BEGIN).await.unwrap();
            let (subscribers, one) = (["s"].as_slice(), [1].as_slice());
            client
                .query(&claim, &[&subscribers, &one, &one, &0_i64, &1_i32, &1_i64, &1_i64, &1_i64])
                .await
                .unwrap();
            client.batch_execute("COMMIT").await.unwrap();
        }
        let sql = "SELECT max(generic_plans) FROM pg_prepared_statements";
        let kept: i64 = client.query_one(sql, &[]).await.unwrap().get(0);
        assert_eq!(kept, 10, "each of them has gone by one plan");
    });
}

#[test]
fn hot_statements_walk_indexes_and_sort_no_table() {
    let Some(url) = database() else { return };
    drop(options(&url).open().unwrap());
    block_on(async {
        let client = connect(&url).await;
        client.batch_execute(FILL).await.unwrap();
        client.batch_execute("SET plan_cache_mode = force_generic_plan").await.unwrap();
        for (what, sql, indexes) in HOT {
            walks(&plan(&client, sql).await, what, indexes);
        }
    });
}

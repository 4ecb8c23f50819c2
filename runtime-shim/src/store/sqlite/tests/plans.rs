//! No hot statement scans a table or sorts one: what is done makes nothing slower.

use rusqlite::Connection;

use super::opened;

/// The lines of a statement's plan that touch `jadpo_deliveries` or `jadpo_events`.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    for index in 1..=statement.parameter_count() {
        statement.raw_bind_parameter(index, 1).unwrap();
    }
    let mut rows = statement.raw_query();
    let mut lines = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        lines.push(row.get::<_, String>(3).unwrap());
    }
    lines
}

#[track_caller]
fn uses_only(sql: &str, indexes: &[&str]) {
    let (_directory, connection) = opened();
    let lines = plan(&connection, sql);
    let allowed = |line: &String| {
        let virtual_or_small = ["VIRTUAL TABLE", "CONSTANT ROW"];
        !line.starts_with("SCAN")
            || virtual_or_small.iter().any(|small| line.contains(small))
            || indexes.iter().any(|index| line.contains(index))
            || ["(subquery", "subscribers", "batches"].iter().any(|few| line.contains(few)) // A row a worker or a name.
    };
    assert!(lines.iter().all(allowed), "{lines:#?}");
    for index in indexes {
        assert!(lines.iter().any(|line| line.contains(index)), "{index} is not used: {lines:#?}");
    }
}

#[test]
fn a_claim_walks_each_subscribers_part_of_the_index() {
    use super::super::claim_deliveries::{DUE, TAKE, WHEN};
    uses_only(DUE, &["jadpo_deliveries_due"]);
    uses_only(WHEN, &["jadpo_deliveries_due"]);
    uses_only(TAKE, &["PRIMARY KEY"]);
}

#[test]
fn an_outlook_looks_up_and_never_counts() {
    let indexes = [
        "jadpo_deliveries_due",
        "jadpo_deliveries_give_up",
        "jadpo_deliveries_claimed",
        "jadpo_batch_runs_due",
        "jadpo_batch_runs_claimed",
    ];
    uses_only(super::super::outlook::SQL, &indexes);
}

#[test]
fn ending_and_taking_over_walk_what_is_pending_and_what_is_claimed() {
    uses_only(super::super::expire::SQL, &["jadpo_deliveries_give_up"]);
    uses_only(super::super::take_over::SQL, &["jadpo_deliveries_claimed"]);
}

#[test]
fn giving_back_what_was_never_started_walks_what_is_claimed() {
    use super::super::give_back_unstarted::{DELIVERIES, RUNS};
    uses_only(DELIVERIES, &["jadpo_deliveries_claimed"]);
    uses_only(RUNS, &["jadpo_batch_runs_claimed"]);
}

#[test]
fn a_claim_of_a_run_walks_each_batchs_part_of_the_index() {
    uses_only(super::super::claim_run::SQL, &["jadpo_batch_runs_due", "jadpo_batch_runs_claimed"]);
}

#[test]
fn what_ends_a_claim_is_found_by_its_key() {
    use super::super::fence::{COMPLETED, DONE, DONE_TOGETHER, RUN_ENDED, STEPPED};
    for sql in [DONE, DONE_TOGETHER, RUN_ENDED, STEPPED, COMPLETED] {
        uses_only(sql, &["PRIMARY KEY"]);
    }
}

#[test]
fn lag_steps_from_name_to_name() {
    uses_only(super::super::lag::SQL, &["jadpo_deliveries_due", "jadpo_batch_runs_due"]);
}

#[test]
fn a_backlog_walks_each_state_by_its_index() {
    let indexes =
        ["jadpo_deliveries_give_up", "jadpo_deliveries_claimed", "jadpo_deliveries_failed", "standing"];
    uses_only(super::super::backlog::SQL, &indexes);
}

#[test]
fn a_purge_walks_what_ended_first() {
    uses_only(super::super::purge::RUNS, &["jadpo_batch_runs_finished"]);
    uses_only(super::super::purge::RECEIVED, &["jadpo_received_at"]);
}

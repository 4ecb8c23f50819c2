//! The poll state machine as scripts: each line is what happens, with what it leaves behind `=>`.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[cfg(feature = "native")]
mod drift;
mod instances;
mod many;
mod script;
mod shared_time;
mod statement;

use script::check;

#[test]
fn a_first_answer_is_kept_the_same_is_not_and_a_change_is() {
    check(
        r#"
        every 10m
        answer {"btc":60,"eth":0.00001}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        tick 600s => same | due 1200s every 600s claim 2 digest A changed 0s events 1
        answer {"btc":61,"eth":0.00001}
        tick 600s => kept | due 1800s every 600s claim 3 digest B changed 1200s events 2
        answer {"btc":60,"eth":0.00001}
        tick 600s => kept | due 2400s every 600s claim 4 digest A changed 1800s events 3
        "#,
    );
}

#[test]
fn only_the_fields_of_the_event_count_in_any_spelling() {
    check(
        r#"
        every 10m
        answer {"btc":60,"eth":0.00001,"fetched_at":"2027-03-03T10:00:00Z"}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        answer {"request_id":"r-81f","fetched_at":"2027-03-03T10:01:00Z","eth":1e-5,"btc":60.00}
        tick 600s => same | due 1200s every 600s claim 2 digest A changed 0s events 1
        answer {"eth":"0.000010","btc":6e1}
        tick 600s => same | due 1800s every 600s claim 3 digest A changed 0s events 1
        answer {"btc":60.0000000000000000001,"eth":0.00001}
        tick 600s => kept | due 2400s every 600s claim 4 digest B changed 1800s events 2
        "#,
    );
}

#[test]
fn it_is_due_at_exactly_its_time_and_missed_intervals_are_one_call() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        tick 599s => not due | due 600s every 600s claim 1 digest A changed 0s events 1
        tick 1s => same | due 1200s every 600s claim 2 digest A changed 0s events 1
        tick 3600s => same | due 4800s every 600s claim 3 digest A changed 0s events 1
        tick 0s => not due | due 4800s every 600s claim 3 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn a_failed_call_keeps_nothing_and_is_due_a_minute_later() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        answer 503
        tick 600s => failed: feed.fetch_prices: status 503, no content type, no body | due 660s every 600s claim 2 digest A changed 0s status 600s events 1
        tick 59s => not due | due 660s every 600s claim 2 digest A changed 0s status 600s events 1
        answer broken
        tick 1s => failed: feed.fetch_prices: no answer: it broke | due 720s every 600s claim 3 digest A changed 0s transport 660s events 1
        answer {"btc":1,"eth":2}
        tick 60s => same | due 1320s every 600s claim 4 digest A changed 0s events 1
        answer 404
        tick 600s => failed: feed.fetch_prices: status 404, no content type, no body | due 1380s every 600s claim 5 digest A changed 0s status 1320s events 1
        answer {"btc":2,"eth":2}
        tick 60s => kept | due 1980s every 600s claim 6 digest B changed 1380s events 2
        "#,
    );
}

#[test]
fn an_answer_that_drifted_is_a_failed_call_until_one_fits() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        answer {"btc":"many","eth":null}
        tick 600s => failed: feed.fetch_prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got "many"; /eth: wanted a decimal of at most 28 digits, got null | due 660s every 600s claim 2 digest A changed 0s decode 600s events 1
        answer {"btc":1,"eth":2,"new":[1]}
        tick 60s => same | due 1260s every 600s claim 3 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn an_answer_without_a_body_is_a_failed_call_and_what_the_body_says_counts_whatever_its_tag() {
    check(
        r#"
        every 10m
        etag "a"
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        answer {"btc":2,"eth":2}
        tick 600s => kept | due 1200s every 600s claim 2 digest B changed 600s events 2
        answer 204
        tick 600s => failed: feed.fetch_prices: the answer is no JSON: it has no body; status 204, no content type, no body | due 1260s every 600s claim 3 digest B changed 600s not_json 1200s events 2
        answer 304
        tick 60s => failed: feed.fetch_prices: status 304, no content type, no body | due 1320s every 600s claim 4 digest B changed 600s status 1260s events 2
        etag "b"
        answer {"btc":2,"eth":2}
        tick 60s => same | due 1920s every 600s claim 5 digest B changed 600s events 2
        "#,
    );
}

#[test]
fn a_shortened_interval_takes_effect_at_once_and_once() {
    check(
        r#"
        every 12h
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 43200s every 43200s claim 1 digest A changed 0s events 1
        tick 5h => not due | due 43200s every 43200s claim 1 digest A changed 0s events 1
        every 5m
        tick 0s => same | due 18300s every 300s claim 2 digest A changed 0s events 1
        tick 0s => not due | due 18300s every 300s claim 2 digest A changed 0s events 1
        tick 60s => not due | due 18300s every 300s claim 2 digest A changed 0s events 1
        tick 4m => same | due 18600s every 300s claim 3 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn a_lengthened_interval_runs_at_its_old_due_time_first() {
    check(
        r#"
        every 5m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 300s every 300s claim 1 digest A changed 0s events 1
        every 12h
        tick 240s => not due | due 300s every 300s claim 1 digest A changed 0s events 1
        tick 60s => same | due 43500s every 43200s claim 2 digest A changed 0s events 1
        tick 5m => not due | due 43500s every 43200s claim 2 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn a_whole_new_interval_away_is_not_more_than_one() {
    check(
        r#"
        every 20m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 1200s every 1200s claim 1 digest A changed 0s events 1
        every 10m
        tick 600s => not due | due 1200s every 1200s claim 1 digest A changed 0s events 1
        tick 600s => same | due 1800s every 600s claim 2 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn a_row_without_an_interval_counts_once_as_claimed_under_another() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        sql UPDATE jadpo_polls SET every_ms = NULL, next_due_ms = next_due_ms + 3600000
        tick 0s => same | due 600s every 600s claim 2 digest A changed 0s events 1
        tick 0s => not due | due 600s every 600s claim 2 digest A changed 0s events 1
        sql UPDATE jadpo_polls SET every_ms = NULL
        tick 0s => not due | due 600s every - claim 2 digest A changed 0s events 1
        tick 600s => same | due 1200s every 600s claim 3 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn an_instance_whose_clock_is_behind_never_calls_again_within_the_interval() {
    check(
        r#"
        every 1m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 60s every 60s claim 1 digest A changed 0s events 1
        behind 4m => not due | due 60s every 60s claim 1 digest A changed 0s events 1
        behind 1h => not due | due 60s every 60s claim 1 digest A changed 0s events 1
        tick 60s => same | due 120s every 60s claim 2 digest A changed 0s events 1
        behind 1s => not due | due 120s every 60s claim 2 digest A changed 0s events 1
        "#,
    );
}

#[test]
fn a_slow_failure_that_a_later_claim_overtook_changes_nothing() {
    check(
        r#"
        every 1m
        slow 90s
        answer 503
        begin 0s => begun | due 60s every 60s claim 1 digest - events 0
        slow 0s
        answer {"btc":1,"eth":2}
        tick 60s => kept | due 120s every 60s claim 2 digest A changed 60s events 1
        end 30s => overtaken | due 120s every 60s claim 2 digest A changed 60s events 1
        "#,
    );
}

#[test]
fn a_slow_answer_that_a_later_claim_overtook_is_not_kept() {
    check(
        r#"
        every 1m
        slow 50s
        answer {"btc":1,"eth":2}
        begin 0s => begun | due 60s every 60s claim 1 digest - events 0
        slow 0s
        answer {"btc":3,"eth":4}
        sql UPDATE jadpo_polls SET next_due_ms = next_due_ms - 60000
        tick 1s => kept | due 61s every 60s claim 2 digest A changed 1s events 1
        end 49s => overtaken | due 61s every 60s claim 2 digest A changed 1s events 1
        "#,
    );
}

#[test]
fn a_process_killed_between_claim_and_keep_costs_one_interval() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        crash 0s => claimed | due 600s every 600s claim 1 digest - events 0
        tick 60s => not due | due 600s every 600s claim 1 digest - events 0
        tick 540s => kept | due 1200s every 600s claim 2 digest A changed 600s events 1
        "#,
    );
}

#[test]
fn a_poll_that_comes_back_after_keep_tells_its_first_answer_again() {
    check(
        r#"
        every 10m
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 600s every 600s claim 1 digest A changed 0s events 1
        tick 30d => same | due 2592600s every 600s claim 2 digest A changed 0s events 1
        tick 31d => kept | due 5271000s every 600s claim 3 digest A changed 5270400s events 2
        "#,
    );
}

#[test]
fn a_long_interval_is_kept_to_the_second() {
    check(
        r#"
        every 25d
        answer {"btc":1,"eth":2}
        tick 0s => kept | due 2160000s every 2160000s claim 1 digest A changed 0s events 1
        tick 2159999s => not due | due 2160000s every 2160000s claim 1 digest A changed 0s events 1
        tick 1s => same | due 4320000s every 2160000s claim 2 digest A changed 0s events 1
        every 90d
        tick 25d => same | due 12096000s every 7776000s claim 3 digest A changed 0s events 1
        "#,
    );
}

//! Answers that people reported as misread elsewhere, polled one after the other: which of them are changes.

use jadpo_runtime::sim::{Reply, Script};

use super::{CASES, run};

/// The polls of `cases` give these answers in turn; the others fail, which concerns nobody here.
fn heard(part: &str, answers: &[&str]) -> (String, String, u64) {
    let replies = answers.iter().map(|answer| Reply::json(answer)).collect();
    let script = Script::new().on(&format!("GET {CASES}/{part}"), replies);
    let run = run(40, &script);
    let seen = run.rows("SELECT what FROM seen WHERE who = 'hear_cases' ORDER BY rowid");
    let poll = if part == "order" { "orders" } else { part };
    let error = run.rows(&format!("SELECT last_error FROM jadpo_polls WHERE name = 'poll cases.{poll}'"));
    (seen, error, run.rehearsal.polls_same)
}

#[test]
fn one_number_in_three_spellings_is_one_event() {
    let (seen, error, same) = heard(
        "prices",
        &[
            r#"{"btc":60,"eth":0.00001,"fetched_at":"2027-03-03T10:00:00Z"}"#,
            r#"{"btc":60.00,"eth":1e-5,"fetched_at":"2027-03-03T10:05:00Z"}"#,
            r#"{"btc":6e1,"eth":0.000010,"fetched_at":"2027-03-03T10:10:00Z"}"#,
            r#"{"btc":60.0000000000000000001,"eth":0.00001,"fetched_at":"2027-03-03T10:15:00Z"}"#,
        ],
    );
    insta::assert_snapshot!(seen, @"
    60 0.00001
    60.0000000000000000001 0.00001
    ");
    // Eight polls in forty minutes: two are changes.
    assert_eq!((error.as_str(), same), ("-", 6));
}

#[test]
fn a_field_that_is_not_the_event_s_is_no_change() {
    let (seen, _, same) = heard(
        "prices",
        &[
            r#"{"btc":60,"eth":1,"fetched_at":"2027-03-03T10:00:00Z","request_id":"r-81f"}"#,
            r#"{"request_id":"r-82a","eth":1,"fetched_at":"2027-03-03T10:05:00Z","btc":60}"#,
            r#"{"fetched_at":"2027-03-03T10:10:00Z","btc":60,"eth":1}"#,
        ],
    );
    assert_eq!((seen.as_str(), same), ("60 1", 7));
}

#[test]
fn one_text_in_three_spellings_is_one_event_and_half_a_character_none() {
    let (seen, error, _) = heard(
        "titled",
        &[
            r#"{"title":"caf\u00e9 \ud83e\ude99"}"#,
            r#"{"title":"café 🪙"}"#,
            r#"{"title":"\u0063af\u00E9 \uD83E\uDE99"}"#,
            r#"{"title":"cafe\u0301 🪙"}"#,
            r#"{"title":"\ud83e"}"#,
        ],
    );
    insta::assert_snapshot!(format!("{}\n{error}", seen.replace('\u{301}', "<combining>")), @r#"
    café 🪙
    cafe<combining> 🪙
    {"kind":"decode","text":"cases.fetch_titled: the answer does not fit its type: /title: wanted text without half a surrogate pair, got \"\\ud83e\"","places":[{"place":"/title","wanted":"text without half a surrogate pair","got":"\"\\ud83e\""}]}
    "#);
}

#[test]
fn the_answer_after_one_that_was_refused_is_read_again() {
    let (seen, error, _) = heard(
        "titled",
        &[
            r#"{"title":"a"}"#,
            r#"{"title":"\ud83e"}"#,
            r#"{"title":"a"}"#,
            r#"{"title":7}"#,
            r#"{"title":"b"}"#,
        ],
    );
    assert_eq!((seen.as_str(), error.as_str()), ("a\nb", "-"));
}

#[test]
fn whole_numbers_past_what_a_float_holds_are_two_events() {
    let (seen, error, _) = heard(
        "order",
        &[
            r#"{"order_no":90071992547409931}"#,
            r#"{"order_no":90071992547409930}"#,
            r#"{"order_no":9223372036854775807}"#,
            r#"{"order_no":"90071992547409931"}"#,
            r#"{"order_no":9223372036854775808}"#,
        ],
    );
    insta::assert_snapshot!(format!("{seen}\n{error}"), @r#"
    90071992547409931
    90071992547409930
    9223372036854775807
    90071992547409931
    {"kind":"decode","text":"cases.fetch_order: the answer does not fit its type: /order_no: wanted an integer of 64 bits, got 9223372036854775808","places":[{"place":"/order_no","wanted":"an integer of 64 bits","got":"9223372036854775808"}]}
    "#);
}

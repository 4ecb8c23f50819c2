//! When a schedule is next due, over the days on which clocks change.

use crate::plan::When;
use crate::schedule::Times;

/// The next times after `from`, as many as `wanted` has.
pub(super) fn check(hour: u8, minute: u8, zone: &str, from: &str, wanted: &[&str]) {
    let times = Times::new(&When::Daily { hour, minute, zone: zone.to_owned() }).unwrap();
    let mut ms = from.parse::<jiff::Timestamp>().unwrap().as_millisecond();
    for wanted in wanted {
        ms = times.after(ms);
        assert_eq!(crate::clock::timestamp(ms).to_string(), *wanted);
    }
}

#[test]
fn an_interval_counts_from_its_moment() {
    let times = Times::new(&When::EveryMs(90_000)).unwrap();
    assert_eq!(times.after(60_000), 150_000);
    assert_eq!(times.spec(), "every 90000");
    assert_eq!(times.after(i64::MAX), i64::MAX);
}

#[test]
fn a_local_time_follows_its_zone() {
    check(3, 0, "Europe/London", "2027-01-05T02:59:00Z", &["2027-01-05T03:00:00Z", "2027-01-06T03:00:00Z"]);
    check(3, 0, "Europe/London", "2027-07-05T02:00:00Z", &["2027-07-06T02:00:00Z"]);
    check(0, 0, "Asia/Kolkata", "2027-01-05T18:29:59Z", &["2027-01-05T18:30:00Z"]);
    check(23, 59, "UTC", "2027-01-05T23:59:00Z", &["2027-01-06T23:59:00Z"]);
}

#[test]
fn a_time_that_is_skipped_is_the_first_moment_after_the_gap() {
    let wanted = ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"];
    check(2, 30, "Europe/Berlin", "2026-03-27T12:00:00Z", &wanted);
    // The gap of this zone begins at midnight.
    check(
        0,
        30,
        "America/Asuncion",
        "2024-10-05T12:00:00Z",
        &["2024-10-06T04:00:00Z", "2024-10-07T03:30:00Z"],
    );
}

#[test]
fn a_time_that_comes_twice_is_the_first() {
    let wanted = ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"];
    check(2, 30, "Europe/Berlin", "2026-10-23T12:00:00Z", &wanted);
}

#[test]
fn a_day_that_a_zone_leaves_out_is_made_up_for_by_its_next_moment() {
    // Samoa went from the 29th to the 31st of December 2011.
    check(
        12,
        0,
        "Pacific/Apia",
        "2011-12-29T00:00:00Z",
        &["2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"],
    );
}

#[test]
fn what_no_clock_shows_is_refused() {
    for when in [
        When::Daily { hour: 24, minute: 0, zone: "UTC".to_owned() },
        When::Daily { hour: 3, minute: 60, zone: "UTC".to_owned() },
        When::Daily { hour: 3, minute: 0, zone: "Europe/Atlantis".to_owned() },
    ] {
        assert!(Times::new(&when).is_err(), "{when:?}");
    }
}

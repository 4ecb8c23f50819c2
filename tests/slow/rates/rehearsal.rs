//! `rates --minutes N`: an hour of ticks in seconds, and a table that adds up.

use std::collections::BTreeMap;
use std::process::Output;
use std::time::{Duration, Instant};

use jadpo_tests::binaries::binary;
use jadpo_tests::scratch::Scratch;

use super::rates;

/// How long an hour of virtual time may take on a machine that does other things too.
const HOUR_MAX: Duration = Duration::from_mins(1);

fn rehearse(minutes: &str) -> Output {
    let scratch = Scratch::empty();
    let output = rates(scratch.path()).args(["--minutes", minutes]).output().unwrap();
    assert!(!scratch.at("rates.db").exists(), "a rehearsal has a store of its own");
    output
}

/// The numbers of the table, by their names.
fn table(minutes: u64) -> BTreeMap<String, u64> {
    let output = rehearse(&minutes.to_string());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let row = |line: &str| {
        let (name, number) = line.trim().rsplit_once(' ').unwrap();
        (name.trim().to_owned(), number.parse().unwrap())
    };
    said.lines().map(row).collect()
}

#[test]
fn an_hour_adds_up() {
    // A first use builds it.
    binary("rates", "rates");
    let begun = Instant::now();
    let table = table(60);
    assert!(begun.elapsed() < HOUR_MAX, "{:?}", begun.elapsed());
    let of = |name: &str| *table.get(name).unwrap_or_else(|| panic!("no row {name} in {table:?}"));

    assert_eq!((of("minutes"), of("ticks")), (60, 60));
    // Quotes are polled every minute and change every third, metals every second minute and every fifth.
    let (quotes, metals) = ((60, 20), (30, 12));
    assert_eq!(of("polls made"), quotes.0 + metals.0);
    assert_eq!(of("events kept"), quotes.1 + metals.1);
    assert_eq!(of("of them failed"), 0);
    assert_eq!(of("of them repeats") + of("events kept"), of("polls made"));
    // Both events go to `keep_quotes`, and quotes to `keep_note` too, which calls the exchange once for each.
    assert_eq!(of("deliveries done"), of("events kept") + quotes.1);
    assert_eq!((of("failed"), of("left")), (0, 0));
    assert_eq!(of("calls, as the exchange counts"), of("polls made") + quotes.1);
    assert_eq!(of("calls at once at most"), 2, "the connection's cap, which the polls of even minutes reach");
}

#[test]
fn a_rehearsal_of_one_minute_is_one_tick() {
    let table = table(1);
    assert_eq!(
        (table["ticks"], table["polls made"], table["events kept"], table["deliveries done"]),
        (1, 2, 2, 3)
    );
}

#[test]
fn what_is_no_number_of_minutes_is_refused() {
    for minutes in ["0", "-1", "x", "99999999999"] {
        let output = rehearse(minutes);
        assert_eq!(output.status.code(), Some(2), "{minutes}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "usage: rates [--minutes N]\n");
    }
}

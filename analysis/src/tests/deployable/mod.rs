//! `deployable` and its runner.

mod batches;
mod budget;
mod events;
mod host;
mod incremental;
mod lists;
mod targets;
mod workers;

use super::packages::PACKAGES;
use super::{brief, check, fixed, open};

/// What the deployable runs.
const PARTS: &str = r#"
connection feed { package: coinfeed }
connection twin { package: coinfeed }
store main { engine: sqlite("x.db") }
subscriber update { on: coinfeed.PricesChanged }
subscriber archive { on: coinfeed.PricesChanged  from: [feed] }
"#;

fn with(body: &str) -> String {
    format!("app trading {{ }}\ndeployable server {{ {body} }}\n{PARTS}{PACKAGES}")
}

/// A deployable with this in its runner.
fn runner(body: &str) -> String {
    format!("app trading {{ }}\ndeployable server {{ target: native  runner: {{ {body} }} }}\n")
}

fn at_capacity(body: &str) -> String {
    runner(&format!("at_capacity: {{ {body} }}"))
}

#[test]
fn a_deployable_runs_all_unless_it_says_otherwise() {
    let model = open(&with("target: native")).model().unwrap();
    let server = &model.app.deployables["server"];
    let poll = |connection: &str| (connection.to_owned(), "prices".to_owned());
    assert_eq!(server.subscribers, ["archive", "update"]);
    assert_eq!(server.polls, [poll("feed"), poll("twin")]);
    let runner = server.runner;
    assert_eq!((runner.workers, runner.sleep_detection_ms), (8, 180_000));
    assert_eq!((runner.at_capacity_poll_interval_ms, runner.at_capacity_heartbeat_ms), (1_000, 10_000));
    assert_eq!((runner.backoff_initial_ms, runner.backoff_max_ms), (1_000, 60_000));
    let model = open(&with("target: native  subscribers: [update]  polls: [twin.prices]")).model().unwrap();
    let server = &model.app.deployables["server"];
    assert_eq!(
        (&server.subscribers[..], &server.polls[..]),
        (&["update".to_owned()][..], &[poll("twin")][..])
    );
    let model = open(&with("target: native  subscribers: all  polls: []")).model().unwrap();
    assert_eq!(model.app.deployables["server"].polls, []);
}

#[test]
fn its_lists_name_what_is_there() {
    insta::assert_snapshot!(check(&with("target: native  subscribers: [updat]")), @"
[name.unknown] error: there is no subscriber `updat`
   ╭─[ app.jadpo:2:51 ]
   │
 2 │ deployable server { target: native  subscribers: [updat] }
   │                                                   ──┬──
   │                                                     ╰──── did you mean `update`?
───╯
  fix: write `update`
");
    insta::assert_snapshot!(check(&with("target: native  polls: [feed.price]")), @"
[name.unknown] error: package `coinfeed` of `feed` has no poll `price`
   ╭─[ app.jadpo:2:50 ]
   │
 2 │ deployable server { target: native  polls: [feed.price] }
   │                                                  ──┬──
   │                                                    ╰──── did you mean `prices`?
   │
 4 │ connection feed { package: coinfeed }
   │                   ───┬───
   │                      ╰───── its package
───╯
  fix: write `prices`
");
    insta::assert_snapshot!(brief(&with("target: native  polls: [fed.prices]")), @"
app.jadpo:2:45 name.unknown there is no connection `fed`
  fix: write `feed`
");
    insta::assert_snapshot!(brief(&with("target: native  polls: [coinfeed.prices]")), @"app.jadpo:2:45 name.unknown there is no connection `coinfeed`");
    insta::assert_snapshot!(brief(&with("target: native  polls: [prices]")), @"app.jadpo:2:45 deployable.value_invalid a poll is named with its connection, as `feed.prices`, not `prices`");
    let one = with("target: native  polls: [prices]").replace("connection twin { package: coinfeed }\n", "");
    insta::assert_snapshot!(brief(&one), @"
app.jadpo:2:45 deployable.value_invalid a poll is named with its connection, as `feed.prices`, not `prices`
  fix: write `feed.prices`
");
    insta::assert_snapshot!(brief(&with("target: native  polls: [feed.prices.now]")), @"app.jadpo:2:45 deployable.value_invalid a poll is named with its connection, as `feed.prices`, not `feed.prices.now`");
    insta::assert_snapshot!(brief(&with("target: native  polls: feed.prices")), @"
app.jadpo:2:44 deployable.value_invalid `polls` takes a list of polls, as `feed.prices`, or `all`, not `feed.prices`
  fix: write `[feed.prices]`
");
    insta::assert_snapshot!(brief(&with("target: workers")), @r#"
app.jadpo:2:29 deployable.value_invalid `server` runs on Workers, where store `main` has no database: subscriber `archive` writes it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
}

#[test]
fn a_full_loop_can_sleep() {
    insta::assert_snapshot!(check(&at_capacity("poll_interval: 0  heartbeat: 0")), @"
[deployable.capacity_unslept] error: `at_capacity` turns both `poll_interval` and `heartbeat` off, so a loop that is full never sleeps
   ╭─[ app.jadpo:2:60 ]
   │
 2 │ deployable server { target: native  runner: { at_capacity: { poll_interval: 0  heartbeat: 0 } } }
   │                                                            ──────────┬──────┬────────┬───────
   │                                                                      ╰───────────────────────── `poll_interval` is off
   │                                                                             │        │
   │                                                                             ╰────────────────── a full loop spins
   │                                                                                      │
   │                                                                                      ╰───────── `heartbeat` is off
   │
   │ Help: each may be off alone: leave one of them on
───╯
  fix: write `poll_interval: 1s` (a choice)
  fix: write `heartbeat: 10s` (a choice)
");
    assert!(
        fixed(&at_capacity("poll_interval: 0  heartbeat: 0")).contains("poll_interval: 1s  heartbeat: 0")
    );
    assert_eq!(brief(&at_capacity("poll_interval: 0")), "clean");
    assert_eq!(brief(&at_capacity("heartbeat: 0")), "clean");
    let model = open(&at_capacity("heartbeat: 0")).model().unwrap();
    assert_eq!(model.app.deployables["server"].runner.at_capacity_heartbeat_ms, 0);
}

#[test]
fn a_number_that_is_no_sleep_offers_the_one_that_was_meant() {
    insta::assert_snapshot!(check(&at_capacity("poll_interval: 10")), @"
[deployable.value_invalid] error: `poll_interval` of `10` is read as milliseconds, and so hardly sleeps; `10s` was most likely meant
   ╭─[ app.jadpo:2:77 ]
   │
 2 │ deployable server { target: native  runner: { at_capacity: { poll_interval: 10 } } }
   │                                                                             ─┬
   │                                                                              ╰── did you mean `10s`?
───╯
  fix: write `10s` (a choice)
");
    let offered = |value: &str| {
        let text = at_capacity(&format!("heartbeat: {value}"));
        let found = open(&text).check().diagnostics;
        let codes: Vec<_> = found.iter().map(|it| it.code.text()).collect();
        assert_eq!(codes, ["deployable.value_invalid"], "{value}");
        let edit = &found[0].fixes.first().expect("a fix").edits[0];
        assert_eq!(brief(&fixed(&text)), "clean", "{value}");
        format!("{value} -> {}", edit.text)
    };
    let values = [
        "1",
        "10",
        "60",
        "61",
        "99",
        "1ms",
        "10ms",
        "99ms",
        "100",
        "5000",
        "90000",
        "0s",
        "0ms",
        "0d",
        "61s",
        "1h",
        "4000d",
        "-5",
        "0.5",
        "1.5",
        "0.0",
        "10KiB",
        "99999999999999999999999",
    ];
    insta::assert_snapshot!(values.map(offered).join("\n"), @"
1 -> 1s
10 -> 10s
60 -> 60s
61 -> 60s
99 -> 60s
1ms -> 1s
10ms -> 10s
99ms -> 60s
100 -> 100ms
5000 -> 5s
90000 -> 60s
0s -> 0
0ms -> 0
0d -> 0
61s -> 60s
1h -> 60s
4000d -> 60s
-5 -> 10s
0.5 -> 500ms
1.5 -> 1500ms
0.0 -> 0
10KiB -> 10s
99999999999999999999999 -> 60s
");
    insta::assert_snapshot!(brief(&at_capacity("heartbeat: off")), @"app.jadpo:2:73 deployable.value_invalid `heartbeat` takes `0`, or a duration from `100ms` to `60s`, not `off`");
    insta::assert_snapshot!(brief(&at_capacity("heartbeat: \"10s\"")), @"app.jadpo:2:73 deployable.value_invalid `heartbeat` takes `0`, or a duration from `100ms` to `60s`, not a string");
    insta::assert_snapshot!(brief(&at_capacity("heartbeat: ")), @"app.jadpo:2:62 deployable.value_invalid `heartbeat` has no value: it takes `0`, or a duration from `100ms` to `60s`");
    insta::assert_snapshot!(brief(&at_capacity("heartbeat: 10sec")), @"
app.jadpo:2:73 syntax.number_invalid `10sec` is no number of a known unit
  fix: write `10s`
");
    insta::assert_snapshot!(brief(&at_capacity("poll_interval: 0  heartbeat: 0s")), @"
app.jadpo:2:91 deployable.value_invalid `heartbeat` is turned off by a bare `0`, not by `0s`
  fix: write `0`
");
}

#[test]
fn every_sleep_is_below_sleep_detection() {
    insta::assert_snapshot!(check(&runner("sleep_detection: 60s")), @"
[deployable.value_invalid] error: `sleep_detection` of `60s` is not above `backoff.max`, `60s` by default: a backoff at its cap would count as the machine having slept, and reset the error budget for ever
   ╭─[ app.jadpo:2:64 ]
   │
 2 │ deployable server { target: native  runner: { sleep_detection: 60s } }
   │                                                                ─┬─
   │                                                                 ╰─── not above `60s`
   │
   │ Help: `sleep_detection: 3m` tells them apart
───╯
  fix: write `sleep_detection: 3m` (a choice)
");
    insta::assert_snapshot!(check(&runner("backoff: { max: 5m }")), @"
[deployable.value_invalid] error: `sleep_detection`, `3m` by default, is not above `backoff.max` of `5m`: a backoff at its cap would count as the machine having slept, and reset the error budget for ever
   ╭─[ app.jadpo:2:63 ]
   │
 2 │ deployable server { target: native  runner: { backoff: { max: 5m } } }
   │                                                               ─┬
   │                                                                ╰── not below `3m`
   │
   │ Help: `sleep_detection: 15m` tells them apart
───╯
  fix: write `sleep_detection: 15m` (a choice)
");
    insta::assert_snapshot!(brief(&runner("sleep_detection: 10s  backoff: { max: 9s }")), @"
app.jadpo:2:64 deployable.value_invalid `sleep_detection` of `10s` is not above `at_capacity.heartbeat`, `10s` by default: a full loop's own sleep would count as the machine having slept
  fix: write `sleep_detection: 30s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("sleep_detection: 20s  backoff: { max: 9s }  at_capacity: { poll_interval: 30s }")), @"
app.jadpo:2:64 deployable.value_invalid `sleep_detection` of `20s` is not above `at_capacity.poll_interval` of `30s`: a full loop's own sleep would count as the machine having slept
  fix: write `sleep_detection: 90s` (a choice)
");
    assert_eq!(brief(&runner("sleep_detection: 61s")), "clean");
    assert_eq!(brief(&runner("sleep_detection: 6m  backoff: { max: 5m }")), "clean");
    assert_eq!(brief(&fixed(&runner("sleep_detection: 60s"))), "clean");
}

#[test]
fn its_other_keys_have_bounds() {
    insta::assert_snapshot!(brief(&runner("workers: 0")), @"
app.jadpo:2:56 deployable.value_invalid `workers` takes a whole number from 1 to 4294967295, not `0`
  fix: write `1` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { initial: 99ms }")), @"
app.jadpo:2:67 deployable.value_invalid `initial` of `99ms` hardly sleeps; `60s` was most likely meant
  fix: write `60s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { initial: 10 }")), @"
app.jadpo:2:67 deployable.value_invalid `initial` of `10` is read as milliseconds, and so hardly sleeps; `10s` was most likely meant
  fix: write `10s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { initial: 0 }")), @"
app.jadpo:2:67 deployable.value_invalid `initial` takes a duration of at least `100ms`, not `0`
  fix: write `1s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { max: 0s }")), @"
app.jadpo:2:63 deployable.value_invalid `max` takes a duration of at least `100ms`; `0s` is shorter
  fix: write `60s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { max: 4000d }")), @"
app.jadpo:2:63 deployable.value_invalid `max` takes at most `3650d`; `4000d` is longer
  fix: write `3650d` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { max: }")), @"app.jadpo:2:58 deployable.value_invalid `max` has no value: it takes a duration of at least `100ms`");
    insta::assert_snapshot!(brief(&runner("backoff: { initial: 10s  max: 5s }")), @"
app.jadpo:2:67 deployable.value_invalid `initial` of `10s` is longer than `max` of `5s`
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backoff: { max: 500ms }")), @"
app.jadpo:2:63 deployable.value_invalid `max` of `500ms` is shorter than `initial`, `1s` by default
  fix: write `1s` (a choice)
");
    insta::assert_snapshot!(brief(&runner("backof: { max: 5s }")), @"
app.jadpo:2:47 deployable.key_invalid a `runner` takes no key `backof`
  fix: write `backoff`
");
}

/// Whatever is accepted can sleep, tells its own sleeps from the machine's, and works.
#[test]
fn an_accepted_loop_holds_its_invariants() {
    let sleeps = ["", "0", "50ms", "100ms", "10", "7s", "60s", "61s"];
    let limits = ["", "99ms", "100ms", "7s", "60s", "5m"];
    let mut accepted = 0;
    for (poll_interval, heartbeat) in sleeps.iter().flat_map(|a| sleeps.iter().map(move |b| (a, b))) {
        for (max, detection) in limits.iter().flat_map(|a| limits.iter().map(move |b| (a, b))) {
            let key = |key: &str, value: &str| {
                if value.is_empty() { String::new() } else { format!("{key}: {value}  ") }
            };
            let text = runner(&format!(
                "at_capacity: {{ {}{} }}  backoff: {{ initial: 100ms  {} }}  {}",
                key("poll_interval", poll_interval),
                key("heartbeat", heartbeat),
                key("max", max),
                key("sleep_detection", detection)
            ));
            let Some(model) = open(&text).model() else { continue };
            accepted += 1;
            let runner = model.app.deployables["server"].runner;
            let both = [runner.at_capacity_poll_interval_ms, runner.at_capacity_heartbeat_ms];
            assert!(both.iter().any(|ms| *ms > 0), "{text}");
            assert!(both.iter().all(|ms| *ms == 0 || (100..=60_000).contains(ms)), "{text}");
            assert!(both.iter().all(|ms| *ms < runner.sleep_detection_ms), "{text}");
            assert!(runner.backoff_max_ms < runner.sleep_detection_ms, "{text}");
            assert!((100..=runner.backoff_max_ms).contains(&runner.backoff_initial_ms), "{text}");
            assert!(runner.workers >= 1, "{text}");
        }
    }
    assert!(accepted > 100, "{accepted}");
}

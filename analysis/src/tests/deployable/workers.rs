//! What the report says of caps on Workers.

use std::fmt::Write;

use super::super::packages::with_entries;
use super::open;

/// One line for each connection with a cap, or a `-` for a deployable that reaches none.
fn on_workers(cap: &str, rest: &str) -> String {
    let text = format!(
        "app trading {{ }}\nstore main {{ engine: {{ native: sqlite(\"x.db\")  workers: d1(\"M\") }} }}\n{rest}\n{}",
        with_entries(cap)
    );
    let mut out = String::new();
    let report = open(&text).check();
    assert!(report.is_ok(), "{:#?}", report.diagnostics);
    for worker in report.on_workers {
        for capped in &worker.capped {
            writeln!(out, "{} {} {}", worker.deployable, capped.connection, capped.max_concurrent).unwrap();
        }
        if worker.capped.is_empty() {
            writeln!(out, "{} -", worker.deployable).unwrap();
        }
    }
    out
}

const TWO: &str = r"
connection feed { package: coinfeed  max_concurrent: 4 }
connection twin { package: coinfeed }
";

#[test]
fn each_capped_connection_that_a_worker_reaches() {
    let polled = format!("{TWO}subscriber update {{ on: coinfeed.PricesChanged  from: [feed] }}\n");
    assert_eq!(on_workers("max_concurrent: 8", &format!("{polled}deployable s {{ target: native }}")), "");
    insta::assert_snapshot!(on_workers("max_concurrent: 8", &format!("{polled}deployable edge {{ target: workers }}")), @"edge feed 4");
    let calling =
        format!("{TWO}subscriber update {{ on: coinfeed.PricesChanged  from: [feed]  uses: [twin] }}\n");
    insta::assert_snapshot!(on_workers("max_concurrent: 8", &format!("{calling}deployable edge {{ target: workers }}\ndeployable a {{ target: workers  polls: [] }}")), @"
a twin 8
edge feed 4
edge twin 8
");
    insta::assert_snapshot!(on_workers("", &format!("{calling}deployable edge {{ target: workers }}")), @"edge feed 4");
    let origin = format!("{TWO}subscriber update {{ on: coinfeed.PricesChanged  uses: [origin] }}\n");
    insta::assert_snapshot!(on_workers("max_concurrent: 8", &format!("{origin}deployable edge {{ target: workers }}\ndeployable b {{ target: workers  polls: []  subscribers: [] }}")), @"
b -
edge feed 4
edge twin 8
");
}

#[test]
fn an_action_is_reached_by_what_runs_it() {
    let action = format!(
        "{TWO}action look {{ uses: [twin] }}\nroute look_now {{ method: POST  path: \"/look\"  run: look  auth: none }}\nschedule hourly {{ every: 1h  run: look }}\n"
    );
    insta::assert_snapshot!(on_workers("max_concurrent: 8", &format!("{action}deployable edge {{ target: workers  schedules: [] }}\ndeployable far {{ target: workers  routes: [] }}\ndeployable none {{ target: workers  routes: []  schedules: [] }}")), @"
edge twin 8
far twin 8
none -
");
}

//! Calls that outlast what makes them.

use super::super::packages::with_entries;
use super::{brief, check};

fn on_workers(provider: &str) -> String {
    format!(
        "app trading {{ }}\nstore main {{ engine: d1(\"M\") }}\nconnection feed {{ package: coinfeed }}\nsubscriber update {{ on: coinfeed.PricesChanged }}\ndeployable edge {{ target: workers }}\n{}",
        with_entries(provider)
    )
}

#[test]
fn an_attempt_fits_into_an_invocation_of_a_worker() {
    insta::assert_snapshot!(check(&on_workers("timeout: 27_001ms")), @"
[deployable.budget_short] warning: one attempt of `fetch_prices` through `feed` may take 27.001s, and an invocation on Workers can use 27s of its 30s
   ╭─[ app.jadpo:5:27 ]
   │
 3 │ connection feed { package: coinfeed }
   │            ──┬─
   │              ╰─── poll `feed.prices` calls it
   │
 5 │ deployable edge { target: workers }
   │                           ───┬───
   │                              ╰───── poll `feed.prices` may be cut off
   │
   ├─[ packages/coinfeed/provider.jadpo:3:14 ]
   │
 3 │     timeout: 27_001ms
   │              ────┬───
   │                  ╰───── an attempt may take 27.001s
   │
   │ Help: 3s is kept back for giving back what isn't done; `timeout: 27s` is short enough
───╯
  fix: write `timeout: 27s` (a choice)
");
    assert_eq!(brief(&on_workers("timeout: 27s")), "clean");
}

#[test]
fn each_timeout_is_warned_of_once() {
    let text = on_workers("timeout: 40s")
        .replace("operation fetch_note {\n", "operation fetch_note {\n    timeout: 50s\n")
        .replace("deployable edge", "deployable far { target: workers }\ndeployable edge")
        .replace("edge { target: workers }", "edge { target: workers  polls: [] }");
    let text = text.replacen("PricesChanged }", "PricesChanged  uses: [feed] }", 1);
    insta::assert_snapshot!(brief(&text), @"
app.jadpo:5:26 deployable.budget_short one attempt of `fetch_note` through `feed` may take 50s, and an invocation on Workers can use 27s of its 30s
  fix: write `timeout: 27s` (a choice)
app.jadpo:5:26 deployable.budget_short one attempt of `fetch_prices` through `feed` may take 40s, and an invocation on Workers can use 27s of its 30s
  fix: write `timeout: 27s` (a choice)
");
}

/// A route whose action calls `fetch_note`.
fn route(within: &str, provider: &str) -> String {
    format!(
        r#"app trading {{ }}
store main {{ engine: sqlite("x.db") }}
connection feed {{ package: coinfeed }}
subscriber update {{ on: coinfeed.PricesChanged }}
action look {{ uses: [feed] }}
route look_now {{ method: POST  path: "/look"  run: look  auth: none  {within} }}
deployable server {{ target: native }}
{}"#,
        with_entries(provider)
    )
}

#[test]
fn a_call_of_a_route_ends_within_it() {
    insta::assert_snapshot!(check(&route("within: 20s", "")), @r#"
[deployable.budget_short] warning: route `look_now` ends after 20s, but one call of `fetch_note` through `feed` can take 30.6s
   ╭─[ app.jadpo:7:29 ]
   │
 6 │ route look_now { method: POST  path: "/look"  run: look  auth: none  within: 20s }
   │                                                                              ─┬─
   │                                                                               ╰─── it ends after 20s
 7 │ deployable server { target: native }
   │                             ───┬──
   │                                ╰──── action `look` of route `look_now` may be cut off
   │
   ├─[ packages/coinfeed/provider.jadpo:1:10 ]
   │
 1 │ provider coinfeed {
   │          ────┬───
   │              ╰───── an attempt may take 10s
   │
   │ Help: 3 attempts of 10s and waits of 0.2s + 0.4s make 30.6s; `within: 31s` is long enough, and so may be fewer or shorter attempts
───╯
  fix: write `within: 31s` (a choice)
"#);
    assert_eq!(brief(&route("within: 31s", "")), "clean");
    // Nobody has chosen either of the two.
    assert_eq!(brief(&route("", "")), "clean");
    insta::assert_snapshot!(brief(&route("", "timeout: 10s")), @"app.jadpo:7:29 deployable.budget_short route `look_now` ends after 30s, but one call of `fetch_note` through `feed` can take 30.6s");
    insta::assert_snapshot!(brief(&route("", "retry: { attempts: 4 }")), @"app.jadpo:7:29 deployable.budget_short route `look_now` ends after 30s, but one call of `fetch_note` through `feed` can take 41.4s");
    assert_eq!(brief(&route("", "retry: { attempts: 2 }")), "clean");
    // One that changes the provider's data is attempted once.
    let posts = |text: String| {
        text.replace("operation fetch_note {\n    method: GET", "operation fetch_note {\n    method: POST")
    };
    assert_eq!(brief(&posts(route("within: 10s", ""))), "clean");
    insta::assert_snapshot!(brief(&posts(route("within: 9s", ""))), @"
app.jadpo:7:29 deployable.budget_short route `look_now` ends after 9s, but one call of `fetch_note` through `feed` can take 10s
  fix: write `within: 10s` (a choice)
");
}

#[test]
fn the_smallest_change_is_said() {
    let help = |text: &str| {
        let report = super::open(text).check();
        report.diagnostics.iter().map(|it| it.help.clone().unwrap_or_default()).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(help(&route("within: 60s", "timeout: 30s")), @"3 attempts of 30s and waits of 0.2s + 0.4s make 1m 30.6s, and `within` is at most 1m; `timeout: 19s` is short enough");
    insta::assert_snapshot!(help(&route("within: 1s", "timeout: 60s  retry: { attempts: 10 }")), @"
10 attempts of 1m and waits of 0.2s + 0.4s + 0.8s + 1.6s + 3.2s + 5s + 5s + 5s + 5s make 10m 26.2s, and `within` is at most 1m; it needs fewer and shorter attempts
10 attempts of 1m and waits of 0.2s + 0.4s + 0.8s + 1.6s + 3.2s + 5s + 5s + 5s + 5s make 10m 26.2s; `every: 11m` is long enough, and so may be a shorter `timeout:`
");
    insta::assert_snapshot!(help(&route("within: 1s", "timeout: 500ms  retry: { attempts: 3  initial: 60s  max: 60s }")), @"3 attempts of 0.5s and waits of 1m + 1m make 2m 1.5s, and `within` is at most 1m; `retry: { attempts: 1 }` is few enough");
    insta::assert_snapshot!(help(&on_workers("timeout: 40s")), @"3s is kept back for giving back what isn't done; `timeout: 27s` is short enough");
}

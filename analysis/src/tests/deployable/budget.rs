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

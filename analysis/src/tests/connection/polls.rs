//! Intervals of a connection, and which of its polls run.

use super::{HEARS, SETTINGS, given};
use crate::tests::{brief, check, fixed, open};

#[test]
fn an_interval_is_a_minute_or_more_of_a_poll_of_the_package() {
    insta::assert_snapshot!(check(&given("polls: { prises: 10m }")), @r#"
[connection.key_invalid] error: package `coinfeed` has no poll `prises`
   ╭─[ app.jadpo:4:108 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { prises: 10m } }
   │                                                                                                            ───┬──
   │                                                                                                               ╰──── did you mean `prices`?
───╯
  fix: write `prices`
"#);
    insta::assert_snapshot!(check(&given("polls: { prices: 30s }")), @r#"
[connection.value_invalid] error: `prices` is a duration of a minute or more, since the tick runs once a minute; `30s` is shorter
   ╭─[ app.jadpo:4:116 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { prices: 30s } }
   │                                                                                                                    ─┬─
   │                                                                                                                     ╰─── write `1m`
───╯
  fix: write `1m` (a choice)
"#);
    insta::assert_snapshot!(check(&given("polls: { prices: }")), @r#"
[connection.value_invalid] error: `prices` has no interval: it takes a duration of a minute or more
   ╭─[ app.jadpo:4:108 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { prices: } }
   │                                                                                                            ───┬──
   │                                                                                                               ╰──── write `1m`
   │
   │ Help: write `prices: 1m`, or leave it out to keep the package's interval
───╯
  fix: write `1m` (a choice)
"#);
    insta::assert_snapshot!(brief(&given("polls: { prices: 10 }")), @"
app.jadpo:4:116 connection.value_invalid `prices` takes a duration of a minute or more, not `10`
  fix: write `1m` (a choice)
");
    insta::assert_snapshot!(brief(&given("polls: { prices: \"10m\" }")), @"
app.jadpo:4:116 connection.value_invalid `prices` takes a duration of a minute or more, not a string
  fix: write `1m` (a choice)
");
    insta::assert_snapshot!(brief(&given("polls: { prices: often }")), @"
app.jadpo:4:116 connection.value_invalid `prices` takes a duration of a minute or more, not `often`
  fix: write `1m` (a choice)
");
    insta::assert_snapshot!(brief(&given("polls: { prices: { every: 10m } }")), @"
app.jadpo:4:116 connection.value_invalid `prices` takes a duration of a minute or more, not a block
  fix: write `1m` (a choice)
");
    insta::assert_snapshot!(brief(&given("polls: { prices: 5min }")), @"
app.jadpo:4:116 syntax.number_invalid `5min` is no number of a known unit
  fix: write `5m`
");
    insta::assert_snapshot!(brief(&given("polls: { prices: 4000d }")), @"
app.jadpo:4:116 connection.value_invalid `prices` is at most `3650d`; `4000d` is longer
  fix: write `3650d` (a choice)
");
    insta::assert_snapshot!(brief(&given("polls: { prices: 1m  prices: 1s }")), @"app.jadpo:4:120 connection.key_duplicate `prices` is given twice");
    insta::assert_snapshot!(brief(&given("polls: { weather: 10m }")), @"app.jadpo:4:108 connection.key_invalid package `coinfeed` has no poll `weather`");
    insta::assert_snapshot!(brief(&given("polls: 10m")), @"app.jadpo:4:106 connection.value_invalid `polls` takes a block of `poll: interval`, not `10m`");
    assert!(fixed(&given("polls: { prices: 59s }")).contains("polls: { prices: 1m }"));
    assert!(fixed(&given("polls: { prices: }")).contains("polls: { prices: 1m }"));
    assert_eq!(brief(&given("polls: { prices: 1m  metals: 3650d }")), "clean");
}

#[test]
fn a_package_without_polls_takes_no_intervals() {
    let text = "app trading { }\nconnection feed { package: p  polls: { a: 1s  b: } }\n\
                //- /p/provider.jadpo\nprovider p { base_url: \"https://p.example\" }\n";
    insta::assert_snapshot!(check(text), @r#"
[connection.key_invalid] error: package `p` has no polls, so none can have another interval
   ╭─[ app.jadpo:2:31 ]
   │
 2 │ connection feed { package: p  polls: { a: 1s  b: } }
   │                               ──┬──
   │                                 ╰──── it takes none
   │
   ├─[ p/provider.jadpo:1:10 ]
   │
 1 │ provider p { base_url: "https://p.example" }
   │          ┬
   │          ╰── the package
───╯
"#);
}

#[test]
fn polls_that_nobody_hears_are_noted() {
    let deaf = given("").replace(HEARS, "");
    insta::assert_snapshot!(check(&deaf), @r#"
[poll.unheard] note: no subscriber hears `coinfeed.PricesChanged` or `coinfeed.MetalsChanged` through `feed`, so its polls `prices` and `metals` never run
    ╭─[ app.jadpo:3:12 ]
    │
  3 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }   }
    │            ──┬─
    │              ╰─── unheard
    │
    ├─[ packages/coinfeed/provider.jadpo:14:9 ]
    │
 14 │         prices: {
    │         ───┬──
    │            ╰──── left out of the plan
    │
 19 │         metals: {
    │         ───┬──
    │            ╰──── left out of the plan
    │
    │ Help: `prices` runs as soon as a subscriber has `on: coinfeed.PricesChanged`
────╯
"#);
    let one = given("polls: { metals: 2m }")
        .replace("[coinfeed.PricesChanged, coinfeed.MetalsChanged]", "coinfeed.PricesChanged");
    insta::assert_snapshot!(check(&one), @r#"
[poll.unheard] note: no subscriber hears `coinfeed.MetalsChanged` through `feed`, so its poll `metals` never runs
    ╭─[ app.jadpo:4:108 ]
    │
  4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { metals: 2m } }
    │                                                                                                            ───┬──
    │                                                                                                               ╰──── unheard
    │
    ├─[ packages/coinfeed/provider.jadpo:19:9 ]
    │
 19 │         metals: {
    │         ───┬──
    │            ╰──── left out of the plan
    │
    │ Help: `metals` runs as soon as a subscriber has `on: coinfeed.MetalsChanged`
────╯
"#);
    let model = open(&one).model().unwrap();
    assert_eq!(model.app.connections["feed"].live_polls.len(), 1);
    let model = open(&deaf).model().unwrap();
    assert_eq!(model.app.connections["feed"].events_store, None);
}

#[test]
fn a_misspelt_event_is_not_an_unheard_poll_too() {
    let text = given("").replace("coinfeed.MetalsChanged", "coinfeed.MetalChanged");
    insta::assert_snapshot!(brief(&text), @"
app.jadpo:3:57 name.unknown package `coinfeed` has no event `MetalChanged`
  fix: write `MetalsChanged`
");
}

#[test]
fn from_narrows_what_runs() {
    let text = given("") + "//- /more.jadpo\n";
    let text = text.replace("MetalsChanged] }", "MetalsChanged]  from: [feed] }");
    let text = format!("{text}connection other {{ package: coinfeed  settings: {{ {SETTINGS} }} }}\n");
    insta::assert_snapshot!(brief(&text), @"more.jadpo:1:12 poll.unheard no subscriber hears `coinfeed.PricesChanged` or `coinfeed.MetalsChanged` through `other`, so its polls `prices` and `metals` never run");
    let model = open(&text).model().unwrap();
    assert_eq!(model.app.connections["other"].live_polls, []);
    assert_eq!(model.app.subscribers["hear"].from, ["feed"]);
}

#[test]
fn polls_that_ask_for_more_than_the_cap_are_warned_of() {
    let busy = given("max_concurrent: 1  polls: { prices: 1m  metals: 1m }")
        .replace("    max_concurrent: 8", "    max_concurrent: 8\n    timeout: 15s");
    insta::assert_snapshot!(check(&busy), @r#"
[connection.overcommitted] warning: the polls of `feed` need 1.52 calls at once at worst, and it may make 1: `metals` takes 45.6s in every 1m, `prices` takes 45.6s in every 1m
   ╭─[ app.jadpo:4:115 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  max_concurrent: 1  polls: { prices: 1m  metals: 1m } }
   │                                                                                                                   ┬
   │                                                                                                                   ╰── write `2`
   │
   │ Help: `max_concurrent: 2` is enough
───╯
  fix: write `2` (a choice)
"#);
    assert!(fixed(&busy).contains("max_concurrent: 2"));
    let just = busy.replace("timeout: 15s", "timeout: 30s\n    retry: { attempts: 1 }");
    assert_eq!(brief(&just), "clean", "one call at once, of two that take half a minute in every minute");
    let packages = given("polls: { prices: 1m  metals: 1m }")
        .replace("    max_concurrent: 8", "    max_concurrent: 1\n    timeout: 15s");
    insta::assert_snapshot!(check(&packages), @r#"
[connection.overcommitted] warning: the polls of `feed` need 1.52 calls at once at worst, and it may make 1: `metals` takes 45.6s in every 1m, `prices` takes 45.6s in every 1m
    ╭─[ app.jadpo:4:12 ]
    │
  4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { prices: 1m  metals: 1m } }
    │            ──┬─
    │              ╰─── here
    │
    ├─[ packages/coinfeed/provider.jadpo:12:5 ]
    │
 12 │     max_concurrent: 1
    │     ───────┬──────
    │            ╰──────── its cap is the package's
    │
    │ Help: `polls: { prices: 4m }` is enough, or fewer or shorter attempts
────╯
"#);
}

#[test]
fn an_interval_shorter_than_the_call_is_warned_of() {
    let text = given("polls: { prices: 1m }").replace("    max_concurrent: 8", "    timeout: 30s");
    insta::assert_snapshot!(check(&text), @r#"
[poll.slower_than_interval] warning: `prices` is called every 1m, but one call can take 1m 30.6s
   ╭─[ app.jadpo:4:116 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  polls: { prices: 1m } }
   │                                                                                                                    ─┬
   │                                                                                                                     ╰── shorter than 1m 30.6s
   │
   │ Help: 3 attempts of 30s and waits of 0.2s + 0.4s make 1m 30.6s; `prices: 2m` is long enough, and so may be a shorter `timeout:`
───╯
  fix: write `2m` (a choice)
"#);
    let capped = given("max_concurrent: 1  polls: { prices: 1m }")
        .replace("    max_concurrent: 8", "    timeout: 30s");
    assert_eq!(open(&capped).check().diagnostics.len(), 1);
    assert!(fixed(&text).contains("polls: { prices: 2m }"));
}

//! `connection`, its live polls and what it keeps.

use super::{brief, check, fixed, open};
use crate::model::{LivePoll, SettingSource, TypeRef};

/// A package with settings of every kind, two polls, a cap and something to call.
const PACKAGE: &str = r#"
//- /packages/coinfeed/provider.jadpo
provider coinfeed {
    base_url: "http://{settings.host}"
    settings: {
        host: Text { default: "127.0.0.1" }
        api_key: Secret
        currency: Currency
        depth: Int { min: 1  max: 50  default: 10 }
        side: Side?
        proxy: Url?
    }
    auth: bearer(settings.api_key)
    max_concurrent: 8
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
        metals: {
            call: fetch_metals
            every: 10m
            emits: MetalsChanged
        }
    }
}

operation fetch_prices {
    method: GET
    path: "/v1/prices"
    output: Prices
}

operation fetch_metals {
    method: GET
    path: "/v1/metals"
    output: Metals
}

public operation fetch_note {
    method: GET
    path: "/v1/note"
    output: Note
}

public type Currency = Text { min_length: 3  max_length: 3 }
public type Side = Enum { buy  sell as "SELL" }
public type Note = Object { text: Text }
type Prices = Object { btc: Decimal }
type Metals = Object { gold: Decimal }
public type PricesChanged = Event { btc: Decimal }
public type MetalsChanged = Event { gold: Decimal }
"#;

const STORE: &str = "app trading { }\nstore main { engine: sqlite(\"x.db\") }\n";
const HEARS: &str = "subscriber hear { on: [coinfeed.PricesChanged, coinfeed.MetalsChanged] }\n";
const SETTINGS: &str = "api_key: env(\"COINFEED_KEY\")  currency: \"usd\"";

/// An app with a connection of this body, a store and a subscriber of both polls.
fn with(body: &str) -> String {
    format!("{STORE}{HEARS}connection feed {{ {body} }}\n{PACKAGE}")
}

/// The same, with the settings that the package needs.
fn given(body: &str) -> String {
    with(&format!("package: coinfeed  settings: {{ {SETTINGS} }}  {body}"))
}

#[test]
fn a_connection_is_read_with_what_its_package_says() {
    let text = with(
        "package: coinfeed  settings: { api_key: env(\"COINFEED_KEY\")  currency: \"usd\"  side: sell  depth: 5 }  \
         polls: { metals: 2m }  events: { keep: 7d }  plain_http: true",
    );
    assert_eq!(brief(&text), "clean");
    let model = open(&text).model().unwrap();
    let feed = &model.app.connections["feed"];
    assert_eq!((feed.max_concurrent, feed.events_store.as_deref()), (Some(8), Some("main")));
    assert_eq!((feed.keep_ms, feed.plain_http), (7 * 86_400_000, true));
    let literal = |json: &str| SettingSource::Literal(json.to_owned());
    assert_eq!(feed.settings["api_key"], SettingSource::Env("COINFEED_KEY".to_owned()));
    assert_eq!(feed.settings["currency"], literal("\"usd\""));
    assert_eq!(feed.settings["side"], literal("\"SELL\""));
    assert_eq!(feed.settings["depth"], literal("5"));
    assert!(!feed.settings.contains_key("host"));
    let poll = |name: &str, operation: &str, every_ms, event: &str| LivePoll {
        name: name.to_owned(),
        operation: operation.to_owned(),
        every_ms,
        event: TypeRef { package: Some("coinfeed".to_owned()), name: event.to_owned() },
    };
    assert_eq!(
        feed.live_polls,
        [
            poll("metals", "fetch_metals", 120_000, "MetalsChanged"),
            poll("prices", "fetch_prices", 300_000, "PricesChanged")
        ]
    );
}

#[test]
fn an_unknown_package_is_the_only_thing_said() {
    let text = with("package: coinfed  settings: { x: 1 }  polls: { y: 1s }  max_concurrent: 99");
    insta::assert_snapshot!(check(&text), @"
[connection.package_unknown] error: there is no package `coinfed`
   ╭─[ app.jadpo:4:28 ]
   │
 4 │ connection feed { package: coinfed  settings: { x: 1 }  polls: { y: 1s }  max_concurrent: 99 }
   │                            ───┬───
   │                               ╰───── did you mean `coinfeed`?
───╯
  fix: write `coinfeed`
");
    insta::assert_snapshot!(brief(&with("package: nowhere").replace("coinfeed.", "nowhere.")), @"app.jadpo:4:28 connection.package_unknown there is no package `nowhere`");
}

#[test]
fn a_package_that_could_not_be_found_is_not_unknown_too() {
    insta::assert_snapshot!(
        brief("app trading { packages: [\"../shared\"] }\nconnection feed { package: coinfeed }\n"),
        @"app.jadpo:1:26 app.value_invalid there is no package at `../shared`"
    );
    insta::assert_snapshot!(
        brief("app trading { }\nconnection feed { package: coinfeed }\n//- /p/provider.jadpo\nprovider { }\n"),
        @"p/provider.jadpo:1:10 syntax.expected expected a name, found `{`"
    );
}

#[test]
fn settings_that_are_needed_are_asked_for_at_once() {
    insta::assert_snapshot!(check(&with("package: coinfeed")), @r#"
[connection.key_missing] error: `feed` gives no value to the settings `api_key` and `currency` of package `coinfeed`
   ╭─[ app.jadpo:4:12 ]
   │
 4 │ connection feed { package: coinfeed }
   │            ──┬─
   │              ╰─── give `api_key` and `currency`
   │
   ├─[ packages/coinfeed/provider.jadpo:5:9 ]
   │
 5 │         api_key: Secret
   │         ───┬───
   │            ╰───── declared here, without a default
   │
   │ Help: write `api_key: env("FEED_API_KEY")  currency: env("FEED_CURRENCY")` in `settings`
───╯
  fix: give `api_key` and `currency` (a choice)
"#);
    insta::assert_snapshot!(brief(&with("package: coinfeed  settings: { currency: \"usd\" }")), @"
app.jadpo:4:38 connection.key_missing `feed` gives no value to the setting `api_key` of package `coinfeed`
  fix: give `api_key` (a choice)
");
    insta::assert_snapshot!(brief(&with("package: coinfeed  settings: { }")), @"
app.jadpo:4:38 connection.key_missing `feed` gives no value to the settings `api_key` and `currency` of package `coinfeed`
  fix: give `api_key` and `currency` (a choice)
");
    let repaired = fixed(&with("package: coinfeed  settings: { currency: \"usd\" }"));
    assert!(
        repaired.contains("settings: { currency: \"usd\"  api_key: env(\"FEED_API_KEY\") }"),
        "{repaired}"
    );
    let repaired = fixed(&with("package: coinfeed"));
    assert_eq!(brief(&format!("{repaired}{PACKAGE}")), "clean");
}

#[test]
fn a_misspelt_setting_is_not_a_missing_one_too() {
    insta::assert_snapshot!(check(&with("package: coinfeed  settings: { api_kye: env(\"K\")  currency: \"usd\" }")), @r#"
[connection.key_invalid] error: package `coinfeed` has no setting `api_kye`
   ╭─[ app.jadpo:4:50 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_kye: env("K")  currency: "usd" } }
   │                                                  ───┬───
   │                                                     ╰───── did you mean `api_key`?
───╯
  fix: write `api_key`
"#);
    insta::assert_snapshot!(brief(&given("").replace("currency: \"usd\"", "currency: \"usd\"  colour: 1")), @"app.jadpo:4:97 connection.key_invalid package `coinfeed` has no setting `colour`");
}

#[test]
fn a_package_without_settings_takes_none() {
    let text = "app trading { }\nconnection feed { package: p  settings: { x: 1  y: 2 } }\n\
                //- /p/provider.jadpo\nprovider p { base_url: \"https://p.example\" }\n";
    insta::assert_snapshot!(check(text), @r#"
[connection.key_invalid] error: package `p` has no settings
   ╭─[ app.jadpo:2:31 ]
   │
 2 │ connection feed { package: p  settings: { x: 1  y: 2 } }
   │                               ────┬───
   │                                   ╰───── it takes none
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
fn a_secret_is_never_written_down() {
    let text = given("").replace("env(\"COINFEED_KEY\")", "\"hunter2\"");
    insta::assert_snapshot!(check(&text), @r#"
[connection.value_invalid] error: `api_key` is a `Secret`, which is never written down
   ╭─[ app.jadpo:4:59 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: "hunter2"  currency: "usd" }   }
   │                                                           ────┬────
   │                                                               ╰────── write `env("FEED_API_KEY")`
   │
   ├─[ packages/coinfeed/provider.jadpo:5:9 ]
   │
 5 │         api_key: Secret
   │         ───┬───
   │            ╰───── declared here
   │
   │ Help: `env("FEED_API_KEY")` reads it from the environment at start-up
───╯
  fix: write `env("FEED_API_KEY")` (a choice)
"#);
    assert!(fixed(&text).contains("api_key: env(\"FEED_API_KEY\")"));
}

#[test]
fn a_literal_is_read_by_the_type_of_its_setting() {
    let wrong =
        |entry: &str| brief(&given("").replace("currency: \"usd\"", &format!("currency: \"usd\"  {entry}")));
    insta::assert_snapshot!(check(&given("").replace("\"usd\"", "\"euro\"")), @r#"
[connection.value_invalid] error: `currency` takes a string of 3 characters, not "euro"
   ╭─[ app.jadpo:4:90 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "euro" }   }
   │                                                                                          ───┬──
   │                                                                                             ╰──── here
   │
   ├─[ packages/coinfeed/provider.jadpo:6:9 ]
   │
 6 │         currency: Currency
   │         ────┬───
   │             ╰───── declared here as `Currency`
───╯
"#);
    insta::assert_snapshot!(wrong("depth: 51"), @"app.jadpo:4:104 connection.value_invalid `depth` takes a whole number from 1 to 50, not `51`");
    insta::assert_snapshot!(wrong("depth: \"5\""), @r#"app.jadpo:4:104 connection.value_invalid `depth` takes a whole number from 1 to 50, not "5""#);
    insta::assert_snapshot!(wrong("side: SELL"), @"
app.jadpo:4:103 connection.value_invalid `side` takes one of `buy`, `sell`, not `SELL`
  fix: write `sell`
");
    insta::assert_snapshot!(wrong("side: \"SELL\""), @r#"
app.jadpo:4:103 connection.value_invalid `side` takes one of `buy`, `sell`, not "SELL"
  fix: write `sell`
"#);
    insta::assert_snapshot!(wrong("proxy: \"example\""), @r#"app.jadpo:4:104 connection.value_invalid `proxy` takes an absolute URL, such as "https://example.com/", not "example""#);
    insta::assert_snapshot!(wrong("side: "), @r#"
app.jadpo:4:97 connection.value_invalid `side` has no value
  fix: write `env("FEED_SIDE")` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: evn(\"DEPTH\")"), @r#"
app.jadpo:4:104 connection.value_invalid `depth` takes a value or `env("NAME")`, not `evn(…)`
  fix: write `env`
"#);
    insta::assert_snapshot!(wrong("depth: env(DEPTH)"), @r#"
app.jadpo:4:108 connection.value_invalid `env` takes the name of one environment variable, as a string
  fix: write `"DEPTH"` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: env()"), @r#"
app.jadpo:4:104 connection.value_invalid `env` takes the name of one environment variable, as a string
  fix: write `env("FEED_DEPTH")` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: env(\"A B\")"), @r#"app.jadpo:4:108 connection.value_invalid no environment variable can be called "A B""#);
    insta::assert_snapshot!(wrong("depth: 5min"), @"
app.jadpo:4:104 syntax.number_invalid `5min` is no number of a known unit
  fix: write `5m`
");
    insta::assert_snapshot!(wrong("depth: 5  depth: 6"), @"app.jadpo:4:107 connection.key_duplicate `depth` is given twice");
    assert_eq!(wrong("proxy: \"https://proxy.example\"  side: buy  depth: env(\"DEPTH\")"), "clean");
}

#[test]
fn a_cap_may_only_lower_the_packages() {
    insta::assert_snapshot!(check(&given("max_concurrent: 16")), @r#"
[connection.value_invalid] error: `feed` allows 16 calls at once, and package `coinfeed` at most 8: a connection may only lower it
    ╭─[ app.jadpo:4:115 ]
    │
  4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  max_concurrent: 16 }
    │                                                                                                                   ─┬
    │                                                                                                                    ╰── write `8`
    │
    ├─[ packages/coinfeed/provider.jadpo:12:5 ]
    │
 12 │     max_concurrent: 8
    │     ───────┬──────
    │            ╰──────── the package's cap is 8
────╯
  fix: write `8`
"#);
    assert!(fixed(&given("max_concurrent: 9")).contains("max_concurrent: 8 }"));
    assert_eq!(brief(&given("max_concurrent: 8")), "clean");
    insta::assert_snapshot!(brief(&given("max_concurrent: 0")), @"
app.jadpo:4:115 connection.value_invalid `max_concurrent` takes a whole number of at least 1, not `0`
  fix: write `1` (a choice)
");
    let uncapped = given("max_concurrent: 4000").replace("    max_concurrent: 8\n", "");
    assert_eq!(brief(&uncapped), "clean");
    assert_eq!(open(&uncapped).model().unwrap().app.connections["feed"].max_concurrent, Some(4000));
    let open_ended = given("").replace("    max_concurrent: 8\n", "");
    assert_eq!(open(&open_ended).model().unwrap().app.connections["feed"].max_concurrent, None);
}

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
fn what_a_broken_provider_lacks_is_not_said() {
    let text = given("polls: { metals: 2m }").replace("    max_concurrent: 8", "    max_concurrent 8");
    let found = open(&text).check().diagnostics;
    assert_eq!(found.len(), 1, "{}", brief(&text));
    assert!(found[0].code.text().starts_with("syntax."));
}

#[test]
fn plain_http_needs_a_host_from_a_setting() {
    assert_eq!(brief(&given("plain_http: true")), "clean");
    let fixed_host = given("plain_http: true").replace("http://{settings.host}", "http://localhost");
    insta::assert_snapshot!(check(&fixed_host), @r#"
[connection.value_invalid] error: `plain_http` allows nothing here: `base_url` of package `coinfeed` takes its host from no setting
   ╭─[ app.jadpo:4:111 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }  plain_http: true }
   │                                                                                                               ──┬─
   │                                                                                                                 ╰─── leave it out
   │
   ├─[ packages/coinfeed/provider.jadpo:2:5 ]
   │
 2 │     base_url: "http://localhost"
   │     ────┬───
   │         ╰───── the package's address
───╯
"#);
    let secure = given("plain_http: true").replace("http://{", "https://{");
    insta::assert_snapshot!(brief(&secure), @"app.jadpo:4:111 connection.value_invalid `plain_http` allows nothing here: `base_url` of package `coinfeed` is `https`");
    assert_eq!(brief(&secure.replace("plain_http: true", "plain_http: false")), "clean");
}

#[test]
fn events_need_a_store() {
    let two = format!("store other {{ engine: sqlite(\"y.db\") }}\n{}", given(""))
        .replace("MetalsChanged] }", "MetalsChanged]  store: main }");
    insta::assert_snapshot!(check(&two), @r#"
[event.store_required] error: `feed` keeps events, and does not say in which store
   ╭─[ app.jadpo:5:12 ]
   │
 5 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }   }
   │            ──┬─
   │              ╰─── needs a store
   │
   │ Help: write `events: { store: other }`; the app's stores are `other` and `main`
───╯
  fix: keep them in `other` (a choice)
  fix: keep them in `main` (a choice)
"#);
    let none = given("").replace("store main { engine: sqlite(\"x.db\") }\n", "");
    insta::assert_snapshot!(check(&none), @r#"
[event.store_required] error: `feed` keeps events, and the app has no store
   ╭─[ app.jadpo:3:12 ]
   │
 3 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "usd" }   }
   │            ──┬─
   │              ╰─── needs a store
   │
   │ Help: declare one: `store main { engine: sqlite("data/app.db") }`
───╯
"#);
    insta::assert_snapshot!(brief(&given("events: { store: mian }")), @"
app.jadpo:4:116 name.unknown there is no store `mian`
  fix: write `main`
");
    insta::assert_snapshot!(brief(&given("events: { store: }")), @"app.jadpo:4:109 connection.value_invalid `store` has no value: it takes the name of a store");
    let named = two.replace("connection feed {", "connection feed { events: { store: main } ");
    assert_eq!(brief(&named), "clean");
}

#[test]
fn events_are_kept_as_long_as_their_store_says() {
    let text = given("").replace("sqlite(\"x.db\")", "sqlite(\"x.db\")  keep: 3d");
    assert_eq!(open(&text).model().unwrap().app.connections["feed"].keep_ms, 3 * 86_400_000);
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
fn no_connection_is_called_origin() {
    let text = given("").replace("connection feed", "connection origin");
    insta::assert_snapshot!(brief(&text), @"app.jadpo:4:12 connection.value_invalid no connection can be called `origin`");
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

#[test]
fn what_is_put_in_stands_as_its_neighbours_do() {
    let lines = |body: &str| {
        let repaired = fixed(&with("X").replace("{ X }", body));
        repaired.split_once("connection feed ").unwrap().1.to_owned()
    };
    insta::assert_snapshot!(lines("{\n    package: coinfeed\n}"), @r#"
{
    package: coinfeed
    settings: { api_key: env("FEED_API_KEY")  currency: env("FEED_CURRENCY") }
}
"#);
    insta::assert_snapshot!(lines("{\n    package: coinfeed\n    settings: {\n        currency: \"usd\"\n    }\n}"), @r#"
{
    package: coinfeed
    settings: {
        currency: "usd"
        api_key: env("FEED_API_KEY")
    }
}
"#);
    insta::assert_snapshot!(lines("{ package: coinfeed  settings: { } }"), @r#"{ package: coinfeed  settings: { api_key: env("FEED_API_KEY")  currency: env("FEED_CURRENCY") } }"#);
}

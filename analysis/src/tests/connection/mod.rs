//! `connection`, its live polls and what it keeps.

mod polls;
mod settings;

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
fn no_connection_is_called_origin() {
    let text = given("").replace("connection feed", "connection origin");
    insta::assert_snapshot!(brief(&text), @"app.jadpo:4:12 connection.value_invalid no connection can be called `origin`");
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

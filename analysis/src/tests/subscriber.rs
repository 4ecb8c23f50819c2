//! `subscriber`.

use super::{brief, check, fixed, open};

const PACKAGES: &str = r#"
//- /packages/coinfeed/provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
    }
}

operation fetch_prices {
    method: GET
    path: "/v1/prices"
    output: Prices
}

public operation fetch_note {
    method: GET
    path: "/v1/note"
    output: Note
}

public type Note = Object { text: Text }
type Prices = Object { btc: Decimal }
public type PricesChanged = Event { btc: Decimal }
type Hidden = Event { btc: Decimal }
//- /packages/weather/provider.jadpo
provider weather {
    base_url: "https://api.weather.example"
    polls: {
        now: {
            call: fetch_now
            every: 5m
            emits: RainStarted
        }
    }
}

operation fetch_now {
    method: GET
    path: "/now"
    output: Now
}

type Now = Object { millimetres: Decimal }
public type RainStarted = Event { millimetres: Decimal }
"#;

/// An app with a store, connections to both packages, events of its own and one subscriber of this body.
fn with(body: &str) -> String {
    format!(
        "app trading {{ }}\n\
         store main {{ engine: sqlite(\"x.db\") }}\n\
         connection feed {{ package: coinfeed }}\n\
         connection sky {{ package: weather }}\n\
         subscriber rest {{ on: [coinfeed.PricesChanged, weather.RainStarted] }}\n\
         type Traded = Event {{ amount: Decimal }}\n\
         type Row = Object {{ amount: Decimal }}\n\
         subscriber hear {{ {body} }}\n{PACKAGES}"
    )
}

#[test]
fn a_subscriber_is_read_with_its_defaults() {
    let text =
        with("on: [weather.RainStarted, coinfeed.PricesChanged]  uses: [origin, feed]  emits: [Traded]");
    let model = open(&text).model().unwrap();
    let hear = &model.app.subscribers["hear"];
    let on: Vec<_> = hear.on.iter().map(|event| &*event.name).collect();
    assert_eq!(on, ["RainStarted", "PricesChanged"]);
    assert_eq!(
        (&hear.from[..], &hear.uses[..], hear.uses_origin),
        (&["feed".to_owned(), "sky".to_owned()][..], &["feed".to_owned()][..], true)
    );
    assert_eq!((&*hear.store, hear.within_ms), ("main", 86_400_000));
    assert_eq!((hear.retry.attempts, hear.retry.initial_ms, hear.retry.max_ms), (8, 5_000, 3_600_000));
    assert_eq!(hear.emits.len(), 1);
}

#[test]
fn an_event_that_is_not_there_offers_the_nearest() {
    insta::assert_snapshot!(check(&with("on: coinfeed.PriceChanged")), @"
[name.unknown] error: package `coinfeed` has no event `PriceChanged`
   ╭─[ app.jadpo:8:32 ]
   │
 8 │ subscriber hear { on: coinfeed.PriceChanged }
   │                                ──────┬─────
   │                                      ╰─────── did you mean `PricesChanged`?
───╯
  fix: write `PricesChanged`
");
    insta::assert_snapshot!(brief(&with("on: coinfed.PricesChanged")), @"
app.jadpo:8:23 name.unknown there is no package `coinfed`
  fix: write `coinfeed`
");
    insta::assert_snapshot!(brief(&with("on: Trade")), @"
app.jadpo:8:23 name.unknown the app has no event `Trade`
  fix: write `Traded`
");
    insta::assert_snapshot!(brief(&with("on: PricesChanged")), @"
app.jadpo:8:23 name.unknown the app has no event `PricesChanged`
  fix: write `coinfeed.PricesChanged`
");
    insta::assert_snapshot!(brief(&with("on: [coinfeed.PricesChanged, Nothing]")), @"app.jadpo:8:48 name.unknown the app has no event `Nothing`");
    insta::assert_snapshot!(brief(&with("on: a.b.C")), @"app.jadpo:8:23 subscriber.value_invalid an event is written `Name`, and one of a package `package.Name`");
    assert!(fixed(&with("on: PricesChanged")).contains("hear { on: coinfeed.PricesChanged }"));
}

#[test]
fn only_public_events_are_heard() {
    insta::assert_snapshot!(check(&with("on: coinfeed.Hidden")), @"
[subscriber.value_invalid] error: `Hidden` is private to package `coinfeed`
    ╭─[ app.jadpo:8:32 ]
    │
  8 │ subscriber hear { on: coinfeed.Hidden }
    │                                ───┬──
    │                                   ╰──── private
    │
    ├─[ packages/coinfeed/provider.jadpo:27:6 ]
    │
 27 │ type Hidden = Event { btc: Decimal }
    │      ───┬──
    │         ╰──── declared here without `public`
    │
    │ Help: an app hears only the public events of a package
────╯
");
    insta::assert_snapshot!(check(&with("on: coinfeed.Note")), @"
[subscriber.value_invalid] error: `Note` is an Object, and only an Event is heard or emitted
    ╭─[ app.jadpo:8:32 ]
    │
  8 │ subscriber hear { on: coinfeed.Note }
    │                                ──┬─
    │                                  ╰─── here
    │
    ├─[ packages/coinfeed/provider.jadpo:24:13 ]
    │
 24 │ public type Note = Object { text: Text }
    │             ──┬─
    │               ╰─── declared here as an Object
────╯
");
    insta::assert_snapshot!(brief(&with("on: Row")), @"app.jadpo:8:23 subscriber.value_invalid `Row` is an Object, and only an Event is heard or emitted");
    insta::assert_snapshot!(brief(&with("on: []")), @"app.jadpo:8:23 subscriber.value_invalid `hear` hears no event");
    insta::assert_snapshot!(brief(&with("on: [coinfeed.PricesChanged, coinfeed.PricesChanged]")), @"app.jadpo:8:48 subscriber.value_invalid `coinfeed.PricesChanged` stands twice in `on`");
    insta::assert_snapshot!(brief(&with("within: 1h")), @"app.jadpo:8:12 subscriber.key_missing a subscriber needs `on`");
}

#[test]
fn a_poll_of_a_private_event_is_one_mistake() {
    let text = with("on: coinfeed.PricesChanged").replace("public type PricesChanged", "type PricesChanged");
    let codes: Vec<_> = open(&text).check().diagnostics.iter().map(|it| it.code.text()).collect();
    assert_eq!(codes, ["package.provider_invalid"]);
}

#[test]
fn an_event_of_a_package_comes_through_a_connection() {
    let text = with("on: weather.RainStarted")
        .replace("connection sky { package: weather }\n", "")
        .replace("PricesChanged, weather.RainStarted]", "PricesChanged]");
    insta::assert_snapshot!(check(&text), @"
[subscriber.value_invalid] error: no connection uses package `weather`, so its `RainStarted` comes from nowhere
   ╭─[ app.jadpo:7:23 ]
   │
 7 │ subscriber hear { on: weather.RainStarted }
   │                       ───┬───
   │                          ╰───── no connection
   │
   │ Help: declare one: `connection weather { package: weather }`
───╯
");
    let misspelt = with("on: weather.RainStarted").replace("package: weather", "package: wether");
    insta::assert_snapshot!(brief(&misspelt), @"
app.jadpo:4:27 connection.package_unknown there is no package `wether`
  fix: write `weather`
");
    let twice = with("on: wether.RainStarted").replace("package: weather", "package: wether");
    insta::assert_snapshot!(brief(&twice), @"
app.jadpo:4:27 connection.package_unknown there is no package `wether`
  fix: write `weather`
");
}

#[test]
fn from_names_connections_to_the_packages_of_on() {
    assert_eq!(brief(&with("on: coinfeed.PricesChanged  from: [feed]")), "clean");
    insta::assert_snapshot!(check(&with("on: coinfeed.PricesChanged  from: [sky]")), @"
[subscriber.value_invalid] error: `sky` is a connection to package `weather`, of which `on` names no event
   ╭─[ app.jadpo:8:54 ]
   │
 4 │ connection sky { package: weather }
   │                  ───┬───
   │                     ╰───── its package
   │
 8 │ subscriber hear { on: coinfeed.PricesChanged  from: [sky] }
   │                                                      ─┬─
   │                                                       ╰─── did you mean `feed`?
───╯
  fix: write `feed`
");
    insta::assert_snapshot!(check(&with("on: [coinfeed.PricesChanged, weather.RainStarted]  from: [sky]")), @"
[subscriber.value_invalid] error: `from` names no connection to package `coinfeed`, whose `PricesChanged` is in `on`
   ╭─[ app.jadpo:8:76 ]
   │
 8 │ subscriber hear { on: [coinfeed.PricesChanged, weather.RainStarted]  from: [sky] }
   │                                                                            ──┬──
   │                                                                              ╰──── write `[sky, feed]`
   │
   │ Help: add `feed`
───╯
  fix: write `[sky, feed]`
");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  from: []")), @"
app.jadpo:8:53 subscriber.value_invalid `from` names no connection to package `coinfeed`, whose `PricesChanged` is in `on`
  fix: write `[feed]`
");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  from: [fed]")), @"
app.jadpo:8:54 name.unknown there is no connection `fed`
  fix: write `feed`
");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  from: feed")), @"
app.jadpo:8:53 subscriber.value_invalid `from` takes a list of connections, not `feed`
  fix: write `[feed]`
");
    insta::assert_snapshot!(brief(&with("on: Traded  from: [feed]")), @"app.jadpo:8:37 subscriber.value_invalid `from` narrows nothing: `on` names events of the app alone, which come through no connection");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PriceChanged  from: [sky]")), @"
app.jadpo:8:32 name.unknown package `coinfeed` has no event `PriceChanged`
  fix: write `PricesChanged`
");
    assert!(
        fixed(&with("on: [coinfeed.PricesChanged, weather.RainStarted]  from: [sky]"))
            .contains("from: [sky, feed]")
    );
}

#[test]
fn uses_names_connections_with_something_to_call() {
    assert_eq!(brief(&with("on: coinfeed.PricesChanged  uses: [feed]")), "clean");
    assert_eq!(brief(&with("on: coinfeed.PricesChanged  uses: [origin]")), "clean");
    assert_eq!(brief(&with("on: Traded  uses: [feed]")), "clean");
    insta::assert_snapshot!(check(&with("on: coinfeed.PricesChanged  uses: [sky]")), @"
[uses.nothing_callable] note: `sky` has nothing to call: package `weather` has no public operation
   ╭─[ app.jadpo:8:54 ]
   │
 8 │ subscriber hear { on: coinfeed.PricesChanged  uses: [sky] }
   │                                                      ─┬─
   │                                                       ╰─── changes nothing
   │
   ├─[ packages/weather/provider.jadpo:1:10 ]
   │
 1 │ provider weather {
   │          ───┬───
   │             ╰───── its operations are for its own polls
   │
   │ Help: leave it out of `uses`, or make an operation of the package `public`
───╯
");
    insta::assert_snapshot!(brief(&with("on: weather.RainStarted  uses: [origin]")), @"app.jadpo:8:51 uses.nothing_callable `origin` has nothing to call: package `weather` has no public operation");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  uses: [fed, orign]")), @"
app.jadpo:8:54 name.unknown there is no connection `fed`
  fix: write `feed`
app.jadpo:8:59 name.unknown there is no connection `orign`
  fix: write `origin`
");
    insta::assert_snapshot!(check(&with("on: Traded  uses: [origin]")), @"
[subscriber.value_invalid] error: `origin` is the connection that an event came through, and none of `on` comes through one
   ╭─[ app.jadpo:8:38 ]
   │
 8 │ subscriber hear { on: Traded  uses: [origin] }
   │                                      ───┬──
   │                                         ╰──── comes through none
   │
   │ Help: name a connection, or leave `origin` out
───╯
");
}

#[test]
fn emits_names_events_of_the_app() {
    assert_eq!(brief(&with("on: coinfeed.PricesChanged  emits: [Traded]")), "clean");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  emits: [Trade]")), @"
app.jadpo:8:55 name.unknown the app has no event `Trade`
  fix: write `Traded`
");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  emits: [Row]")), @"app.jadpo:8:55 subscriber.value_invalid `Row` is an Object, and only an Event is heard or emitted");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  emits: [coinfeed.PricesChanged]")), @"app.jadpo:8:55 subscriber.value_invalid `emits` takes a list of events of the app, not `coinfeed.PricesChanged`");
    let sent = with("on: coinfeed.PricesChanged  emits: [Traded]")
        .replace("Event { amount", "Event { wire_name: \"t\"  amount");
    insta::assert_snapshot!(brief(&sent), @"app.jadpo:8:55 subscriber.value_invalid `Traded` has a `wire_name`, so a provider sends it and no app emits it");
}

/// The same app with two stores, where the connections keep their events in `main`.
fn with_stores(body: &str) -> String {
    with(body)
        .replace("store main", "store other { engine: sqlite(\"y.db\") }\nstore main")
        .replace("{ package: coinfeed }", "{ package: coinfeed  events: { store: main } }")
        .replace("{ package: weather }", "{ package: weather  events: { store: main } }")
        .replace("weather.RainStarted] }", "weather.RainStarted]  store: main }")
}

#[test]
fn a_subscriber_writes_the_store_that_keeps_its_events() {
    assert_eq!(brief(&with_stores("on: coinfeed.PricesChanged  store: main")), "clean");
    insta::assert_snapshot!(check(&with_stores("on: coinfeed.PricesChanged")), @"
[subscriber.store_required] error: `hear` does not say in which store it writes
   ╭─[ app.jadpo:9:12 ]
   │
 9 │ subscriber hear { on: coinfeed.PricesChanged }
   │            ──┬─
   │              ╰─── needs a store
   │
   │ Help: write `store: main`; the app's stores are `other` and `main`
───╯
  fix: write `store: main`
");
    insta::assert_snapshot!(check(&with_stores("on: coinfeed.PricesChanged  store: other")), @"
[subscriber.value_invalid] error: `hear` writes `other`, and `feed` keeps its events in `main`
   ╭─[ app.jadpo:9:54 ]
   │
 4 │ connection feed { package: coinfeed  events: { store: main } }
   │                                                ──┬──
   │                                                  ╰──── kept in `main`
   │
 9 │ subscriber hear { on: coinfeed.PricesChanged  store: other }
   │                                                      ──┬──
   │                                                        ╰──── write `main`
   │
   │ Help: a subscriber writes the store that keeps its events: both are one transaction
───╯
  fix: write `main` (a choice)
");
    insta::assert_snapshot!(brief(&with_stores("on: coinfeed.PricesChanged  store: othr")), @"
app.jadpo:9:54 name.unknown there is no store `othr`
  fix: write `other`
");
    let narrowed = with_stores("on: [coinfeed.PricesChanged, weather.RainStarted]  store: main")
        .replace("package: weather  events: { store: main }", "package: weather  events: { store: other }")
        .replace(
            "subscriber rest { on: [coinfeed.PricesChanged, weather.RainStarted]",
            "subscriber rest { on: coinfeed.PricesChanged",
        );
    insta::assert_snapshot!(brief(&narrowed), @"
app.jadpo:9:77 subscriber.value_invalid `hear` writes `main`, and `sky` keeps its events in `other`
  fix: write `other` (a choice)
");
}

#[test]
fn an_emitted_event_is_heard_from_the_store_of_who_emits_it() {
    let text = with_stores("on: Traded  store: other")
        .replace("store: main }\n", "store: main  emits: [Traded] }\n");
    insta::assert_snapshot!(check(&text), @"
[subscriber.value_invalid] error: `hear` writes `other`, and `rest` emits `Traded` in `main`
   ╭─[ app.jadpo:9:38 ]
   │
 6 │ subscriber rest { on: [coinfeed.PricesChanged, weather.RainStarted]  store: main  emits: [Traded] }
   │                                                                                   ──┬──
   │                                                                                     ╰──── kept in `main`
   │
 9 │ subscriber hear { on: Traded  store: other }
   │                                      ──┬──
   │                                        ╰──── write `main`
   │
   │ Help: a subscriber writes the store that keeps its events: both are one transaction
───╯
  fix: write `main` (a choice)
");
    assert_eq!(brief(&text.replace("on: Traded  store: other", "on: Traded  store: main")), "clean");
}

#[test]
fn without_any_store_the_connections_say_it_alone() {
    let none = |body: &str| with(body).replace("store main { engine: sqlite(\"x.db\") }\n", "");
    insta::assert_snapshot!(brief(&none("on: Traded")), @"
app.jadpo:2:12 event.store_required `feed` keeps events, and the app has no store
app.jadpo:3:12 event.store_required `sky` keeps events, and the app has no store
");
    let alone = "app trading { }\ntype Traded = Event { amount: Decimal }\nsubscriber hear { on: Traded }\n";
    insta::assert_snapshot!(check(alone), @r#"
[subscriber.store_required] error: `hear` needs a store, and the app has none
   ╭─[ app.jadpo:3:12 ]
   │
 3 │ subscriber hear { on: Traded }
   │            ──┬─
   │              ╰─── needs a store
   │
   │ Help: declare one: `store main { engine: sqlite("data/app.db") }`
───╯
"#);
}

#[test]
fn waits_are_in_order() {
    insta::assert_snapshot!(check(&with("on: Traded  retry: { initial: 10s  max: 5s }")), @"
[subscriber.value_invalid] error: `initial` of `10s` is longer than `max` of `5s`
   ╭─[ app.jadpo:8:49 ]
   │
 8 │ subscriber hear { on: Traded  retry: { initial: 10s  max: 5s } }
   │                                                 ─┬─       ─┬
   │                                                  ╰──────────── write `5s`
   │                                                            │
   │                                                            ╰── the longest wait
───╯
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { max: 1s }")), @"
app.jadpo:8:45 subscriber.value_invalid `max` of `1s` is shorter than `initial`, `5s` by default
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { initial: 2h }")), @"
app.jadpo:8:49 subscriber.value_invalid `initial` of `2h` is longer than `max`, `1h` by default
  fix: write `1h` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { attempts: 0 }")), @"
app.jadpo:8:50 subscriber.value_invalid `attempts` takes a whole number from 1 to 50, not `0`
  fix: write `1` (a choice)
");
    assert_eq!(brief(&with("on: Traded  retry: { initial: 5s  max: 5s }")), "clean");
}

#[test]
fn attempts_that_within_cuts_off_are_warned_of() {
    insta::assert_snapshot!(check(&with("on: Traded  within: 5m  retry: { attempts: 8  initial: 5s  max: 10m }")), @"
[subscriber.retries_unreachable] warning: at the longest waits attempt 8 of `hear` comes 10m 35s after the event (5s + 10s + 20s + … + 5m 20s), and `within` ends after 5m
   ╭─[ app.jadpo:8:39 ]
   │
 8 │ subscriber hear { on: Traded  within: 5m  retry: { attempts: 8  initial: 5s  max: 10m } }
   │                                       ─┬
   │                                        ╰── write `11m`
   │
   │ Help: `within: 11m` is enough, or `attempts: 6`
───╯
  fix: write `11m` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  within: 635s")), @"
app.jadpo:8:39 subscriber.retries_unreachable at the longest waits attempt 8 of `hear` comes 10m 35s after the event (5s + 10s + 20s + … + 5m 20s), and `within` ends after 10m 35s
  fix: write `11m` (a choice)
");
    assert_eq!(brief(&with("on: Traded  within: 636s")), "clean");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { attempts: 50 }")), @"
app.jadpo:8:50 subscriber.retries_unreachable at the longest waits attempt 50 of `hear` comes 1d 16h after the event (5s + 10s + 20s + … + 1h), and `within` ends after 1d
  fix: write `33` (a choice)
");
    insta::assert_snapshot!(brief(&with("on: Traded  retry: { initial: 1h }")), @"clean");
    assert_eq!(brief(&with("on: Traded  within: 1s  retry: { attempts: 1 }")), "clean");
    assert!(fixed(&with("on: Traded  within: 5m")).contains("within: 11m"));
    assert!(fixed(&with("on: Traded  retry: { attempts: 50 }")).contains("attempts: 33"));
}

#[test]
fn a_declaration_that_can_not_be_read_is_not_missing_too() {
    let codes = |text: &str| {
        let found = open(text).check().diagnostics;
        found.iter().map(|it| it.code.text()).collect::<Vec<_>>().join(" ")
    };
    let text = with("on: coinfeed.PricesChanged  uses: [feed]  emits: [Traded]");
    for (from, to, code) in [
        ("store main {", "store {", "syntax.expected"),
        ("store main {", "shop main {", "syntax.keyword_unknown"),
        ("connection feed {", "line feed {", "syntax.keyword_unknown"),
        ("connection sky {", "connection {", "syntax.expected"),
        ("subscriber rest {", "ears rest {", "syntax.keyword_unknown"),
        ("type Traded = Event", "form Traded = Event", "syntax.keyword_unknown"),
        ("provider coinfeed {", "maker coinfeed {", "syntax.keyword_unknown"),
        ("public type PricesChanged", "public form PricesChanged", "syntax.keyword_unknown"),
        ("public operation fetch_note {", "public call fetch_note {", "syntax.keyword_unknown"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        assert_eq!(codes(&text.replace(from, to)), code, "{to}");
    }
}

#[test]
fn a_connection_is_not_its_package() {
    insta::assert_snapshot!(check(&with("on: feed.PricesChanged")), @"
[name.unknown] error: `feed` is a connection, and an event is named by its package
   ╭─[ app.jadpo:8:23 ]
   │
 8 │ subscriber hear { on: feed.PricesChanged }
   │                       ──┬─
   │                         ╰─── write `coinfeed`
   │
   │ Help: `feed` is a connection to package `coinfeed`
───╯
  fix: write `coinfeed`
");
    insta::assert_snapshot!(brief(&with("on: Traded  uses: [coinfeed]")), @"
app.jadpo:8:38 name.unknown there is no connection `coinfeed`
  fix: write `feed`
");
    insta::assert_snapshot!(brief(&with("on: coinfeed.PricesChanged  from: [coinfeed]")), @"
app.jadpo:8:54 name.unknown there is no connection `coinfeed`
  fix: write `feed`
");
    assert!(fixed(&with("on: feed.PricesChanged")).contains("hear { on: coinfeed.PricesChanged }"));
}

//! Where a subscriber writes.

use super::with;
use crate::tests::{brief, check};

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

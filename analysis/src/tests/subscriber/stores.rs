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
fn a_subscriber_says_which_of_several_stores_it_writes() {
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
  fix: write `store: main` (a choice)
  fix: write `store: other` (a choice)
");
    insta::assert_snapshot!(brief(&with_stores("on: coinfeed.PricesChanged  store: othr")), @"
app.jadpo:9:54 name.unknown there is no store `othr`
  fix: write `other`
");
}

#[test]
fn a_subscriber_may_write_another_store_than_that_of_its_events() {
    assert_eq!(brief(&with_stores("on: coinfeed.PricesChanged  store: other")), "clean");
    let emitted = with_stores("on: Traded  store: other")
        .replace("store: main }\n", "store: main  emits: [Traded] }\n");
    assert_eq!(brief(&emitted), "clean");
    insta::assert_snapshot!(brief(&emitted.replace("on: Traded  store: other", "on: Traded")), @"
app.jadpo:9:12 subscriber.store_required `hear` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: other` (a choice)
");
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

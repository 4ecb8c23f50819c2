//! `subscriber`.

mod retries;
mod stores;

use super::packages::PACKAGES;
use super::{brief, check, fixed, open};

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

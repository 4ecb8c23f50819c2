//! A provider's `polls:`, and the warnings about what cannot hold.

use super::{brief, check, fixed, open};

/// A package with one poll of these entries, and declarations after it.
fn package(poll: &str, declarations: &str) -> String {
    format!(
        r#"
//- /provider.jadpo
provider coinfeed {{
    base_url: "https://api.coinfeed.example"
    polls: {{
        prices: {{ {poll} }}
    }}
}}
//- /prices.jadpo
operation fetch_prices {{ method: GET  path: "/v1/prices"  output: Prices }}
type Prices = Object {{ btc: Decimal  eth: Decimal  note: Text?  state: Text optional  fetched_at: Instant }}
public type PricesChanged = Event {{ btc: Decimal  eth: Decimal }}
{declarations}"#
    )
}

fn poll(poll: &str, declarations: &str) -> String {
    brief(&package(poll, declarations))
}

#[test]
fn a_misspelt_operation_offers_the_nearest() {
    insta::assert_snapshot!(check(&package("call: fetch_price  every: 5m  emits: PricesChanged", "")), @"
[package.provider_invalid] error: there is no operation `fetch_price`
   ╭─[ provider.jadpo:4:25 ]
   │
 4 │         prices: { call: fetch_price  every: 5m  emits: PricesChanged }
   │                         ─────┬─────
   │                              ╰─────── did you mean `fetch_prices`?
───╯
  fix: write `fetch_prices`
");
}

#[test]
fn an_interval_below_a_minute_offers_a_minute() {
    insta::assert_snapshot!(check(&package("call: fetch_prices  every: 30s  emits: PricesChanged", "")), @"
[package.provider_invalid] error: `every` is a duration of a minute or more; `30s` is shorter, and the tick runs once a minute
   ╭─[ provider.jadpo:4:46 ]
   │
 4 │         prices: { call: fetch_prices  every: 30s  emits: PricesChanged }
   │                                              ─┬─
   │                                               ╰─── write `1m`
───╯
  fix: write `1m` (a choice)
");
}

#[test]
fn an_interval_out_of_its_span_is_refused_with_the_bound_that_it_breaks() {
    let every = |text: &str| poll(&format!("call: fetch_prices  every: {text}  emits: PricesChanged"), "");
    insta::assert_snapshot!(every("0s"), @"
    provider.jadpo:4:46 package.provider_invalid `every` is a duration of a minute or more; `0s` is shorter, and the tick runs once a minute
      fix: write `1m` (a choice)
    ");
    insta::assert_snapshot!(every("400ms"), @"
    provider.jadpo:4:46 package.provider_invalid `every` is a duration of a minute or more; `400ms` is shorter, and the tick runs once a minute
      fix: write `1m` (a choice)
    ");
    insta::assert_snapshot!(every("99999999999d"), @"
    provider.jadpo:4:46 package.provider_invalid `every` is at most `3650d`; `99999999999d` is longer
      fix: write `3650d` (a choice)
    ");
    for right in ["1m", "25d", "90d"] {
        assert_eq!(every(right), "clean", "{right}");
    }
}

#[test]
fn a_field_that_the_answer_has_not_is_listed_with_the_nearest() {
    let event = "public type Told = Event { btcc: Decimal  eth: Decimal }\n";
    insta::assert_snapshot!(check(&package("call: fetch_prices  every: 5m  emits: Told", event)), @"
[package.provider_invalid] error: `Told` has a field `btcc`, which the answer `Prices` hasn't
   ╭─[ provider.jadpo:4:57 ]
   │
 4 │         prices: { call: fetch_prices  every: 5m  emits: Told }
   │                                                         ──┬─
   │                                                           ╰─── each field of `Told` must be one of `Prices`
   │
   ├─[ prices.jadpo:2:24 ]
   │
 2 │ type Prices = Object { btc: Decimal  eth: Decimal  note: Text?  state: Text optional  fetched_at: Instant }
   │                        ──────┬─────
   │                              ╰─────── `btc` in the answer
   │
 4 │ public type Told = Event { btcc: Decimal  eth: Decimal }
   │                            ──────┬──────
   │                                  ╰──────── `btcc` in the event
   │
   │ Help: did you mean `btc`?
───╯
  fix: name the event's field `btc` (a choice)
");
    let event = "public type Told = Event { btc: Text  etth: Decimal  quux: Int  note: Text  state: Text  fetched_at: Instant? }\n";
    insta::assert_snapshot!(check(&package("call: fetch_prices  every: 5m  emits: Told", event)), @"
[poll.clock_like_field] warning: `fetched_at` of `Told` looks like the time of the fetching, so every poll of `prices` would be a change
   ╭─[ prices.jadpo:4:90 ]
   │
 4 │ public type Told = Event { btc: Text  etth: Decimal  quux: Int  note: Text  state: Text  fetched_at: Instant? }
   │                                                                                          ─────┬────
   │                                                                                               ╰────── remove `fetched_at`
   │
   ├─[ provider.jadpo:4:50 ]
   │
 4 │         prices: { call: fetch_prices  every: 5m  emits: Told }
   │                                                  ──┬──
   │                                                    ╰──── `prices` emits `Told` when one of its fields has changed
   │
   │ Help: leave `fetched_at` out of the event; the answer may keep it
───╯
  fix: remove `fetched_at` (a choice)
[package.provider_invalid] error: the answer `Prices` doesn't have the fields `btc`, `etth`, `quux`, `note`, `state`, `fetched_at` of `Told`
   ╭─[ provider.jadpo:4:57 ]
   │
 4 │         prices: { call: fetch_prices  every: 5m  emits: Told }
   │                                                         ──┬─
   │                                                           ╰─── each field of `Told` must be one of `Prices`
   │
   ├─[ prices.jadpo:2:24 ]
   │
 2 │ type Prices = Object { btc: Decimal  eth: Decimal  note: Text?  state: Text optional  fetched_at: Instant }
   │                        ──────┬─────
   │                              ╰─────── `btc` in the answer
   │
 4 │ public type Told = Event { btc: Text  etth: Decimal  quux: Int  note: Text  state: Text  fetched_at: Instant? }
   │                            ────┬────
   │                                ╰────── `btc` in the event
   │
   │ Help: `btc` is `Text` in the event, `Decimal` in the answer
   │       `etth` is not in the answer: did you mean `eth`?
   │       `quux` is not in the answer
   │       `note` is `Text` in the event, `Text?` in the answer
   │       `state` is `Text` in the event, `Text optional` in the answer
   │       `fetched_at` is `Instant?` in the event, `Instant` in the answer
───╯
");
}

#[test]
fn a_poll_is_three_keys() {
    insta::assert_snapshot!(poll("every: 5m", ""), @"
provider.jadpo:4:9 package.provider_invalid a poll needs `call`
provider.jadpo:4:9 package.provider_invalid a poll needs `emits`
");
    insta::assert_snapshot!(poll("call: fetch_prices  every: 5m  emits: PricesChanged  keep: 3d  jitter: 1s", ""), @"
provider.jadpo:4:72 package.provider_invalid a poll takes no key `keep`
provider.jadpo:4:82 package.provider_invalid a poll takes no key `jitter`
");
    insta::assert_snapshot!(poll("cal: fetch_prices  every: 5  emits: \"PricesChanged\"", ""), @"
provider.jadpo:4:19 package.provider_invalid a poll takes no key `cal`
  fix: write `call`
provider.jadpo:4:45 package.provider_invalid `every` takes a duration of a minute or more, not `5`
provider.jadpo:4:55 package.provider_invalid `emits` takes the name of an event, not a string
  fix: write the name without quotes
");
    insta::assert_snapshot!(poll("call: fetch_prices  every: 4000d  emits: PricesChanged", ""), @"
provider.jadpo:4:46 package.provider_invalid `every` is at most `3650d`; `4000d` is longer
  fix: write `3650d` (a choice)
");
    insta::assert_snapshot!(brief("//- /provider.jadpo\nprovider p { base_url: \"https://p.example\"  polls: { Prices: 5m  \"x\": { }  y: } }\n"), @"
provider.jadpo:1:54 name.case_invalid the poll name `Prices` is not lower_snake_case
  fix: write `prices` (a choice)
provider.jadpo:1:62 package.provider_invalid `Prices` in `polls` is a block for a poll
provider.jadpo:1:66 package.provider_invalid a poll needs `call`
provider.jadpo:1:66 package.provider_invalid a poll needs `every`
provider.jadpo:1:66 package.provider_invalid a poll needs `emits`
provider.jadpo:1:66 package.provider_invalid the poll `x` is a name
  fix: write it without quotes
provider.jadpo:1:76 package.provider_invalid `y` in `polls` is a block for a poll
");
}

#[test]
fn what_cannot_be_polled_is_told_why() {
    let call = |operation: &str| {
        poll(
            "call: ask  every: 5m  emits: PricesChanged",
            &format!(
                "operation ask {{ path: \"/v1\"  {operation} }}\ntype Id = Object {{ id: Text }}\ntype Maybe = Prices?\ntype Other = Prices\n"
            ),
        )
    };
    let operations = [
        "method: POST  input: Id  output: Prices",
        "method: GET  changes: true  output: Prices",
        "method: POST  output: Prices",
        "method: POST  changes: false  output: Prices",
        "method: GET  decode: read_it  output: Prices",
        "method: GET",
        "method: HEAD",
        "method: GET  output: Prices?",
        "method: GET  output: Maybe",
        "method: GET  output: List<Prices>",
        "method: GET  output: Decimal",
        "method: GET  output: PricesChanged",
        "method: GET  output: Other",
        "method: GET  output: Pricse",
    ];
    let found: Vec<_> = operations.iter().map(|text| format!("{text}\n{}", call(text))).collect();
    insta::assert_snapshot!(found.join("\n"), @"
method: POST  input: Id  output: Prices
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it takes an `input:`
method: GET  changes: true  output: Prices
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it changes the provider's data
method: POST  output: Prices
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it is a POST, which changes the provider's data unless it says `changes: false`
method: POST  changes: false  output: Prices
clean
method: GET  decode: read_it  output: Prices
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it is decoded by the app's code
method: GET
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it has no `output:`
method: HEAD
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it is a HEAD, whose answer has no body
method: GET  output: Prices?
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it gives `Prices?`, which may be null
method: GET  output: Maybe
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it gives `Maybe`, which may be null
method: GET  output: List<Prices>
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it gives `List<Prices>`, which is a `List`
method: GET  output: Decimal
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it gives `Decimal`, no Object
method: GET  output: PricesChanged
provider.jadpo:4:25 package.provider_invalid `ask` can't be polled: it gives `PricesChanged`, which is an Event
method: GET  output: Other
clean
method: GET  output: Pricse
prices.jadpo:4:51 type.unknown there is no type `Pricse`
  fix: write `Prices`
");
    insta::assert_snapshot!(check(&package(
        "call: ask  every: 5m  emits: PricesChanged",
        "operation ask { method: GET  path: \"/v1/{input.id}\"  input: Id  output: Prices }\ntype Id = Object { id: Text }\n",
    )), @r#"
[package.provider_invalid] error: `ask` can't be polled: it takes an `input:`
   ╭─[ provider.jadpo:4:25 ]
   │
 4 │         prices: { call: ask  every: 5m  emits: PricesChanged }
   │                         ─┬─
   │                          ╰─── here
   │
   ├─[ prices.jadpo:4:54 ]
   │
 4 │ operation ask { method: GET  path: "/v1/{input.id}"  input: Id  output: Prices }
   │                                                      ──┬──
   │                                                        ╰──── `ask` is declared so here
   │
   │ Help: a poll reads a feed that doesn't depend on the app's data; checking each record is the app's schedule calling the package
───╯
"#);
}

#[test]
fn what_cannot_be_emitted_is_told_why() {
    let emits = |name: &str| {
        poll(
            &format!("call: fetch_prices  every: 5m  emits: {name}"),
            r#"
type Hidden = Event { btc: Decimal }
public type Sent = Event { wire_name: "prices.changed"  btc: Decimal }
public type Empty = Event { }
public type Other = Event { btc: Decimal }
public type Side = Enum { buy }
"#,
        )
    };
    let names =
        ["PriceChanged", "Prices", "Hidden", "Sent", "Empty", "Side", "Other", "coinfeed.Other", "Quux"];
    let found: Vec<_> = names.iter().map(|text| format!("{text}\n{}", emits(text))).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
PriceChanged
provider.jadpo:4:57 package.provider_invalid there is no event `PriceChanged`
  fix: write `PricesChanged`
Prices
provider.jadpo:4:57 package.provider_invalid `Prices` is an Object, and a poll emits an Event
Hidden
provider.jadpo:4:57 package.provider_invalid `Hidden` is private, so no app could hear it
  fix: make it public
Sent
provider.jadpo:4:57 package.provider_invalid `Sent` is sent by the provider, as "prices.changed", so no poll emits it
Empty
provider.jadpo:4:57 package.provider_invalid `Empty` has no field, so it never changes
Side
provider.jadpo:4:57 package.provider_invalid `Side` is an Enum, and a poll emits an Event
Other
clean
coinfeed.Other
provider.jadpo:4:57 package.provider_invalid `emits` takes the name of an event, not `coinfeed.Other`
Quux
provider.jadpo:4:57 package.provider_invalid there is no event `Quux`
"#);
}

#[test]
fn types_are_the_same_behind_their_names_and_however_they_are_sent() {
    insta::assert_snapshot!(poll(
        "call: ask  every: 5m  emits: Told",
        r#"
operation ask { method: GET  path: "/v1"  output: Answer }
type Answer = Object {
    a: Instant { wire: unix_ms } at "/deep/a"
    b: Name as "bb"
    c: Int { min: 0  max: 1 }
    d: List<Name>
    e: Symbol
    f: Decimal { min: 0 }
}
public type Name = Text
public type Symbol = Text { max_length: 3 }
public type Told = Event { a: Instant  b: Text  c: Int { min: 0  max: 1 }  d: List<Text>  e: Symbol  f: Decimal { min: 0.0 } }
"#,
    ), @"clean");
    insta::assert_snapshot!(poll(
        "call: ask  every: 5m  emits: Told",
        r#"
operation ask { method: GET  path: "/v1"  output: Answer }
type Answer = Object { a: Symbol  b: Int { min: 0 }  c: Text optional  d: Unknwon }
public type Symbol = Text { max_length: 3 }
public type Told = Event { a: Text { max_length: 3 }  b: Int  c: Text?  d: Text }
"#,
    ), @"
prices.jadpo:6:75 type.unknown there is no type `Unknwon`
provider.jadpo:4:48 package.provider_invalid the answer `Answer` doesn't have the fields `a`, `b`, `c` of `Told`
");
}

#[test]
fn a_rename_is_offered_where_each_field_has_a_counterpart() {
    let text =
        package("call: fetch_prices  every: 5m  emits: Told", "public type Told = Event { bct: Decimal }\n");
    insta::assert_snapshot!(fixed(&text), @r#"
operation fetch_prices { method: GET  path: "/v1/prices"  output: Prices }
type Prices = Object { btc: Decimal  eth: Decimal  note: Text?  state: Text optional  fetched_at: Instant }
public type PricesChanged = Event { btc: Decimal  eth: Decimal }
public type Told = Event { btc: Decimal }
"#);
}

#[test]
fn a_call_that_outlasts_its_interval_shows_the_sum() {
    let text = package(
        "call: ask  every: 2m  emits: PricesChanged",
        "operation ask { method: GET  path: \"/v1\"  timeout: 60s  output: Prices }\n",
    );
    insta::assert_snapshot!(check(&text), @"
[poll.slower_than_interval] warning: `prices` is called every 2m, but one call can take 3m 0.6s
   ╭─[ provider.jadpo:4:37 ]
   │
 4 │         prices: { call: ask  every: 2m  emits: PricesChanged }
   │                                     ─┬
   │                                      ╰── shorter than 3m 0.6s
   │
   │ Help: 3 attempts of 1m and waits of 0.2s + 0.4s make 3m 0.6s; `every: 4m` is long enough, and so may be a shorter `timeout:`
───╯
  fix: write `4m` (a choice)
");
    let once = text.replace("polls: {", "retry: { attempts: 1 }\n    polls: {");
    assert_eq!(brief(&once), "clean");
    assert_eq!(
        brief(&once.replace("every: 2m", "every: 1m")),
        "clean",
        "a call may take all of its interval"
    );
    let many = text.replace("polls: {", "retry: { attempts: 10  initial: 30s  max: 10m }\n    polls: {");
    insta::assert_snapshot!(brief(&many), @"
provider.jadpo:5:37 poll.slower_than_interval `prices` is called every 2m, but one call can take 1h 5m 30s
  fix: write `66m` (a choice)
");
}

#[test]
fn a_time_of_fetching_makes_every_poll_a_change() {
    let event = "public type Told = Event { btc: Decimal  fetched_at: Instant }\npublic type Unpolled = Event { fetched_at: Instant }\n";
    insta::assert_snapshot!(check(&package("call: fetch_prices  every: 5m  emits: Told", event)), @"
[poll.clock_like_field] warning: `fetched_at` of `Told` looks like the time of the fetching, so every poll of `prices` would be a change
   ╭─[ prices.jadpo:4:42 ]
   │
 4 │ public type Told = Event { btc: Decimal  fetched_at: Instant }
   │                                          ─────┬────
   │                                               ╰────── remove `fetched_at`
   │
   ├─[ provider.jadpo:4:50 ]
   │
 4 │         prices: { call: fetch_prices  every: 5m  emits: Told }
   │                                                  ──┬──
   │                                                    ╰──── `prices` emits `Told` when one of its fields has changed
   │
   │ Help: leave `fetched_at` out of the event; the answer may keep it
───╯
  fix: remove `fetched_at` (a choice)
");
}

#[test]
fn such_a_time_is_known_by_its_name_and_only_as_an_instant() {
    let clean = |name: &str, ty: &str| {
        let fields = format!("btc: Decimal  {name}: {ty}");
        let made = format!(
            "operation ask {{ method: GET  path: \"/v1\"  output: Made }}\ntype Made = Object {{ {fields} }}\n\
             public type Told = Event {{ {fields} }}\n"
        );
        poll("call: ask  every: 5m  emits: Told", &made) == "clean"
    };
    for name in ["fetched_at", "generated_at", "as_of", "now", "server_time"] {
        assert!(!clean(name, "Instant"), "{name}");
        assert!(!clean(name, "Instant?"), "{name}");
        assert!(clean(name, "Text"), "{name}");
    }
    for name in ["updated_at", "traded_at", "valid_until"] {
        assert!(clean(name, "Instant"), "{name}");
    }
}

#[test]
fn polls_are_lowered_by_name() {
    let text = package("call: fetch_prices  every: 5m  emits: PricesChanged", "");
    let text = text.replace("//- /", "//- /p/")
        + "//- /app.jadpo\napp trading { }\nconnection feed { package: coinfeed }\n";
    let model = open(&text).model().expect("no errors");
    insta::assert_snapshot!(format!("{:?}", model.packages["coinfeed"].provider.polls), @r#"{"prices": Poll { name: "prices", doc: "", call: "fetch_prices", every_ms: 300000, emits: TypeRef { package: Some("coinfeed"), name: "PricesChanged" } }}"#);
}

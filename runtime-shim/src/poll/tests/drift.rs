//! Answers that don't fit their type any more: told apart from a change, told once, and forgotten when they fit again.

use insta::assert_snapshot;

use crate::limits;
use crate::sim::Reply;
use crate::status::status;
use crate::trial::log::told;
use crate::trial::{Instance, Trial, fine};

const MINUTE_MS: u64 = 60_000;

/// What is kept of the poll: how many events, and its last error.
fn kept(trial: &Trial) -> String {
    let events = trial.rows("SELECT count(*) FROM jadpo_events");
    format!("{} kept, {}", events[0], trial.rows("SELECT last_error FROM jadpo_polls")[0])
}

/// Each place as the status shows it.
fn places(trial: &Trial, instance: &Instance) -> String {
    let status = trial.sim.run(status(&instance.engine));
    let Some(error) = &status.stores[0].polls[0].last_error else { return "none".to_owned() };
    let places = error.places.iter().map(|place| format!("{} {} {}", place.at, place.wanted, place.got));
    format!("{}: {}", error.kind, places.collect::<Vec<_>>().join("; "))
}

#[test]
fn drift_is_no_change_and_neither_is_its_end() {
    let trial = Trial::new(|plan| {
        let feed = plan.connections.get_mut("feed").unwrap();
        feed.polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
    });
    let says = |text: &'static str| {
        trial.script.set("/v1/prices", move |_, _| Reply::json(text));
        trial.pass(2 * MINUTE_MS);
    };
    let told = told(|| {
        trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
        let instance = trial.serve(1, fine);
        trial.pass(1);
        says(r#"{"btc":{"usd":60},"eth":"two","fetched_at":7}"#);
        assert_snapshot!(kept(&trial), @r#"1 kept, {"kind":"decode","text":"feed.fetch_prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got {\"usd\":60}; /eth: wanted a decimal of at most 28 digits, got \"two\"; /fetched_at: wanted an instant as RFC 3339 with an offset, got 7","places":[{"place":"/btc","wanted":"a decimal of at most 28 digits","got":"{\"usd\":60}"},{"place":"/eth","wanted":"a decimal of at most 28 digits","got":"\"two\""},{"place":"/fetched_at","wanted":"an instant as RFC 3339 with an offset","got":"7"}]}"#);
        assert_snapshot!(places(&trial, &instance), @r#"decode: /btc a decimal of at most 28 digits {"usd":60}; /eth a decimal of at most 28 digits "two"; /fetched_at an instant as RFC 3339 with an offset 7"#);
        says(r#"{"btc":60}"#);
        assert_snapshot!(places(&trial, &instance), @"decode: /eth a decimal of at most 28 digits nothing");
        says(r#"{"eth":2.0,"btc":"60"}"#);
        assert_snapshot!(kept(&trial), @"1 kept, -");
        assert_eq!(places(&trial, &instance), "none");
        says(r#"{"btc":61}"#);
        says(r#"{"btc":61,"eth":2}"#);
        assert_snapshot!(kept(&trial), @"2 kept, -");
    });
    assert_snapshot!(told, @r#"
INFO trading started deployable=server polls=1 subscribers=2
INFO poll{name="feed.prices"}: the first answer, coinfeed.PricesChanged for update_quotes
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got {"usd":60}; /eth: wanted a decimal of at most 28 digits, got "two"; /fetched_at: wanted an instant as RFC 3339 with an offset, got 7 kind="decode"
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: the answer does not fit its type: /eth: wanted a decimal of at most 28 digits, got nothing kind="decode"
INFO poll{name="feed.prices"}: answers again: the same
INFO poll{name="feed.prices"}: the same
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: the answer does not fit its type: /eth: wanted a decimal of at most 28 digits, got nothing kind="decode"
INFO poll{name="feed.prices"}: answers again: changed, coinfeed.PricesChanged for update_quotes
INFO poll{name="feed.prices"}: the same
"#);
}

#[test]
fn of_an_answer_that_is_all_wrong_twenty_places_and_two_thousand_characters_are_kept() {
    let trial = Trial::new(|plan| {
        let prices = plan.types.get_mut("coinfeed.Prices").unwrap();
        let crate::plan::TypeDef::Object(fields) = prices else { panic!("it is an object") };
        let btc = fields[0].clone();
        let more = |number| {
            let name = format!("p{number:02}");
            crate::plan::Field { wire: name.clone(), name, ..btc.clone() }
        };
        fields.extend((0..40).map(more));
    });
    let long = "€".repeat(200);
    let answer: serde_json::Map<_, _> =
        (0..40).map(|number| (format!("p{number:02}"), long.as_str().into())).collect();
    let answer = serde_json::Value::from(answer).to_string();
    trial.script.set("/v1/prices", move |_, _| Reply::json(&answer));
    let instance = trial.serve(1, fine);
    trial.pass(1);
    let status = trial.sim.run(status(&instance.engine));
    let error = status.stores[0].polls[0].last_error.clone().unwrap();
    assert_eq!(error.places.len(), limits::ERROR_PLACES_MAX);
    assert!(error.places.iter().all(|place| place.got.chars().count() <= 82), "{:?}", error.places);
    assert_eq!(error.text.chars().count(), limits::ERROR_CHARS_MAX + 1, "{}", error.text);
    assert!(error.text.ends_with('…'));
}

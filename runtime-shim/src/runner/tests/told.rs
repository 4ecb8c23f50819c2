//! What the log says at its default level: each change once, with its cause and place, and nothing again and again.

use insta::assert_snapshot;

use super::{Value, states, steady};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::sim::Reply;
use crate::trial::log::told;
use crate::trial::{Trial, fine};

const MINUTE_MS: u64 = 60_000;

/// A poll each minute.
fn each_minute() -> Trial {
    Trial::new(|plan| {
        let feed = plan.connections.get_mut("feed").unwrap();
        feed.polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
    })
}

#[test]
fn a_poll_that_goes_on_failing_alike_is_told_once() {
    let trial = each_minute();
    let says = |text: &'static str| {
        trial.script.set("/v1/prices", move |_, _| Reply::json(text));
        trial.pass(5 * MINUTE_MS);
    };
    let told = told(|| {
        steady(&trial);
        let _instance = trial.serve(1, fine);
        trial.pass(2 * MINUTE_MS);
        says(r#"{"btc":"many"}"#);
        says("<html>");
        says(r#"{"btc":60,"eth":2}"#);
    });
    assert_snapshot!(told, @r#"
INFO trading started deployable=server polls=1 subscribers=2
INFO poll{name="feed.prices"}: the first answer, coinfeed.PricesChanged for update_quotes
INFO poll{name="feed.prices"}: the same
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got "many"; /eth: wanted a decimal of at most 28 digits, got nothing kind="decode"
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: the answer is no JSON: expected value at line 1 column 1; status 200, application/json: <html> kind="not_json"
INFO poll{name="feed.prices"}: answers again: the same
INFO poll{name="feed.prices"}: the same
INFO poll{name="feed.prices"}: the same
INFO poll{name="feed.prices"}: the same
INFO poll{name="feed.prices"}: the same
"#);
}

#[test]
fn a_locked_store_is_told_once_and_so_is_its_return() {
    let trial = each_minute();
    let told = told(|| {
        steady(&trial);
        let instance = trial.start_with_busy(1, 1, fine);
        instance.go();
        trial.pass(MINUTE_MS / 2);
        let mut locker = trial.connect();
        let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
        trial.pass(10 * MINUTE_MS);
        drop(lock);
        trial.pass(2 * MINUTE_MS);
    });
    let told = told.replace(&trial.file(), "trial.db");
    assert_snapshot!(told, @r#"
INFO trading started deployable=server polls=1 subscribers=2
INFO poll{name="feed.prices"}: the first answer, coinfeed.PricesChanged for update_quotes
ERROR store main in trial.db: the database stayed locked by another process; work that needs it waits
ERROR store main in trial.db: the database stayed locked by another process; 10 tries failed in a row, so the program is not ready
INFO store main works again, after 10 failed tries
INFO poll{name="feed.prices"}: the same
INFO poll{name="feed.prices"}: the same
"#);
}

#[test]
fn an_attempt_that_fails_says_when_it_comes_again_and_a_start_reminds_of_what_is_kept() {
    fn fails<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async {
            tracing::info!("the handler's own words");
            Err(Failure::new("no such account"))
        })
    }
    let trial = Trial::new(|plan| plan.subscribers.get_mut("update_quotes").unwrap().retry.attempts = 2);
    let told = told(|| {
        steady(&trial);
        let instance = trial.serve(1, fails);
        trial.pass(MINUTE_MS);
        instance.stop(&trial);
        trial.script.set("/v1/prices", |_, _| Reply::status(500));
        trial.pass(10 * MINUTE_MS);
        let instance = trial.serve(1, fails);
        trial.pass(1);
        instance.stop(&trial);
        let _instance = trial.serve(1, fails);
        trial.pass(1);
    });
    assert_eq!(states(&trial), "failed 1");
    assert_snapshot!(told, @r#"
INFO trading started deployable=server polls=1 subscribers=2
INFO poll{name="feed.prices"}: the first answer, coinfeed.PricesChanged for update_quotes
INFO delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged" attempt=1}: the handler's own words
WARN delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged" attempt=1}: failed, and comes again in 12 ms: no such account
INFO delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged" attempt=2}: the handler's own words
WARN delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged" attempt=2}: failed for good: no such account
INFO trading stopped
INFO trading started deployable=server polls=1 subscribers=2
WARN delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged"}: kept as failed since 2027-03-03T10:00:00Z, after 2 attempts: no such account
WARN poll{name="feed.prices"}: failed, and is called again each minute: feed.fetch_prices: status 500, no content type, no body kind="status"
INFO trading stopped
INFO trading started deployable=server polls=1 subscribers=2
WARN delivery{id=1 subscriber="update_quotes" event="coinfeed.PricesChanged"}: kept as failed since 2027-03-03T10:00:00Z, after 2 attempts: no such account
WARN poll{name="feed.prices"}: failed when it was last called, at 2027-03-03T10:11:00Z: feed.fetch_prices: status 500, no content type, no body
"#);
}

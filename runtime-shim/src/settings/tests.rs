//! Settings: what is taken, and everything that is not, named at once.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

use insta::assert_snapshot;

use super::{SettingsError, resolve};
use crate::call::template::Hole;
use crate::plan::{Auth, Part, Plan, Template};
use crate::reached;

const PLAN: &str = r#"{
  "version": 1,
  "app": "test",
  "types": {
    "p.Symbol": { "alias": { "text": { "min_length": 1, "max_length": 3, "pattern": "[A-Z]+" } } },
    "p.Maybe": { "alias": { "nullable": { "named": "p.Symbol" } } },
    "p.Side": { "text_enum": { "values": ["buy", "SELL"], "other": false } },
    "p.Level": { "int_enum": { "values": [1, 2], "other": false } }
  },
  "packages": { "p": {
    "version": "1.0.0",
    "base_url": [{ "text": "http://" }, { "setting": "host" }, { "text": ":" }, { "setting": "port" },
      { "text": "/v1/" }, { "setting": "region" }, { "text": "/" }],
    "settings": {
      "host": { "shape": { "text": {} }, "default_json": "\"localhost\"" },
      "key": { "shape": "secret" },
      "level": { "shape": { "named": "p.Level" }, "default_json": "1" },
      "limit": { "shape": { "decimal": {} }, "default_json": "\"1.5\"" },
      "live": { "shape": "bool", "default_json": "true" },
      "maybe": { "shape": { "named": "p.Maybe" } },
      "port": { "shape": { "int": { "min": "1", "max": "65535" } }, "default_json": "4750" },
      "region": { "shape": { "text": {} }, "default_json": "\"eu\"" },
      "side": { "shape": { "named": "p.Side" }, "default_json": "\"buy\"" },
      "since": { "shape": { "instant": "unix_s" }, "default_json": "\"2026-01-01T00:00:00Z\"" },
      "symbol": { "shape": { "named": "p.Symbol" }, "default_json": "\"BTC\"" },
      "token": { "shape": { "nullable": "secret" } }
    },
    "auth": { "bearer": [{ "setting": "key" }] },
    "headers": [["X-Region", [{ "setting": "region" }]]],
    "retry": { "attempts": 3, "initial_ms": 200, "max_ms": 5000 },
    "max_response_bytes": 1000,
    "operations": {}
  } },
  "connections": {
    "one": { "package": "p", "polls": {}, "keep_ms": 1, "settings": { "key": { "env": "KEY" } } },
    "two": { "package": "p", "polls": {}, "keep_ms": 1, "settings": {
      "host": { "env": "HOST" }, "key": { "env": "KEY_2" }, "level": { "env": "LEVEL" }, "limit": { "env": "LIMIT" },
      "live": { "env": "LIVE" }, "maybe": { "env": "MAYBE" }, "port": { "env": "PORT" }, "region": { "literal": "\"us\"" },
      "side": { "env": "SIDE" }, "since": { "env": "SINCE" }, "symbol": { "env": "SYMBOL" }, "token": { "env": "TOKEN" }
    } }
  },
  "stores": {},
  "subscribers": {
    "s": { "on": [], "from": ["one"], "uses": ["two"], "emits": [], "store": "main", "within_ms": 1,
      "retry": { "attempts": 1, "initial_ms": 1, "max_ms": 1 } }
  },
  "deployables": {
    "d": { "subscribers": ["s"], "polls": [], "runner": { "workers": 1, "at_capacity_poll_interval_ms": 1,
      "at_capacity_heartbeat_ms": 1, "backoff_initial_ms": 1, "backoff_max_ms": 1, "sleep_detection_ms": 1 } }
  }
}"#;

fn plan() -> Plan {
    serde_json::from_str(PLAN).unwrap()
}

fn texts(plan: &Plan, names: &[&str], environment: &[(&str, &str)]) -> Result<Vec<String>, SettingsError> {
    let given = |name: &str| {
        environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    let resolved = resolve(plan, names, &given)?;
    Ok(resolved
        .values()
        .flat_map(|settings| {
            let holes = plan.packages["p"].settings.keys().map(|name| match settings.hole(name) {
                Hole::One(text) => format!("{name}={text}"),
                _ => format!("{name} is none"),
            });
            std::iter::once(settings.base_url().to_owned()).chain(holes).collect::<Vec<_>>()
        })
        .collect())
}

#[track_caller]
fn refused(plan: &Plan, names: &[&str], environment: &[(&str, &str)]) -> String {
    let error = texts(plan, names, environment).unwrap_err();
    for text in [error.to_string(), format!("{error:?}")] {
        assert!(!text.contains("hush"), "{text}");
    }
    error.to_string()
}

#[test]
fn defaults_and_none_stand_where_nothing_is_given() {
    assert_snapshot!(texts(&plan(), &["one"], &[("KEY", "hush")]).unwrap().join("\n"), @r"
    http://localhost:4750/v1/eu/
    host=localhost
    key=hush
    level=1
    limit=1.5
    live=true
    maybe is none
    port=4750
    region=eu
    side=buy
    since=2026-01-01T00:00:00Z
    symbol=BTC
    token is none
    ");
}

#[test]
fn each_is_read_by_its_type() {
    let environment = [
        ("HOST", "127.0.0.1"),
        ("KEY_2", "hush"),
        ("LEVEL", "2"),
        ("LIMIT", "2.50"),
        ("LIVE", "false"),
        ("MAYBE", "ETH"),
        ("PORT", "80"),
        ("SIDE", "SELL"),
        ("SINCE", "2027-03-03T11:00:00+01:00"),
        ("SYMBOL", "ADA"),
        ("TOKEN", "hush too"),
    ];
    assert_snapshot!(texts(&plan(), &["two"], &environment).unwrap().join("\n"), @r"
    http://127.0.0.1:80/v1/us/
    host=127.0.0.1
    key=hush
    level=2
    limit=2.5
    live=false
    maybe=ETH
    port=80
    region=us
    side=SELL
    since=2027-03-03T10:00:00Z
    symbol=ADA
    token=hush too
    ");
}

#[test]
fn every_bad_and_missing_one_is_named_at_once() {
    let environment = [
        ("LEVEL", "3"),
        ("LIMIT", "much"),
        ("LIVE", "yes"),
        ("MAYBE", "long"),
        ("PORT", "70000"),
        ("SIDE", "sell"),
        ("SINCE", "today"),
        ("SYMBOL", ""),
        ("TOKEN", "hush\n"),
    ];
    assert_snapshot!(refused(&plan(), &["one", "two"], &environment), @r#"
    11 settings can't be taken:
      one.key: the environment variable KEY is not set
      two.key: the environment variable KEY_2 is not set
      two.level: LEVEL: wanted one of 1, 2, got "3"
      two.limit: LIMIT: wanted a decimal of at most 28 digits, got "much"
      two.live: LIVE: wanted true or false, got "yes"
      two.maybe: MAYBE: wanted text of at most 3 characters, got "long"
      two.port: PORT: wanted a number of at most 65535, got "70000"
      two.side: SIDE: wanted one of "buy", "SELL", got "sell"
      two.since: SINCE: wanted an instant as RFC 3339 with an offset, got "today"
      two.symbol: SYMBOL: wanted text of at least 1 characters, got ""
      two.token: TOKEN: the secret holds a control character, such as a newline at its end
    "#);
}

#[test]
fn a_single_problem_stands_alone() {
    assert_snapshot!(refused(&plan(), &["one"], &[]), @"one.key: the environment variable KEY is not set");
    assert_snapshot!(refused(&plan(), &["one"], &[("KEY", "")]), @"one.key: KEY: the secret is empty");
    assert_snapshot!(refused(&plan(), &["three"], &[]), @"three.package: the plan has no such connection");
}

/// The address for these pieces, every second a setting `host` of this value.
fn address(pieces: &[&str], value: &str, plain_http: bool) -> String {
    let mut plan = plan();
    let parts = pieces.iter().enumerate().map(|(index, piece)| match index % 2 {
        0 => Part::Text((*piece).to_owned()),
        _ => Part::Setting((*piece).to_owned()),
    });
    let package = plan.packages.get_mut("p").unwrap();
    package.base_url = Template { parts: parts.collect() };
    package.auth = Auth::None;
    let connection = plan.connections.get_mut("one").unwrap();
    connection.plain_http = plain_http;
    connection.settings.insert("host".to_owned(), crate::plan::SettingSource::Env("HOST".to_owned()));
    let given = |name: &str| Some(if name == "HOST" { value.to_owned() } else { "hush".to_owned() });
    match resolve(&plan, &["one"], &given) {
        Ok(settings) => settings["one"].base_url().to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_setting_bends_neither_host_nor_path() {
    let https = |value: &str| address(&["https://", "host", ".example.test/v1"], value, false);
    assert_eq!(https("eu-1.a"), "https://eu-1.a.example.test/v1");
    for value in ["", "a/b", "a@evil.test", "a:80", "evil.test/#", "ä", "a b", "a?b"] {
        assert_eq!(
            https(value),
            "one.base_url: settings.host stands in the host, where only letters, digits, `-` and `.` may"
        );
    }
    assert_eq!(address(&["https://a.test/", "host", "/x"], "a/ä?", false), "https://a.test/a%2F%C3%A4%3F/x");
    assert_snapshot!(address(&["https://a.test/", "host", "/x"], "..", false), @"one.base_url: `https://a.test/../x` leads to another path than it says");
    assert_snapshot!(address(&["https://", "host", ""], "-..-", false), @"https://-..-");
    assert_snapshot!(address(&["https://u:p@", "host", ""], "a.test", false), @"one.base_url: the address may hold no user, no query and no fragment");
    assert_snapshot!(address(&["https://a.test/?q=", "host", ""], "a", false), @"one.base_url: the address may hold no user, no query and no fragment");
    assert_snapshot!(address(&["ftp://", "host", ""], "a.test", true), @"one.base_url: the scheme is `ftp`, not https");
}

#[test]
fn plain_http_stays_on_this_machine_unless_allowed() {
    for host in ["localhost", "127.0.0.1", "127.9.9.9"] {
        assert_eq!(address(&["http://", "host", ":80"], host, false), format!("http://{host}:80"));
    }
    assert_eq!(address(&["http://[::1]:80"], "", false), "http://[::1]:80");
    assert_snapshot!(address(&["http://", "host", ""], "a.test", false), @"one.base_url: `http://a.test/` is neither https nor on this machine");
    assert_eq!(address(&["http://", "host", ""], "a.test", true), "http://a.test");
    // The key allows it only where the host comes from a setting.
    assert_snapshot!(address(&["http://a.test/", "host", ""], "a", true), @"one.base_url: `http://a.test/a` is neither https nor on this machine");
}

#[test]
fn a_header_that_a_setting_would_split_is_refused() {
    let mut plan = plan();
    plan.connections
        .get_mut("one")
        .unwrap()
        .settings
        .insert("region".to_owned(), crate::plan::SettingSource::Literal("\"eu\\nX-Other: 1\"".to_owned()));
    assert_snapshot!(refused(&plan, &["one"], &[("KEY", "hush")]), @"one.X-Region: a header's value holds a control character");
}

#[test]
fn a_deployable_reaches_what_it_polls_and_what_its_subscribers_call() {
    let mut plan = plan();
    assert_eq!(reached::connections(&plan, &plan.deployables["d"]), ["two"]);
    plan.subscribers.get_mut("s").unwrap().uses_origin = true;
    assert_eq!(reached::connections(&plan, &plan.deployables["d"]), ["one", "two"]);
    plan.subscribers.clear();
    plan.deployables.get_mut("d").unwrap().polls = vec![("one".to_owned(), "p".to_owned())];
    assert_eq!(reached::connections(&plan, &plan.deployables["d"]), ["one"]);
}

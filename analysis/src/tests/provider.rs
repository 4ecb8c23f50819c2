//! `provider`: version, address, settings, headers, `auth` and `retry`.

use super::{brief, check, open};
use crate::model::{Auth, Part};

/// The diagnostics of a provider with these entries besides its address.
fn provider(entries: &str) -> String {
    brief(&format!(
        "//- /provider.jadpo\nprovider coinfeed {{\n    base_url: \"https://api.coinfeed.example\"\n{entries}\n}}\n"
    ))
}

/// The diagnostics of a provider with this address.
fn address(base_url: &str) -> String {
    brief(&format!(
        "//- /provider.jadpo\nprovider coinfeed {{\n    base_url: {base_url}\n    settings: {{ host: Text  port: Int  key: Secret  site: Url  region: Text?  tags: Tags }}\n}}\npublic type Tags = Text\n"
    ))
}

#[test]
fn a_name_in_quotes_is_no_text_that_is_meant() {
    let auth = |auth| {
        brief(&format!(
            "//- /provider.jadpo\nprovider feed {{ base_url: \"https://api.x.example\"  settings: {{ key: Secret }}  auth: {auth} }}\n"
        ))
    };
    insta::assert_snapshot!(auth("bearer(\"settings.key\")"), @r#"
provider.jadpo:1:92 package.provider_invalid "settings.key" sends these letters, not what `settings.key` is
  fix: write `settings.key`
"#);
    insta::assert_snapshot!(auth("bearer(\"settings.kay\")"), @"clean");
    insta::assert_snapshot!(auth("bearer(key)"), @"
provider.jadpo:1:92 package.provider_invalid `bearer` takes a string or `settings.name` here
  fix: write `settings.key` (a choice)
");
}

#[test]
fn a_version_is_semver() {
    insta::assert_snapshot!(provider(r#"    version: "1.2""#), @r#"
provider.jadpo:3:14 package.provider_invalid "1.2" is no version by SemVer, such as "1.0.0"
  fix: write "1.2.0"
"#);
    insta::assert_snapshot!(provider(r#"    version: "latest""#), @r#"provider.jadpo:3:14 package.provider_invalid "latest" is no version by SemVer, such as "1.0.0""#);
    insta::assert_snapshot!(provider("    version: 1.2"), @"provider.jadpo:3:14 package.provider_invalid `version` takes a string, not `1.2`");
    insta::assert_snapshot!(provider(r#"    version: "1.2.0-rc.1""#), @"clean");
}

#[test]
fn an_address_is_https_or_this_machine() {
    let right = [
        r#""https://api.example.com""#,
        r#""https://api.example.com:8443/v1/""#,
        r#""https://{settings.host}.example.com/{settings.port}""#,
        r#""https://{settings.host}""#,
        r#""http://localhost:3000""#,
        r#""http://127.0.0.1:{settings.port}""#,
        r#""http://127.8.8.8""#,
        r#""http://[::1]:8080/x""#,
        r#""http://{settings.host}:{settings.port}""#,
        r#""https://example.com/{settings.tags}""#,
    ];
    for base_url in right {
        assert_eq!(address(base_url), "clean", "{base_url}");
    }
    let wrong = [
        r#""api.example.com""#,
        r#""ftp://example.com""#,
        r#""http://example.com""#,
        r#""http://127.0.0.1.example.com""#,
        r#""https://""#,
        r#""https://exa mple.com""#,
        r#""https://user:pw@example.com""#,
        r#""https://example.com?x=1""#,
        r#""https://example.com/#x""#,
        r#""https://example.com/a/../b""#,
        r#""https://example.com:99999""#,
        r#""https://{settings.hots}.example.com""#,
        r#""https://{settings.key}.example.com""#,
        r#""https://{settings.region}.example.com""#,
        r#""https://{settings.site}""#,
        r#""https://{input.host}""#,
        r#""https://{host}/x""#,
        r#""https://{settings.host/x""#,
        "settings.site",
        "settings.host",
    ];
    let found: Vec<_> = wrong.iter().map(|base_url| format!("{base_url}\n{}", address(base_url))).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
"api.example.com"
provider.jadpo:2:15 package.provider_invalid `base_url` starts with `https://`
  fix: write "https://api.example.com" (a choice)
"ftp://example.com"
provider.jadpo:2:15 package.provider_invalid `base_url` starts with `https://`
"http://example.com"
provider.jadpo:2:15 package.provider_invalid `base_url` is `https`; `http` goes to this machine only, such as `http://127.0.0.1`
  fix: write "https://example.com" (a choice)
"http://127.0.0.1.example.com"
provider.jadpo:2:15 package.provider_invalid `base_url` is `https`; `http` goes to this machine only, such as `http://127.0.0.1`
  fix: write "https://127.0.0.1.example.com" (a choice)
"https://"
provider.jadpo:2:15 package.provider_invalid `base_url` is no address: empty host
"https://exa mple.com"
provider.jadpo:2:15 package.provider_invalid `base_url` is no address: invalid international domain name
"https://user:pw@example.com"
provider.jadpo:2:15 package.provider_invalid `base_url` may hold no user and password; `auth: basic(…)` sends them
"https://example.com?x=1"
provider.jadpo:2:15 package.provider_invalid `base_url` may hold no query and no fragment; an operation has its `query:`
"https://example.com/#x"
provider.jadpo:2:15 package.provider_invalid `base_url` may hold no query and no fragment; an operation has its `query:`
"https://example.com/a/../b"
provider.jadpo:2:15 package.provider_invalid `base_url` leads to another path than it says, by a segment `.` or `..`
"https://example.com:99999"
provider.jadpo:2:15 package.provider_invalid `base_url` is no address: invalid port number
"https://{settings.hots}.example.com"
provider.jadpo:2:34 name.unknown there is no setting `hots`
  fix: write `host`
"https://{settings.key}.example.com"
provider.jadpo:2:24 package.secret_exposed `settings.key` is a secret, which can't stand in `base_url`
"https://{settings.region}.example.com"
provider.jadpo:2:24 package.provider_invalid `settings.region` may be none, and `base_url` can't do without it
"https://{settings.site}"
provider.jadpo:2:24 package.provider_invalid `settings.site` is `Url`, whose text is never a host
"https://{input.host}"
provider.jadpo:2:24 package.provider_invalid `input.host` can't stand in a provider
  fix: use `settings.host` (a choice)
"https://{host}/x"
provider.jadpo:2:24 package.provider_invalid `{host}` is no hole of `base_url`
  fix: write `{settings.host}`
"https://{settings.host/x"
provider.jadpo:2:24 package.provider_invalid a brace in `base_url` is without its other one
settings.site
provider.jadpo:2:15 package.provider_invalid `base_url` starts with `https://`
settings.host
provider.jadpo:2:15 package.provider_invalid `base_url` starts with `https://`
"#);
}

#[test]
fn a_setting_is_one_value() {
    insta::assert_snapshot!(brief(r#"
//- /provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: {
        a: Text
        b: Secret?
        c: Symbol
        d: Side?
        e: List<Text>
        f: Json
        g: Prices
        h: Map<Text, Int>
        i: Pairs
        j:
        k: "usd"
        l: 3
        "m": Text
        ApiKey: Text
        n: Texxt
        a: Int
        o: List<Secret>
    }
}
public type Symbol = Text { max_length: 3 }
public type Pairs = List<Text> { max_items: 3 }
public type Side = Enum { buy  sell }
public type Prices = Object { }
"#), @r#"
provider.jadpo:8:12 package.provider_invalid the setting `e` is a `List`, and a setting is one value
provider.jadpo:9:12 package.provider_invalid the setting `f` is `Json`, and a setting is one value
provider.jadpo:10:12 package.provider_invalid the setting `g` is an Object, and a setting is one value
provider.jadpo:11:12 package.provider_invalid the setting `h` is a `Map`, and a setting is one value
provider.jadpo:12:12 package.provider_invalid the setting `i` is a `List`, and a setting is one value
provider.jadpo:13:9 package.provider_invalid the setting `j` has no type
provider.jadpo:14:12 package.provider_invalid the setting `k` takes a type, not a string
  fix: write `Text { default: "usd" }` (a choice)
provider.jadpo:15:12 package.provider_invalid the setting `l` takes a type, not a whole number
provider.jadpo:16:9 package.provider_invalid the setting `m` is a name
  fix: write it without quotes
provider.jadpo:17:9 name.case_invalid the setting name `ApiKey` is not lower_snake_case
  fix: write `api_key` (a choice)
provider.jadpo:18:12 type.unknown there is no type `Texxt`
  fix: write `Text`
provider.jadpo:19:9 package.provider_invalid `a` is given twice
provider.jadpo:20:12 package.provider_invalid the setting `o` is a `List`, and a setting is one value
"#);
}

#[test]
fn a_default_is_a_value_of_its_type() {
    insta::assert_snapshot!(brief(r#"
//- /provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: {
        a: Text { max_length: 3  default: "euro" }
        b: Int { min: 1  max: 16  default: 17 }
        c: Int { default: "2" }
        d: Decimal { default: 0.50 }
        e: Decimal? { default: "0.5" }
        f: Bool { default: yes }
        g: Bool { default: true }
        h: Symbol { default: "EURO" }
        i: Symbol { default: "EUR" }
        j: Side { default: by }
        k: Side { default: "buy" }
        l: Side { default: sell }
        m: Duration { default: 90s }
        n: Duration { default: "PT90S" }
        o: Instant { default: "2026-11-30T09:30:00+01:00" }
        p: Date { default: "2026-02-30" }
        q: Url { default: "example.com" }
        r: Email { default: "a@b" }
        s: Uuid { default: "123" }
        t: Bytes { default: "aGk=" }
        u: Secret { default: "hush" }
        v: Text { default: }
        w: Side { default: }
        x: Text { default: usd }
        y: Open { default: "later" }
        z: Open { default: "now" }
    }
}
public type Symbol = Text { min_length: 3  max_length: 3  pattern: "[A-Z]+" }
public type Side = Enum { buy  sell as "S" }
public type Open = Enum { now  rest as other }
"#), @r#"
provider.jadpo:4:43 package.provider_invalid `default` of `a` takes a string of at most 3 characters, not "euro"
provider.jadpo:5:44 package.provider_invalid `default` of `b` takes a whole number from 1 to 16, not `17`
provider.jadpo:6:27 package.provider_invalid `default` of `c` takes a whole number, not "2"
provider.jadpo:8:32 package.provider_invalid `default` of `e` takes a number, not "0.5"
provider.jadpo:9:28 package.provider_invalid `default` of `f` takes `true` or `false`, not `yes`
provider.jadpo:11:30 package.provider_invalid `default` of `h` takes a string of 3 characters that matches `[A-Z]+`, not "EURO"
provider.jadpo:13:28 package.provider_invalid `default` of `j` takes one of `buy`, `sell`, not `by`
  fix: write `buy`
provider.jadpo:14:28 package.provider_invalid `default` of `k` takes one of `buy`, `sell`, not "buy"
  fix: write `buy`
provider.jadpo:17:32 package.provider_invalid `default` of `n` takes a duration, such as `30s`, not "PT90S"
provider.jadpo:19:28 package.provider_invalid `default` of `p` takes a day, such as "2026-11-30", not "2026-02-30"
provider.jadpo:20:27 package.provider_invalid `default` of `q` takes an absolute URL, such as "https://example.com/", not "example.com"
provider.jadpo:22:28 package.provider_invalid `default` of `s` takes a UUID with hyphens, not "123"
provider.jadpo:24:21 package.provider_invalid `u` is a secret, which has no default
provider.jadpo:25:19 type.constraint_invalid `default` has no value: it takes a value of the setting's type
provider.jadpo:26:19 type.constraint_invalid `default` has no value: it takes a value of the setting's type
provider.jadpo:27:28 package.provider_invalid `default` of `x` takes a string, not `usd`
provider.jadpo:29:28 package.provider_invalid `default` of `z` takes `now`, not "now"
  fix: write `now`
"#);
}

#[test]
fn a_header_is_named_once_and_not_the_clients() {
    insta::assert_snapshot!(brief(r#"
//- /provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: { key: Secret  office: Text? }
    auth: bearer(settings.key)
    headers: {
        "Accept": "application/json"
        accept: "text/plain"
        "Host": "example.com"
        "X Bad": "1"
        "X-Version": 3
        "X-Beta": true
        "X-Office": settings.office
        "X-Key": "k {settings.key}"
        "X-Line": "a\nb"
        "X-None":
        "X-Word": office
        "X-Other": other
        "X-Call": env("X")
        "X-Input": input.x
        "X-Missing": settings.keey
        "Authorization": "Basic x"
    }
}
"#), @r#"
provider.jadpo:7:9 package.provider_invalid the header `accept` is given twice, since case doesn't count
provider.jadpo:8:9 package.provider_invalid the header `Host` is set by the client itself
provider.jadpo:9:9 package.provider_invalid "X Bad" is no name of a header
provider.jadpo:14:19 package.provider_invalid the value of a header is one line, and U+000A can't stand in it
provider.jadpo:15:9 package.provider_invalid `X-None` has no value
provider.jadpo:16:19 package.provider_invalid `X-Word` takes a string, a number, `true`, `false` or `settings.name`, not `office`
  fix: write `settings.office`
provider.jadpo:17:20 package.provider_invalid `X-Other` takes a string, a number, `true`, `false` or `settings.name`, not `other`
  fix: write "other" (a choice)
provider.jadpo:18:19 package.provider_invalid `X-Call` takes a string, a number, `true`, `false` or `settings.name`, not a call
provider.jadpo:19:20 package.provider_invalid `input.x` can't stand in a provider
provider.jadpo:20:31 name.unknown there is no setting `keey`
  fix: write `key`
provider.jadpo:21:9 package.provider_invalid the header `Authorization` is sent by `auth` already
"#);
}

#[test]
fn auth_sends_what_settings_hold() {
    insta::assert_snapshot!(provider("    settings: { api_key: Secret  user: Text }\n    auth: bearer(settings.api_kye)"), @"
provider.jadpo:4:27 name.unknown there is no setting `api_kye`
  fix: write `api_key`
");
    insta::assert_snapshot!(provider("    auth: header(\"content-length\", \"x\")"), @"provider.jadpo:3:18 package.provider_invalid the header `content-length` is set by the client itself");
    insta::assert_snapshot!(provider("    auth: query(\"\", \"x\")"), @"provider.jadpo:3:17 package.provider_invalid `query` needs the name of a query key");
    insta::assert_snapshot!(provider("    auth: basic(\"{input.user}\", \"x\")"), @"provider.jadpo:3:18 package.provider_invalid `input.user` can't stand in a provider");
    insta::assert_snapshot!(provider("    settings: { user: Text  key: Secret }\n    auth: basic(\"{settings.user}/token\", settings.key)"), @"clean");
}

#[test]
fn the_first_wait_is_not_the_longest() {
    insta::assert_snapshot!(provider("    retry: { initial: 10s }"), @"
provider.jadpo:3:23 package.provider_invalid `initial` of `10s` is longer than `max`, `5s` by default
  fix: write `5s` (a choice)
");
    insta::assert_snapshot!(provider("    retry: { max: 100ms }"), @"
provider.jadpo:3:19 package.provider_invalid `max` of `100ms` is shorter than `initial`, `200ms` by default
  fix: write `200ms` (a choice)
");
    insta::assert_snapshot!(provider("    retry: { initial: 2s  max: 1s  attempts: 11 }"), @"
provider.jadpo:3:23 package.provider_invalid `initial` of `2s` is longer than `max` of `1s`
  fix: write `1s` (a choice)
provider.jadpo:3:46 package.provider_invalid `attempts` takes a whole number from 1 to 10, not `11`
  fix: write `10` (a choice)
");
    insta::assert_snapshot!(provider("    retry: { initial: 5s }"), @"clean");
}

#[test]
fn ranges_are_the_tables() {
    insta::assert_snapshot!(provider("    timeout: 61s\n    max_response: 65MiB\n    max_concurrent: 0\n    field_case: Snake\n    enum_case: screeming\n    webhooks: { }\n    timeout: 5s"), @"
provider.jadpo:3:14 package.provider_invalid `timeout` is a duration from `100ms` to `1m`; `61s` is longer
  fix: write `1m` (a choice)
provider.jadpo:4:19 package.provider_invalid `max_response` takes a size of at most `64MiB`, such as `8MiB`, not `65MiB`
  fix: write `64MiB` (a choice)
provider.jadpo:5:21 package.provider_invalid `max_concurrent` takes a whole number of at least 1, not `0`
  fix: write `1` (a choice)
provider.jadpo:6:17 package.provider_invalid `field_case` takes `snake`, `camel`, `pascal` or `kebab`, not `Snake`
  fix: write `snake`
provider.jadpo:7:16 package.provider_invalid `enum_case` takes `snake`, `camel`, `pascal`, `kebab` or `screaming`, not `screeming`
  fix: write `screaming`
provider.jadpo:8:5 package.provider_invalid a provider takes no key `webhooks`
provider.jadpo:9:5 package.provider_invalid `timeout` is given twice
");
}

#[test]
fn a_broken_provider_shows_its_address() {
    insta::assert_snapshot!(check("//- /provider.jadpo\nprovider coinfeed { base_url: \"http://example.com/v1\" }\n"), @r#"
[package.provider_invalid] error: `base_url` is `https`; `http` goes to this machine only, such as `http://127.0.0.1`
   ╭─[ provider.jadpo:1:31 ]
   │
 1 │ provider coinfeed { base_url: "http://example.com/v1" }
   │                               ───────────┬───────────
   │                                          ╰───────────── write "https://example.com/v1"
───╯
  fix: write "https://example.com/v1" (a choice)
"#);
}

#[test]
fn the_model_of_a_provider_has_every_default() {
    let model = open(
        r#"
//- /app.jadpo
app trading { }
connection feed { package: coinfeed }
//- /p/provider.jadpo
/// Prices.
provider coinfeed {
    base_url: "https://{settings.region}.coinfeed.example/v1/"
    settings: {
        /// Which one.
        region: Region { default: us_east }
        rate: Decimal? { default: 0.50 }
        key: Secret?
    }
    auth: query("key", settings.key)
    headers: { "X-Version": 3.10  "X-Beta": true  "Accept": "a {settings.region} b" }
    enum_case: kebab
}
public type Region = Enum { us_east  eu }
"#,
    )
    .model()
    .expect("no errors");
    let provider = &model.packages["coinfeed"].provider;
    insta::assert_snapshot!(format!("{provider:#?}"), @r#"
Provider {
    version: "0.1.0",
    base_url: Template {
        parts: [
            Text(
                "https://",
            ),
            Setting(
                "region",
            ),
            Text(
                ".coinfeed.example/v1",
            ),
        ],
    },
    settings: [
        Setting {
            name: "region",
            doc: "Which one.",
            ty: Named(
                TypeRef {
                    package: Some(
                        "coinfeed",
                    ),
                    name: "Region",
                },
            ),
            default_json: Some(
                "\"us-east\"",
            ),
        },
        Setting {
            name: "rate",
            doc: "",
            ty: Nullable(
                Decimal(
                    RangeRule {
                        min: None,
                        max: None,
                    },
                ),
            ),
            default_json: Some(
                "\"0.5\"",
            ),
        },
        Setting {
            name: "key",
            doc: "",
            ty: Nullable(
                Secret,
            ),
            default_json: None,
        },
    ],
    auth: Query(
        "key",
        Template {
            parts: [
                Setting(
                    "key",
                ),
            ],
        },
    ),
    headers: [
        (
            "X-Version",
            Template {
                parts: [
                    Text(
                        "3.1",
                    ),
                ],
            },
        ),
        (
            "X-Beta",
            Template {
                parts: [
                    Text(
                        "true",
                    ),
                ],
            },
        ),
        (
            "Accept",
            Template {
                parts: [
                    Text(
                        "a ",
                    ),
                    Setting(
                        "region",
                    ),
                    Text(
                        " b",
                    ),
                ],
            },
        ),
    ],
    timeout_ms: 10000,
    retry: Retry {
        attempts: 3,
        initial_ms: 200,
        max_ms: 5000,
    },
    max_response_bytes: 8388608,
    max_concurrent: None,
    polls: {},
}
"#);
    assert!(
        matches!(&provider.auth, Auth::Query(name, value) if name == "key" && value.parts == [Part::Setting("key".into())])
    );
}

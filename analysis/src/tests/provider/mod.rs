//! `provider`: version, address, settings, headers, `auth` and `retry`.

mod model;
mod settings;

use super::{brief, check};

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

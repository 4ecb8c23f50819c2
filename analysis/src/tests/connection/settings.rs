//! What a connection gives for the settings of its package.

use super::{PACKAGE, given, with};
use crate::tests::{brief, check, fixed};

#[test]
fn settings_that_are_needed_are_asked_for_at_once() {
    insta::assert_snapshot!(check(&with("package: coinfeed")), @r#"
[connection.key_missing] error: `feed` gives no value to the settings `api_key` and `currency` of package `coinfeed`
   ╭─[ app.jadpo:4:12 ]
   │
 4 │ connection feed { package: coinfeed }
   │            ──┬─
   │              ╰─── give `api_key` and `currency`
   │
   ├─[ packages/coinfeed/provider.jadpo:5:9 ]
   │
 5 │         api_key: Secret
   │         ───┬───
   │            ╰───── declared here, without a default
   │
   │ Help: write `api_key: env("FEED_API_KEY")  currency: env("FEED_CURRENCY")` in `settings`
───╯
  fix: give `api_key` and `currency` (a choice)
"#);
    insta::assert_snapshot!(brief(&with("package: coinfeed  settings: { currency: \"usd\" }")), @"
app.jadpo:4:38 connection.key_missing `feed` gives no value to the setting `api_key` of package `coinfeed`
  fix: give `api_key` (a choice)
");
    insta::assert_snapshot!(brief(&with("package: coinfeed  settings: { }")), @"
app.jadpo:4:38 connection.key_missing `feed` gives no value to the settings `api_key` and `currency` of package `coinfeed`
  fix: give `api_key` and `currency` (a choice)
");
    let repaired = fixed(&with("package: coinfeed  settings: { currency: \"usd\" }"));
    assert!(
        repaired.contains("settings: { currency: \"usd\"  api_key: env(\"FEED_API_KEY\") }"),
        "{repaired}"
    );
    let repaired = fixed(&with("package: coinfeed"));
    assert_eq!(brief(&format!("{repaired}{PACKAGE}")), "clean");
}

#[test]
fn a_misspelt_setting_is_not_a_missing_one_too() {
    insta::assert_snapshot!(check(&with("package: coinfeed  settings: { api_kye: env(\"K\")  currency: \"usd\" }")), @r#"
[connection.key_invalid] error: package `coinfeed` has no setting `api_kye`
   ╭─[ app.jadpo:4:50 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_kye: env("K")  currency: "usd" } }
   │                                                  ───┬───
   │                                                     ╰───── did you mean `api_key`?
───╯
  fix: write `api_key`
"#);
    insta::assert_snapshot!(brief(&given("").replace("currency: \"usd\"", "currency: \"usd\"  colour: 1")), @"app.jadpo:4:97 connection.key_invalid package `coinfeed` has no setting `colour`");
}

#[test]
fn a_package_without_settings_takes_none() {
    let text = "app trading { }\nconnection feed { package: p  settings: { x: 1  y: 2 } }\n\
                //- /p/provider.jadpo\nprovider p { base_url: \"https://p.example\" }\n";
    insta::assert_snapshot!(check(text), @r#"
[connection.key_invalid] error: package `p` has no settings
   ╭─[ app.jadpo:2:31 ]
   │
 2 │ connection feed { package: p  settings: { x: 1  y: 2 } }
   │                               ────┬───
   │                                   ╰───── it takes none
   │
   ├─[ p/provider.jadpo:1:10 ]
   │
 1 │ provider p { base_url: "https://p.example" }
   │          ┬
   │          ╰── the package
───╯
"#);
}

#[test]
fn a_secret_is_never_written_down() {
    let text = given("").replace("env(\"COINFEED_KEY\")", "\"hunter2\"");
    insta::assert_snapshot!(check(&text), @r#"
[connection.value_invalid] error: `api_key` is a `Secret`, which is never written down
   ╭─[ app.jadpo:4:59 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: "hunter2"  currency: "usd" }   }
   │                                                           ────┬────
   │                                                               ╰────── write `env("FEED_API_KEY")`
   │
   ├─[ packages/coinfeed/provider.jadpo:5:9 ]
   │
 5 │         api_key: Secret
   │         ───┬───
   │            ╰───── declared here
   │
   │ Help: `env("FEED_API_KEY")` reads it from the environment at start-up
───╯
  fix: write `env("FEED_API_KEY")` (a choice)
"#);
    assert!(fixed(&text).contains("api_key: env(\"FEED_API_KEY\")"));
}

#[test]
fn a_literal_is_read_by_the_type_of_its_setting() {
    let wrong =
        |entry: &str| brief(&given("").replace("currency: \"usd\"", &format!("currency: \"usd\"  {entry}")));
    insta::assert_snapshot!(check(&given("").replace("\"usd\"", "\"euro\"")), @r#"
[connection.value_invalid] error: `currency` takes a string of 3 characters, not "euro"
   ╭─[ app.jadpo:4:90 ]
   │
 4 │ connection feed { package: coinfeed  settings: { api_key: env("COINFEED_KEY")  currency: "euro" }   }
   │                                                                                          ───┬──
   │                                                                                             ╰──── here
   │
   ├─[ packages/coinfeed/provider.jadpo:6:9 ]
   │
 6 │         currency: Currency
   │         ────┬───
   │             ╰───── declared here as `Currency`
───╯
"#);
    insta::assert_snapshot!(wrong("depth: 51"), @"app.jadpo:4:104 connection.value_invalid `depth` takes a whole number from 1 to 50, not `51`");
    insta::assert_snapshot!(wrong("depth: \"5\""), @r#"app.jadpo:4:104 connection.value_invalid `depth` takes a whole number from 1 to 50, not "5""#);
    insta::assert_snapshot!(wrong("side: SELL"), @"
app.jadpo:4:103 connection.value_invalid `side` takes one of `buy`, `sell`, not `SELL`
  fix: write `sell`
");
    insta::assert_snapshot!(wrong("side: \"SELL\""), @r#"
app.jadpo:4:103 connection.value_invalid `side` takes one of `buy`, `sell`, not "SELL"
  fix: write `sell`
"#);
    insta::assert_snapshot!(wrong("proxy: \"example\""), @r#"app.jadpo:4:104 connection.value_invalid `proxy` takes an absolute URL, such as "https://example.com/", not "example""#);
    insta::assert_snapshot!(wrong("side: "), @r#"
app.jadpo:4:97 connection.value_invalid `side` has no value
  fix: write `env("FEED_SIDE")` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: evn(\"DEPTH\")"), @r#"
app.jadpo:4:104 connection.value_invalid `depth` takes a value or `env("NAME")`, not `evn(…)`
  fix: write `env`
"#);
    insta::assert_snapshot!(wrong("depth: env(DEPTH)"), @r#"
app.jadpo:4:108 connection.value_invalid `env` takes the name of one environment variable, as a string
  fix: write `"DEPTH"` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: env()"), @r#"
app.jadpo:4:104 connection.value_invalid `env` takes the name of one environment variable, as a string
  fix: write `env("FEED_DEPTH")` (a choice)
"#);
    insta::assert_snapshot!(wrong("depth: env(\"A B\")"), @r#"app.jadpo:4:108 connection.value_invalid no environment variable can be called "A B""#);
    insta::assert_snapshot!(wrong("depth: 5min"), @"
app.jadpo:4:104 syntax.number_invalid `5min` is no number of a known unit
  fix: write `5m`
");
    insta::assert_snapshot!(wrong("depth: 5  depth: 6"), @"app.jadpo:4:107 connection.key_duplicate `depth` is given twice");
    assert_eq!(wrong("proxy: \"https://proxy.example\"  side: buy  depth: env(\"DEPTH\")"), "clean");
}

#[test]
fn a_value_can_be_sent_where_the_package_sends_it() {
    let text = |region: &str, default: &str| {
        format!(
            "app trading {{ }}\nconnection feed {{ package: p  settings: {{ region: {region}  label: {region} }} }}\n\
//- /packages/p/provider.jadpo\n\
provider p {{\n    base_url: \"https://{{settings.region}}.p.example/{{settings.label}}\"\n    \
settings: {{ region: Text  label: Text  zone: Text {{ default: {default} }} }}\n    \
headers: {{ \"X-Zone\": settings.zone  \"X-Label\": \"l {{settings.label}}\" }}\n}}\n\
public operation act {{ method: GET  path: \"/act\" }}\n"
        )
    };
    assert_eq!(brief(&text("\"eu-1.a\"", "\"two words\"")), "clean");
    insta::assert_snapshot!(brief(&text("\"a/b\"", "\"a\\nb\"")), @"
app.jadpo:2:51 connection.value_invalid `region` stands in the host of `base_url`, where only letters, digits, `-` and `.` may
packages/p/provider.jadpo:3:66 package.provider_invalid the default of `zone` stands in a header, whose value is one line
");
    insta::assert_snapshot!(brief(&text("\"\"", "\"a\\tb\"")), @"app.jadpo:2:51 connection.value_invalid `region` stands in the host of `base_url`, where only letters, digits, `-` and `.` may");
    insta::assert_snapshot!(brief(&text("\"a\\rb\"", "\"\\\\n\"")), @"
app.jadpo:2:51 connection.value_invalid `region` stands in the host of `base_url`, where only letters, digits, `-` and `.` may
app.jadpo:2:66 connection.value_invalid `label` stands in a header, whose value is one line
");
}

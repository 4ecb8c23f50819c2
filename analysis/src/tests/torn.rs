//! A mistake in the text is one mistake: what could not be read is neither judged nor missed.

use insta::assert_snapshot;

use super::brief;

/// An app that hears the event of this package's one poll.
fn with_package(package: &str) -> String {
    let app = r#"
//- /app.jadpo
app trading { }
store main { engine: sqlite("data/trading.db") }
connection feed { package: coinfeed }
subscriber update { on: coinfeed.Changed }
deployable server { target: native }
//- /coinfeed/provider.jadpo
"#;
    format!("{app}{package}")
}

const POLLED: &str = r#"
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    polls: { prices: { call: fetch  every: 5m  emits: Changed } }
}
operation fetch { method: GET  path: "/prices"  output: Prices }
public type Changed = Event { btc: List<Text> }
"#;

#[test]
fn a_type_that_cannot_be_read_in_full_is_compared_with_nothing() {
    let answer = |ty| brief(&with_package(&format!("{POLLED}type Prices = Object {{ btc: {ty} }}\n")));
    assert_snapshot!(answer("List<Texxt>"), @"
coinfeed/provider.jadpo:8:34 type.unknown there is no type `Texxt`
  fix: write `Text`
");
    assert_snapshot!(answer("List<Secret>"), @"coinfeed/provider.jadpo:8:34 type.value_invalid a `Secret` stands in a provider's `settings:` only");
    assert_snapshot!(answer("Lines }  type Lines = List<Texxt>  type Other = Object { a: Text"), @"
coinfeed/provider.jadpo:8:56 type.unknown there is no type `Texxt`
  fix: write `Text`
");
}

#[test]
fn a_broken_entry_says_no_more_and_its_neighbours_are_judged() {
    let store = |store| brief(&format!("//- /app.jadpo\napp trading {{ }}\nstore main {{ {store} }}\n"));
    assert_snapshot!(store(r#"engine: sqlite "a.db")  keep: 5"#), @r#"
app.jadpo:2:29 syntax.expected expected a key or `}`, found `"a.db"`
app.jadpo:2:44 store.value_invalid `keep` takes a duration of a minute or more, not `5`
"#);
    assert_snapshot!(store(r#"engine: ("a.db")  keep: 5"#), @"
app.jadpo:2:22 syntax.expected expected a value, found `(`
app.jadpo:2:38 store.value_invalid `keep` takes a duration of a minute or more, not `5`
");
    assert_snapshot!(store(r#"engine sqlite: ("a.db")  kep: 5m"#), @"
app.jadpo:2:14 syntax.expected expected a key or `}`, found `engine`
app.jadpo:2:39 store.key_invalid a store takes no key `kep`
  fix: write `keep`
");
}

#[test]
fn what_other_languages_write_is_repaired() {
    let provider = |text| brief(&format!("//- /provider.jadpo\n{text}\n"));
    assert_snapshot!(provider("# Prices\nprovider coinfeed {\n    base_url: \"https://x.example\" # here\n}"), @"
provider.jadpo:1:1 syntax.character_invalid a comment begins with `//`
  fix: write `//`
provider.jadpo:3:35 syntax.character_invalid a comment begins with `//`
  fix: write `//`
");
    assert_snapshot!(provider(r#"provider coinfeed { "base_url": "https://x.example"  timeout: "5s" }"#), @"
provider.jadpo:1:21 package.provider_invalid the key `base_url` stands without quotes
  fix: write `base_url`
provider.jadpo:1:63 package.provider_invalid `timeout` takes a duration from `100ms` to `1m`, not a string
  fix: write `5s`
");
    assert_snapshot!(provider("provider coinfeed { base_url: \"https://x.example\"  pages: { a: 1 } }"), @"provider.jadpo:1:52 package.provider_invalid a provider takes no key `pages`");
}

#[test]
fn a_value_followed_by_a_colon_lacks_a_key() {
    let provider = |entries| brief(&format!("//- /provider.jadpo\nprovider coinfeed {{ {entries} }}\n"));
    assert_snapshot!(provider(r#"version: "1.0.0" : "https://coinfeed.example""#), @"provider.jadpo:1:30 package.provider_invalid the value of `version` is followed by a `:` without a key");
    assert_snapshot!(provider("version:\n    bse_url: \"https://coinfeed.example\""), @"
provider.jadpo:1:21 package.provider_invalid `version` has no value: it takes a string
provider.jadpo:2:5 package.provider_invalid a provider takes no key `bse_url`
  fix: write `base_url`
");
}

#[test]
fn a_missing_brace_makes_no_key_unknown() {
    let provider = |entries| {
        brief(&format!(
            "//- /provider.jadpo\nprovider coinfeed {{\n    base_url: \"https://coinfeed.example\"\n{entries}\n}}\n"
        ))
    };
    assert_snapshot!(provider("    settings:\n        key: Secret\n    }\n    timeout: 5s"), @"
provider.jadpo:4:9 syntax.expected expected `{` after `settings:`, found `key`
  fix: write `{`
");
    assert_snapshot!(provider("    retry: { attempts: 2 } }\n    timeout: 5s"), @"
provider.jadpo:3:28 syntax.brace_unexpected this `}` closes nothing
  fix: remove the `}`
");
    assert_snapshot!(provider("    polls: {\n        prices:\n            call: fetch\n            every: 5m\n        }\n    }"), @"
provider.jadpo:5:13 syntax.expected expected `{` after `prices:`, found `call`
  fix: write `{`
");
}

#[test]
fn what_a_broken_head_may_declare_is_not_missed() {
    let types = |types| brief(&with_package(&format!("{POLLED}{types}\n")));
    assert_snapshot!(types("type = Object { btc: List<Text> }"), @"coinfeed/provider.jadpo:8:6 syntax.expected expected a name, found `=`");
    assert_snapshot!(types("Prices { btc: List<Text> }"), @"coinfeed/provider.jadpo:8:1 syntax.keyword_unknown `Prices` begins no declaration");
    assert_snapshot!(types("object Prices { btc: List<Text> }"), @"
coinfeed/provider.jadpo:8:1 syntax.keyword_unknown `object` begins no declaration
  fix: write `type Prices = Object`
");
    assert_snapshot!(types("type Price = Object { btc: List<Text> }"), @"
coinfeed/provider.jadpo:6:57 type.unknown there is no type `Prices`
  fix: write `Price`
");
    assert_snapshot!(types("type Prices = Objec { btc: List<Text> }"), @"
coinfeed/provider.jadpo:8:15 type.unknown there is no type `Objec`
  fix: write `Object`
");
}

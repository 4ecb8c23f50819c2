//! `settings` of a provider and their defaults.

use crate::tests::brief;

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

//! Constraints of types, and whether a value can meet them.

use super::types;
use crate::tests::check;

#[test]
fn constraints_fit_their_type() {
    insta::assert_snapshot!(types(r#"
type Order = Object {
    a: Int { min_length: 3 }
    b: Text { min: 3 }
    c: Bool { min: 3  max: 4 }
    d: Symbol { max_length: 2 }
    e: Map<Text, Int> { min_items: 2 }
    f: Int { mim: 3 }
    g: Int { min: 1  min: 2 }
    h: Text { default: "x" }
    i: Date { default: "2026-11-30" }
    j: Int { }
    k: Decimal { min: "3" }
    l: Decimal { min: 3s }
    m: Decimal { max: 79228162514264337593543950336 }
    n: Int { min: 0.5 }
    o: Int { max: 99999999999999999999 }
    p: List<Text> { min_items: -1 }
    q: Instant { wire: unix }
    r: Bytes { wire: base46url }
    s: Text { max_length: }
    t: Symbol { default: "x" }
}
type Symbol = Text { max_length: 3 }
type Tag = Text { }
"#), @"
app.jadpo:4:14 type.constraint_invalid `Int` takes no key `min_length`
app.jadpo:5:15 type.constraint_invalid `Text` takes no key `min`
app.jadpo:6:15 type.constraint_invalid `Bool` takes no constraint `min`
app.jadpo:7:17 type.constraint_invalid `max_length` can't be put on `Symbol` here
app.jadpo:8:25 type.constraint_invalid `Map` takes no constraint `min_items`
app.jadpo:9:14 type.constraint_invalid `Int` takes no key `mim`
  fix: write `min`
app.jadpo:10:22 type.constraint_invalid `min` is given twice
app.jadpo:11:15 type.constraint_invalid `default` belongs to a provider's `settings:`
app.jadpo:12:15 type.constraint_invalid `default` belongs to a provider's `settings:`
app.jadpo:13:12 type.constraint_invalid the block after `Int` is empty
  fix: remove it
app.jadpo:14:23 type.constraint_invalid a bound of `Decimal` is a number, not a string
app.jadpo:15:23 type.constraint_invalid a bound of `Decimal` is a number, not `3s`
app.jadpo:16:23 type.constraint_invalid `79228162514264337593543950336` has more digits than a `Decimal` can hold
app.jadpo:17:19 type.constraint_invalid `min` takes a whole number, not `0.5`
app.jadpo:18:19 type.constraint_invalid `max` takes a whole number, not `99999999999999999999`
  fix: write `9223372036854775807` (a choice)
app.jadpo:19:32 type.constraint_invalid `min_items` takes a whole number of at least 0, not `-1`
  fix: write `0` (a choice)
app.jadpo:20:24 type.constraint_invalid `wire` takes `unix_s`, `unix_ms` or `rfc2822`, not `unix`
  fix: write `unix_s`
app.jadpo:21:22 type.constraint_invalid `wire` takes `base64url` or `hex`, not `base46url`
  fix: write `base64url`
app.jadpo:22:15 type.constraint_invalid `max_length` has no value: it takes a whole number of at least 0
app.jadpo:23:17 type.constraint_invalid `default` belongs to a provider's `settings:`
");
}

#[test]
fn constraints_can_hold() {
    insta::assert_snapshot!(check(
        "app trading { }\ntype Volume = Int { min: 10  max: 1 }\n"
    ), @"
[type.constraint_invalid] error: no value has `min: 10` and `max: 1`
   ╭─[ app.jadpo:2:26 ]
   │
 2 │ type Volume = Int { min: 10  max: 1 }
   │                          ─┬       ┬
   │                           ╰────────── above `max`
   │                                   │
   │                                   ╰── `max` is 1
───╯
");
    insta::assert_snapshot!(types(r#"
type Order = Object {
    a: Decimal { min: 0.25  max: 0.2 }
    b: Text { min_length: 4  max_length: 3 }
    c: List<Text> { min_items: 2  max_items: 1 }
    d: Int { min: 3  max: 3 }
    e: Decimal { min: -0.5  max: -0.25 }
    f: Text { pattern: "[A-Z" }
    g: Text { pattern: "\\p{L}+" }
    h: Text { pattern: "(?=a)b" }
    i: Text { pattern: "a|b" }
}
"#), @"
app.jadpo:4:23 type.constraint_invalid no value has `min: 0.25` and `max: 0.2`
app.jadpo:5:27 type.constraint_invalid no value has `min_length: 4` and `max_length: 3`
app.jadpo:6:32 type.constraint_invalid no value has `min_items: 2` and `max_items: 1`
app.jadpo:9:24 type.constraint_invalid `pattern` is no regular expression: found unclosed character class
app.jadpo:10:24 type.constraint_invalid `pattern` is no regular expression: Unicode character classes are not supported
app.jadpo:11:24 type.constraint_invalid `pattern` is no regular expression: look-around is not supported
");
}

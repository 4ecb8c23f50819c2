//! `type`: names, arguments, constraints, fields, variants, events and cycles.

mod constraints;
mod cycles;

use super::{brief, check, fixed, open};
use crate::model::{Type, TypeKind, VariantWire};

/// The diagnostics of types in an app.
fn types(text: &str) -> String {
    brief(&format!("app trading {{ }}\n{text}"))
}

#[test]
fn an_unknown_type_offers_the_nearest() {
    insta::assert_snapshot!(check("app trading { }\ntype Order = Object { price: Decimla }\n"), @"
[type.unknown] error: there is no type `Decimla`
   ╭─[ app.jadpo:2:30 ]
   │
 2 │ type Order = Object { price: Decimla }
   │                              ───┬───
   │                                 ╰───── did you mean `Decimal`?
───╯
  fix: write `Decimal`
");
    insta::assert_snapshot!(fixed("app trading { }\ntype Order = Object { price: Decimla }\n"), @"
app trading { }
type Order = Object { price: Decimal }
");
    insta::assert_snapshot!(types(r"
type Order = Object {
    a: String
    b: text
    c: Ordr
    d: coinfeed.Prices
    e: a.b.C
    f: Map<Strin, Quux>
    g: Order2<Text>
}
"), @"
app.jadpo:4:8 type.unknown there is no type `String`
  fix: write `Text`
app.jadpo:5:8 type.unknown there is no type `text`
  fix: write `Text`
app.jadpo:6:8 type.unknown there is no type `Ordr`
  fix: write `Order`
app.jadpo:7:8 type.unknown there is no package `coinfeed`
app.jadpo:8:8 type.unknown a type is written `Name`, and one of a package `package.Name`, in an app only
app.jadpo:9:12 type.unknown there is no type `Strin`
app.jadpo:9:19 type.unknown there is no type `Quux`
app.jadpo:10:8 type.unknown there is no type `Order2`
  fix: write `Order`
");
}

#[test]
fn lists_and_maps_have_their_arguments() {
    insta::assert_snapshot!(types(r"
type Order = Object {
    a: List
    b: List<Text, Int>
    c: Map<Text>
    d: Map<Text, Int, Bool>
    e: Text<Int>?
    f: Symbol<Text>
    g: Map
}
type Symbol = Text { max_length: 3 }
"), @"
app.jadpo:4:8 type.value_invalid `List` is written `List<T>`
app.jadpo:5:19 type.value_invalid `List` takes one type, not 2
app.jadpo:6:8 type.value_invalid `Map` takes a key and a value, not one type
app.jadpo:7:23 type.value_invalid `Map` takes a key and a value, not 3 types
app.jadpo:8:13 type.value_invalid `Text` takes no types between `<` and `>`
  fix: remove them
app.jadpo:9:15 type.value_invalid `Symbol` takes no types between `<` and `>`
  fix: remove them
app.jadpo:10:8 type.value_invalid `Map` is written `Map<K, V>`
");
}

#[test]
fn a_key_of_a_map_is_written_as_text() {
    insta::assert_snapshot!(types(r"
type Order = Object {
    a: Map<Text, Int>
    b: Map<Symbol, Int>
    c: Map<Side, Int>
    d: Map<Date, Int>
    e: Map<Uuid, Int>
    f: Map<Name, Int>
    g: Map<Int, Int>
    h: Map<Text?, Int>
    i: Map<Maybe, Int>
    j: Map<Order, Int>
    k: Map<Count, Int>
    l: Map<List<Text>, Int>
    m: Map<Slug, Int>
    n: Map<Slug2, Int>
    o: Map<Today, Int>
    p: Map<Way, Int>
    q: Map<Day, Int>
    r: Map<Birthday, Int>
    s: Map<Id, Int>
    t: Map<Heading, Int>
    u: Map<Later, Int>
}
type Slug = Symbol { }
type Slug2 = Name { }
type Today = Date
type Way = Side
type Day = Date { }
type Birthday = Day
type Id = Uuid { }
type Heading = Side { }
type Later = Day { }
type Symbol = Text { max_length: 3 }
type Name = Symbol
type Maybe = Text?
type Count = Int { min: 0 }
type Side = Enum { buy  sell }
"), @"
app.jadpo:10:12 type.value_invalid `Int` can't be the key of a `Map`
app.jadpo:11:12 type.value_invalid `Text?` can't be the key of a `Map`: it may be null
app.jadpo:12:12 type.value_invalid `Maybe` can't be the key of a `Map`: it may be null
app.jadpo:13:12 type.value_invalid `Order` can't be the key of a `Map`: it is an Object
app.jadpo:14:12 type.value_invalid `Count` can't be the key of a `Map`: it is `Int`
app.jadpo:15:12 type.value_invalid `List<Text>` can't be the key of a `Map`: it is a `List`
app.jadpo:20:12 type.value_invalid `Day` can't be the key of a `Map`: it is a type of its own made of `Date`
app.jadpo:21:12 type.value_invalid `Birthday` can't be the key of a `Map`: it is a type of its own made of `Date`
app.jadpo:22:12 type.value_invalid `Id` can't be the key of a `Map`: it is a type of its own made of `Uuid`
app.jadpo:23:12 type.value_invalid `Heading` can't be the key of a `Map`: it is a type of its own made of `Side`
app.jadpo:24:12 type.value_invalid `Later` can't be the key of a `Map`: it is a type of its own made of `Day`
");
}

#[test]
fn null_is_there_once() {
    insta::assert_snapshot!(types(r"
type Note = Text?
type Memo = Note
type Short = Text? { max_length: 3 }
type Order = Object { a: Note?  b: List<Memo?>  c: Short?  d: Note optional  e: List<Text?>? }
"), @"
app.jadpo:6:30 type.value_invalid `Note` may be null already, so its `?` says nothing
  fix: remove the `?`
app.jadpo:6:45 type.value_invalid `Memo` may be null already, so its `?` says nothing
  fix: remove the `?`
app.jadpo:6:57 type.value_invalid `Short` may be null already, so its `?` says nothing
  fix: remove the `?`
");
}

#[test]
fn a_secret_stands_in_settings_only() {
    insta::assert_snapshot!(types(r"
type Key = Secret
type Order = Object { key: Secret  keys: List<Secret> }
"), @"
app.jadpo:3:12 type.value_invalid a `Secret` stands in a provider's `settings:` only
app.jadpo:4:28 type.value_invalid a `Secret` stands in a provider's `settings:` only
app.jadpo:4:47 type.value_invalid a `Secret` stands in a provider's `settings:` only
");
}

#[test]
fn each_field_has_its_own_name() {
    insta::assert_snapshot!(types(r#"
type Order = Object { price: Int  price: Text  Volume: Int  side: Int as "price"  sum: Int as "sum2"  tax: Int as "sum2" }
type Deep = Object { a: Int at "/x"  b: Int at "/x"  x: Int }
"#), @r#"
app.jadpo:3:35 name.duplicate the field `price` is declared twice
app.jadpo:3:48 name.case_invalid the field name `Volume` is not lower_snake_case
  fix: write `volume` (a choice)
app.jadpo:3:74 type.wire_name_duplicate `price` and `side` are both called "price" on the wire
app.jadpo:3:115 type.wire_name_duplicate `sum` and `tax` are both called "sum2" on the wire
"#);
    insta::assert_snapshot!(brief(r#"
//- /provider.jadpo
provider coinfeed { base_url: "https://api.coinfeed.example"  field_case: camel  enum_case: screaming }
public type Order = Object { fetched_at: Instant  fetched: Instant as "fetchedAt" }
public type Side = Enum { buy_now  sell as "BUY_NOW" }
"#), @r#"
provider.jadpo:2:71 type.wire_name_duplicate `fetched_at` and `fetched` are both called "fetchedAt" on the wire
provider.jadpo:3:44 type.wire_name_duplicate `buy_now` and `sell` are both sent as "BUY_NOW"
"#);
}

#[test]
fn modifiers_stand_once_and_together() {
    insta::assert_snapshot!(types(r#"
type Order = Object {
    a: Int optional optional
    b: Int as "x" as "y"
    c: Int at "/x" as "c2"
    d: Int as "d2" optional at "/d"
    e: Int at "x/y"
    f: Int at ""
    g: Int at "/a~b"
    h: Int at "/a~1b/0" optional
}
"#), @r#"
app.jadpo:4:21 type.modifier_invalid `optional` stands twice on the field `a`
app.jadpo:5:19 type.modifier_invalid `as` stands twice on the field `b`
app.jadpo:6:20 type.modifier_invalid the field `c` has both `as` and `at`
app.jadpo:7:29 type.modifier_invalid the field `d` has both `as` and `at`
app.jadpo:8:15 type.value_invalid `at` of the field `e` is no JSON Pointer
  fix: write "/x/y"
app.jadpo:9:15 type.value_invalid `at` of the field `f` names no place inside its object
app.jadpo:10:15 type.value_invalid `at` of the field `g` is no JSON Pointer
"#);
}

#[test]
fn an_enum_is_of_one_sort() {
    insta::assert_snapshot!(types(r#"
type None = Enum { }
type Mixed = Enum { a as 1  b  c as "c" }
type Mixed2 = Enum { a  b as 2  c as other }
type Others = Enum { a  b as other  c as other }
type Twice = Enum { a  a  b as "x"  c as "x"  d as 1.5 }
type Ints = Enum { a as 1  b as 0x1 }
type Large = Enum { a as 99999999999999999999 }
type Fine = Enum { a as -1  b as 0  other as 2  rest as other }
type Named = Enum { Buy }
"#), @r#"
app.jadpo:3:6 type.value_invalid the Enum `None` has no variant, so it has no value
app.jadpo:4:29 type.value_invalid `b` is sent as text, but `a` as an integer
app.jadpo:5:30 type.value_invalid `b` is sent as an integer, but `a` as text
app.jadpo:6:42 type.value_invalid `b` is the catch-all already, so `c` can't be
app.jadpo:7:24 name.duplicate the variant `a` is declared twice
app.jadpo:7:42 type.wire_name_duplicate `b` and `c` are both sent as "x"
app.jadpo:7:52 type.value_invalid `d` is sent as a string or an integer, not as `1.5`
app.jadpo:8:33 syntax.number_invalid `0x1` is no number of a known unit
  fix: write `1`
app.jadpo:9:26 type.value_invalid `a` is sent as an integer of at most 64 bits
app.jadpo:11:21 name.case_invalid the variant name `Buy` is not lower_snake_case
  fix: write `buy` (a choice)
"#);
}

#[test]
fn an_event_has_one_name_and_one_time() {
    insta::assert_snapshot!(types(r#"
type Paid = Event { wire_name: "invoice.paid"  wire_name: "invoice.settled"  occurred_at: Text }
type Sent = Event { wire_name: ""  occurred_at: Instant? }
type Told = Event { occurred_at: Text }
"#), @"
app.jadpo:3:48 type.value_invalid `wire_name` is given twice
app.jadpo:3:91 type.value_invalid `occurred_at` is when the event happened: an `Instant`
app.jadpo:4:32 type.value_invalid `wire_name` is the name that the provider sends, not nothing
");
}

#[test]
fn what_apps_see_is_public() {
    insta::assert_snapshot!(check(r#"
//- /provider.jadpo
provider coinfeed { base_url: "https://api.coinfeed.example" }
public operation fetch_prices { method: GET  path: "/v1/prices"  output: List<Prices>? }
type Prices = Object { btc: Decimal }
"#), @r#"
[package.type_private] error: `Prices` is private, but the public operation `fetch_prices` names it
   ╭─[ provider.jadpo:3:6 ]
   │
 2 │ public operation fetch_prices { method: GET  path: "/v1/prices"  output: List<Prices>? }
   │                  ──────┬─────
   │                        ╰─────── this operation is public
 3 │ type Prices = Object { btc: Decimal }
   │      ───┬──
   │         ╰──── make it public
   │
   │ Help: write `public type Prices`
───╯
  fix: make it public
"#);
    insta::assert_snapshot!(brief(r#"
//- /provider.jadpo
provider coinfeed { base_url: "https://api.coinfeed.example" }
public operation list_orders { method: GET  path: "/v1/{input.day}"  input: Day  output: Orders }
public type Orders = Object { orders: List<Order>  next: Map<Cursor, Order> }
type Order = Object { side: Side  again: Order? }
type Side = Enum { buy  sell }
type Cursor = Text { max_length: 3 }
type Day = Object { day: Date }
type Own = Object { other: Own2 }
type Own2 = Object { }
public type Filled = Event { order: Order }
operation fetch { method: GET  path: "/v1"  output: Own }
"#), @"
provider.jadpo:4:6 package.type_private `Order` is private, but the public type `Orders` holds it
  fix: make it public
provider.jadpo:5:6 package.type_private `Side` is private, but `Order`, which apps can see, holds it
  fix: make it public
provider.jadpo:6:6 package.type_private `Cursor` is private, but the public type `Orders` holds it
  fix: make it public
provider.jadpo:7:6 package.type_private `Day` is private, but the public operation `list_orders` names it
  fix: make it public
");
}

#[test]
fn broken_types_are_reported_by_the_syntax_alone() {
    insta::assert_snapshot!(types("type Order = Object { price: List<  volume: Int }\ntype Other = Object { order: Order }\n"), @"app.jadpo:2:37 syntax.expected expected a type, found `volume`");
}

#[test]
fn the_model_has_wire_names_and_boxes() {
    let workspace = open(
        r#"
//- /app.jadpo
app trading { }
store main { engine: sqlite("x.db") }
connection feed { package: coinfeed }
/// A day's orders.
type Day = Object { orders: List<coinfeed.Order>  day: Date }
//- /p/provider.jadpo
provider coinfeed { base_url: "https://api.coinfeed.example"  field_case: camel  enum_case: screaming }
/// What was ordered.
public type Order = Object {
    /// When.
    ordered_at: Instant { wire: unix_ms }
    side: Side as "s"
    parent: Order? optional
    deep: Int at "/a/b"
    kids: List<Order>
    other: Other optional
}
public type Other = Object { order: Link }
public type Link = Order?
public type Tree = List<Tree>
public type Symbol = Text { max_length: 3  pattern: "[A-Z]+" }
public type Share = Decimal? { min: 0  max: 1.50 }
public type Side = Enum { buy_now  sell as "S"  unknown as other }
public type Level = Enum { low as 1  high as 2 }
"#,
    );
    let model = workspace.model().expect("no errors");
    let package = &model.packages["coinfeed"];
    let TypeKind::Object { fields } = &package.types["Order"].kind else { panic!("an object") };
    let fields: Vec<_> = fields
        .iter()
        .map(|it| format!("{} {} {:?} {} {} {:?}", it.name, it.wire, it.at, it.optional, it.boxed, it.doc))
        .collect();
    insta::assert_snapshot!(fields.join("\n"), @r#"
ordered_at orderedAt None false false "When."
side s None false false ""
parent parent None true true ""
deep deep Some("/a/b") false false ""
kids kids None false false ""
other other None true true ""
"#);
    let kind = |name: &str| &package.types[name].kind;
    assert!(matches!(kind("Tree"), TypeKind::Alias { recursive: true, target: Type::List(..) }));
    assert!(matches!(kind("Link"), TypeKind::Alias { recursive: false, .. }));
    insta::assert_snapshot!(format!("{:?}\n{:?}", kind("Symbol"), kind("Share")), @r#"
Newtype(Text(TextRule { min_length: None, max_length: Some(3), pattern: Some("[A-Z]+") }))
Newtype(Nullable(Decimal(RangeRule { min: Some("0"), max: Some("1.5") })))
"#);
    let TypeKind::Enum { variants, integers: false } = kind("Side") else { panic!("texts") };
    let wires: Vec<_> = variants.iter().map(|variant| variant.wire.clone()).collect();
    assert_eq!(
        wires,
        [VariantWire::Text("BUY_NOW".into()), VariantWire::Text("S".into()), VariantWire::Other]
    );
    assert!(matches!(kind("Level"), TypeKind::Enum { integers: true, .. }));
    insta::assert_snapshot!(format!("{:?}", model.app.types["Day"]), @r#"TypeDef { name: "Day", doc: "A day's orders.", public: false, kind: Object { fields: [Field { name: "orders", doc: "", wire: "orders", at: None, optional: false, boxed: false, ty: List(Named(TypeRef { package: Some("coinfeed"), name: "Order" }), ItemsRule { min_items: None, max_items: None }) }, Field { name: "day", doc: "", wire: "day", at: None, optional: false, boxed: false, ty: Date }] } }"#);
}

#[test]
fn an_event_has_a_wire_name_of_its_own() {
    let types = "type Paid = Event { wire_name: \"invoice.paid\" }\ntype Settled = Event { wire_name: \"invoice.paid\" }";
    insta::assert_snapshot!(brief(&format!("//- /app.jadpo\napp trading {{ }}\n{types}\n")), @r#"app.jadpo:3:35 type.wire_name_duplicate `Settled` and `Paid` are both sent as "invoice.paid""#);
}

//! How fast a 1 MB answer is decoded, beside structs written by hand for `serde_json`.
//!
//! `cargo test --release -p jadpo-runtime rate -- --ignored --nocapture`

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};

use crate::codec::generated::{Checked, InstantWire, IntCheck, OrNull, Plain, object, text, variants};
use crate::codec::{Form, Wire, decode};

/// Writes a type for both: as generated code has it, and as a person would for `serde_json`.
macro_rules! both {
    ($ours:ident, $theirs:ident { $($(#[$serde:meta])* $name:ident: $type:ty),* $(,)? } $($codec:tt)*) => {
        struct $ours { $($name: $type),* }

        #[derive(Deserialize)]
        #[expect(dead_code, reason = "the fields are only filled")]
        struct $theirs { $($(#[$serde])* $name: $type),* }

        object! { $ours { $($codec)* } }
    };
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    Buy,
    Sell,
}

impl Side {
    fn as_str(&self) -> &str {
        match self {
            Self::Buy => "buy",
            Self::Sell => "sell",
        }
    }
}

variants! { Side { as_str: Buy, Sell } }

both!(Trade, SerdeTrade {
    #[serde(deserialize_with = "instant")]
    at: Timestamp,
    id: i64,
    maker: bool,
    #[serde(deserialize_with = "decimal")]
    price: Decimal,
    side: Side,
    #[serde(deserialize_with = "decimal")]
    size: Decimal,
    symbol: String
} at, id, maker, price, side, size, symbol);

both!(Post, SerdePost {
    author: String,
    body: String,
    likes: i64,
    pinned: bool,
    reply_to: Option<i64>,
    tags: Vec<String>
} author, body, likes, pinned, reply_to, tags);

both!(Fill, SerdeFill {
    account: String,
    #[serde(deserialize_with = "millis")]
    at: Timestamp,
    #[serde(default, deserialize_with = "some_decimal")]
    fee: Option<Decimal>,
    filled: i64,
    id: i64,
    maker: bool,
    market: String,
    note: Option<String>,
    order: String,
    #[serde(deserialize_with = "decimal")]
    price: Decimal,
    side: Side,
    #[serde(deserialize_with = "decimal")]
    size: Decimal,
    #[serde(default, deserialize_with = "some_decimal")]
    stop: Option<Decimal>,
    symbol: String,
    tags: Vec<String>,
    venue: String,
}
    account,
    at as InstantWire::UnixMs,
    fee: optional,
    filled as Checked(Plain, IntCheck::new(Some(0), None)),
    id,
    maker,
    market as Checked(Plain, text!(Some(1), Some(12), None)),
    note as OrNull(Checked(Plain, text!(None, Some(40), None))),
    order,
    price,
    side,
    size,
    stop: optional,
    symbol,
    tags,
    venue,
);

both!(Detail, SerdeDetail {
    account: String,
    #[serde(deserialize_with = "millis")]
    at: Timestamp,
    #[serde(default, deserialize_with = "some_decimal")]
    fee: Option<Decimal>,
    filled: i64,
    id: i64,
    last: bool,
    maker: bool,
    market: String,
    note: Option<String>,
    order: String,
    #[serde(deserialize_with = "decimal")]
    price: Decimal,
    side: Side,
    #[serde(deserialize_with = "decimal")]
    size: Decimal,
    #[serde(default, deserialize_with = "some_decimal")]
    stop: Option<Decimal>,
    symbol: String,
    tags: Vec<String>,
    venue: String,
}
    0 account,
    1 at as InstantWire::UnixMs,
    2 fee: optional,
    3 filled as Checked(Plain, IntCheck::new(Some(0), None)),
    4 id,
    5 last,
    6 maker,
    7 market as Checked(Plain, text!(Some(1), Some(12), None)),
    8 note as OrNull(Checked(Plain, text!(None, Some(40), None))),
    9 order,
    10 price,
    11 side,
    12 size,
    13 stop: optional,
    14 symbol,
    15 tags,
    16 venue,
);

/// Text without a copy, which plain `Cow` would make.
#[derive(Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

fn instant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = Borrowed::deserialize(deserializer)?.0;
    text.parse().map_err(serde::de::Error::custom)
}

fn millis<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    Timestamp::from_millisecond(i64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

fn some_decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    decimal(deserializer).map(Some)
}

fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    let text = Borrowed::deserialize(deserializer)?.0;
    Decimal::from_str_exact(&text).map_err(serde::de::Error::custom)
}

fn refusal<T: Wire>(name: &str, text: &str) {
    let time = fastest(|| drop(black_box(decode::<T>(black_box(text), Form::Wire).err())));
    eprintln!("{name}: refused in {:.1} µs", time.as_secs_f64() * 1e6);
}

fn answer(item: impl Fn(usize) -> String) -> String {
    let mut text = String::from("[");
    for index in 0.. {
        text.push_str(&item(index));
        if text.len() > 1_000_000 {
            break;
        }
        text.push(',');
    }
    text.push(']');
    text
}

/// The best of many runs.
fn fastest(mut run: impl FnMut()) -> Duration {
    let once = |run: &mut dyn FnMut()| {
        let started = Instant::now();
        run();
        started.elapsed()
    };
    (0..200).map(|_| once(&mut run)).min().unwrap()
}

fn compare<Ours: Wire, Theirs: for<'de> Deserialize<'de>>(name: &str, text: &str) {
    let ours = fastest(|| drop(black_box(decode::<Vec<Ours>>(black_box(text), Form::Wire).unwrap())));
    let theirs = fastest(|| drop(black_box(serde_json::from_str::<Vec<Theirs>>(black_box(text)).unwrap())));
    let millions = f64::from(u32::try_from(text.len()).unwrap()) / 1e6;
    let rate = |time: Duration| millions / time.as_secs_f64();
    let (ours, theirs) = (rate(ours), rate(theirs));
    eprintln!("{name}: {ours:.0} MB/s, serde_json {theirs:.0} MB/s, ratio {:.2}", ours / theirs);
}

#[test]
#[ignore = "measures, and only a release build is worth measuring"]
fn rate() {
    let trades = answer(|index| {
        let side = ["buy", "sell"][index % 2];
        let second = index % 60;
        format!(
            r#"{{"id":{},"symbol":"BTC-EUR","price":"{}.25","size":"0.{:05}","side":"{side}","maker":{},"at":"2027-03-04T05:06:{second:02}.123Z"}}"#,
            9_000_000_000 + index,
            60_000 + index % 1000,
            index % 99_999 + 1,
            index % 3 == 0,
        )
    });
    compare::<Trade, SerdeTrade>("trades", &trades);
    let posts = answer(|index| {
        format!(
            r#"{{
  "author": "user-{index}",
  "body": "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod é {index} tempor\nincididunt",
  "likes": {},
  "pinned": false,
  "reply_to": null,
  "score": 0.5,
  "tags": ["one", "two", "three"]
}}"#,
            index % 500
        )
    });
    compare::<Post, SerdePost>("posts", &posts);
    let fills = answer(|index| {
        format!(
            r#"{{"id":{},"order":"order-{index}","account":"main","symbol":"BTC-EUR","market":"spot","venue":"north","price":"{}.25","size":"0.{:05}","filled":{index},"side":"buy","maker":true,"last":false,"fee":"0.01","note":{},"tags":["a","b"],"at":1804136767{:03}}}"#,
            9_000_000_000 + index,
            60_000 + index % 1000,
            index % 99_999 + 1,
            ["null", "\"by hand\""][index % 2],
            index % 1000,
        )
    });
    compare::<Fill, SerdeFill>("fills, 16 fields", &fills);
    compare::<Detail, SerdeDetail>("details, 17 fields", &fills);
    let digits = "9".repeat(10_000_000);
    refusal::<i64>("an exponent", "1e999999999");
    refusal::<Decimal>("an exponent", "1e-999999999");
    refusal::<Decimal>("10 MB of digits", &digits);
    refusal::<i64>("10 MB of digits in quotes", &format!("\"{digits}\""));
    refusal::<Timestamp>("10 MB of text", &format!("\"{digits}\""));
}

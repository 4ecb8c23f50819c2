//! JSON texts of scalars in every spelling that is right somewhere, and some that are right nowhere.

use std::cell::RefCell;
use std::collections::BTreeMap;

use jadpo_runtime::codec::Form;
use jadpo_runtime::codec::interpret::{self, Types};
use jadpo_runtime::plan::{Shape, TypeDef};

/// Texts of all types, each right for some of them.
pub const TEXTS: &[&str] = &[
    // Texts, some of which are other things too.
    r#""""#,
    r#""a""#,
    r#""é""#,
    r#""zé""#,
    r#""\u0061\u00E9""#,
    r#""abc""#,
    r#""abcd""#,
    r#""AB""#,
    r#""A1B2C""#,
    r#""\u0041\u0042""#,
    r#""🪙""#,
    r#""\ud83e\ude99""#,
    r#""\uD83E\uDE99 \" \\ \/ \b\f\n\r\t""#,
    r#""cafe\u0301""#,
    r#""café""#,
    "\"\u{7f}\u{2028}\u{ffff}\"",
    r#""\u0000""#,
    r#""null""#,
    r#""C:\\new""#,
    r#""\u202e""#,
    r#""re-named""#,
    // Whole numbers and decimals, also quoted.
    "0",
    "-0",
    "7",
    "7.0",
    "7e0",
    "70e-1",
    "0.07E+2",
    "100",
    "-1.5",
    "1.50",
    r#""7""#,
    r#""7.0""#,
    r#""-1.50e0""#,
    "10",
    "90071992547409931",
    r#""90071992547409931""#,
    "9223372036854775807",
    "-9223372036854775808",
    "922337203685477580.7e1",
    "60",
    "60.00",
    "6e1",
    "0.00001",
    "1e-5",
    "0.000010",
    "60.0000000000000000001",
    "-0.0",
    "1e27",
    "0.0000000000000000000000000001",
    "79228162514264337593543950335",
    // Truth.
    "true",
    "false",
    // Moments: RFC 3339, whole seconds, milliseconds and RFC 2822.
    r#""2027-03-04T05:06:07Z""#,
    r#""2027-03-04T05:06:07.000Z""#,
    r#""2027-03-04T06:06:07+01:00""#,
    r#""2027-03-04t05:06:07z""#,
    r#""2027-03-04T05:06:07.123456789-23:59""#,
    r#""2027-03-04T05:06:07.1234567891Z""#,
    "1804136767",
    "1804136767000",
    "-1",
    r#""1804136767""#,
    r#""Thu, 04 Mar 2027 05:06:07 +0000""#,
    r#""Thu, 4 Mar 2027 06:06:07 +0100""#,
    r#""2027-03-04T05:06:07""#,
    r#""2027-03-04T05:06:07.5""#,
    r#""2027-03-04""#,
    r#""0001-01-01""#,
    r#""9999-12-31""#,
    // Durations.
    r#""PT90S""#,
    r#""PT1M30S""#,
    r#""-PT0.5S""#,
    r#""P1DT1H""#,
    r#""PT0S""#,
    r#""PT0.0000000019S""#,
    r#""P2W""#,
    // The others.
    r#""550E8400-e29b-41d4-a716-446655440000""#,
    r#""550e8400-e29b-41d4-a716-446655440001""#,
    r#""https://example.test/a?b=%20#c""#,
    r#""HTTPS://EXAMPLE.test""#,
    r#""a@b""#,
    r#""x.y+z@example.test""#,
    r#""AAEC""#,
    r#""_-8""#,
    r#""_-8=""#,
    r#""+/8=""#,
    r#""0aFF""#,
    r#""0aff""#,
];

/// Texts that are right for no scalar, or hard to read.
pub const WRONG: &[&str] = &[
    "null",
    "[]",
    "{}",
    "[[]]",
    r#"{"a":1}"#,
    r#""\ud83e""#,
    r#""\udE99\ud83e""#,
    r#""\x""#,
    "\"\n\"",
    "07",
    "+7",
    ".5",
    "5.",
    "7.5",
    "1e400",
    "1e99999999999999999999",
    "-1e-99999999999999999999",
    "9223372036854775808",
    r#""9223372036854775808""#,
    "79228162514264337593543950336",
    "0.00000000000000000000000000001",
    "NaN",
    "Infinity",
    "tru",
    "nul",
    "True",
    r#""2027-03-04T05:06:07+0000""#,
    r#""2027-03-04T05:06:07.Z""#,
    r#""2027-03-04T05:06:60Z""#,
    r#""2027-02-30T00:00:00Z""#,
    r#""2027-03-04T00:00:00Z ""#,
    r#"" 7""#,
    r#""7 ""#,
    r#""1_000""#,
    r#""0x7""#,
    r#""P1Y""#,
    r#""P1M""#,
    r#""PT""#,
    r#""550e8400""#,
    r#""/relative""#,
    r#""a@b@c""#,
    r#""@""#,
    r#""a b@c""#,
    r#""AAE""#,
    r#""0af""#,
    r#""ABCDEF""#,
    r#""abcde""#,
    "-101",
    "101",
    "1.6",
    "'a'",
    "",
    ",",
];

/// Texts that are keys of a map, each with what is kept of it.
pub type Keys = Vec<(String, String)>;

/// Which texts are right for which scalars.
pub struct Candidates<'p> {
    types: &'p Types,
    known: RefCell<BTreeMap<String, Vec<String>>>,
    known_keys: RefCell<BTreeMap<String, Keys>>,
}

impl<'p> Candidates<'p> {
    /// For scalars of a plan.
    pub fn new(types: &'p Types) -> Self {
        Self { types, known: RefCell::default(), known_keys: RefCell::default() }
    }

    /// Texts that a scalar is read from.
    pub fn right(&self, shape: &Shape, form: Form) -> Vec<String> {
        let key = format!("{form:?} {shape:?}");
        let mut known = self.known.borrow_mut();
        known.entry(key).or_insert_with(|| self.find(shape, form)).clone()
    }

    /// Texts that a key of a map is read from.
    pub fn keys(&self, shape: &Shape) -> Keys {
        let mut known = self.known_keys.borrow_mut();
        known.entry(format!("{shape:?}")).or_insert_with(|| self.find_keys(shape)).clone()
    }

    fn find_keys(&self, shape: &Shape) -> Keys {
        let map = Shape::Map(Box::new(shape.clone()), Box::new(Shape::Json));
        let kept = |text: String| {
            let value =
                interpret::read(self.types, &map, &format!("{{{text}:null}}"), "", Form::Wire).ok()?;
            Some((text, interpret::write(self.types, &map, &value, Form::Canonical)))
        };
        // A number is a key where its quotes are no part of it.
        let quoted = self
            .texts(shape)
            .into_iter()
            .map(|text| if text.starts_with('"') { text } else { format!("\"{text}\"") });
        let keys: Keys = quoted.filter_map(kept).collect();
        assert!(!keys.is_empty(), "no key is known for {shape:?}");
        keys
    }

    fn find(&self, shape: &Shape, form: Form) -> Vec<String> {
        let mut texts = self.texts(shape);
        texts.retain(|text| interpret::read(self.types, shape, text, "", form).is_ok());
        assert!(!texts.is_empty(), "no text is known for {shape:?}");
        texts
    }

    /// Texts that may be right for a scalar.
    fn texts(&self, shape: &Shape) -> Vec<String> {
        let mut texts: Vec<String> = TEXTS.iter().map(|text| (*text).to_owned()).collect();
        if let Shape::Named(name) = shape {
            match &self.types[name] {
                TypeDef::TextEnum { values, .. } => {
                    texts.extend(values.iter().map(|value| serde_json::to_string(value).unwrap()));
                }
                TypeDef::IntEnum { values, .. } => texts.extend(values.iter().map(ToString::to_string)),
                TypeDef::Object(_) | TypeDef::Alias(_) => {}
            }
        }
        texts
    }
}

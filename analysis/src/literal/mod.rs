//! Values that a manifest gives a setting, read by the setting's type.

mod moment;

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Number, StringLit, Value, ValueKind};

use crate::db::Db;
use crate::decimal::Decimal;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::json;
use crate::keys::DURATION_MAX_MS;
use crate::model::{RangeRule, TextRule, Type, VariantWire};
use crate::nearest::nearest;
use crate::resolve::{self, Kind};
use crate::signature::{TypeSignature, VariantSignature, bounded, cases, type_signature};
use crate::{values, wire_names};

/// A value that its type doesn't take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// What the type takes: "a whole number from 1 to 65535".
    pub wanted: String,
    /// What was most likely meant, as one would write it.
    pub meant: Option<String>,
    /// Where it is wrong.
    pub span: Span,
}

impl Misread {
    /// What is wrong with the value of a setting, in one sentence.
    pub fn message(&self, setting: &str, value: &Value) -> String {
        let written = match &value.kind {
            ValueKind::Type(expr, _) => format!("`{}`", expr.path_text()),
            ValueKind::Number(number) => format!("`{}`", number.text),
            ValueKind::Call(name, _) => format!("`{}(…)`", name.text),
            ValueKind::String(text) if text.value.chars().count() <= 40 => format!("{:?}", text.value),
            _ => values::form_of(value).to_owned(),
        };
        format!("`{setting}` takes {}, not {written}", self.wanted)
    }
}

/// A value as canonical JSON of a type, whose names are those of `scope`. `None` for a type that means nothing, and for
/// a number that the syntax has refused: both have been reported.
pub fn canonical(db: &dyn Db, scope: Scope, ty: &Type, value: &Value) -> Option<Result<String, Misread>> {
    if matches!(&value.kind, ValueKind::Number(number) if number.number == Number::Invalid) {
        return None;
    }
    let kind = resolve::kind(db, scope, ty)?.kind;
    let read = match &kind {
        Kind::Scalar(scalar) => scalar_json(scalar, value),
        Kind::Enum(decl) => return Some(variant_json(db, *decl, value)),
        Kind::Secret => Err("`env(\"NAME\")`".to_owned()),
        other => Err(format!("nothing, since it is {}", other.text())),
    };
    Some(read.map_err(|wanted| Misread { wanted, meant: None, span: value.span }))
}

fn scalar_json(ty: &Type, value: &Value) -> Result<String, String> {
    let text = values::text(value).map(|text| &*text.value);
    let quoted = |read: Option<String>, wanted: &str| {
        read.map(|text| json::text(&text)).ok_or_else(|| wanted.to_owned())
    };
    match ty {
        Type::Text(rule) => text_json(rule, values::text(value)),
        Type::Int(rule) => {
            let int = values::whole(value).filter(|_| in_range(rule, bounded(value)));
            int.map(|int| int.to_string()).ok_or_else(|| range_text("a whole number", rule))
        }
        Type::Decimal(rule) => {
            let decimal = bounded(value).filter(|decimal| in_range(rule, Some(*decimal)));
            quoted(decimal.map(|decimal| decimal.to_string()), &range_text("a number", rule))
        }
        Type::Bool => {
            let read = values::boolean(value).map(|boolean| boolean.to_string());
            read.ok_or_else(|| "`true` or `false`".to_owned())
        }
        Type::Instant(_) => {
            quoted(text.and_then(moment::instant), "a time by RFC 3339, such as \"2026-11-30T09:30:00Z\"")
        }
        Type::DateTime => quoted(
            text.and_then(moment::date_time),
            "a time without an offset, such as \"2026-11-30T09:30:00\"",
        ),
        Type::Date => quoted(text.and_then(moment::date), "a day, such as \"2026-11-30\""),
        Type::Duration => quoted(duration_text(value), "a duration, such as `30s`"),
        Type::Uuid => quoted(text.and_then(uuid_text), "a UUID with hyphens"),
        Type::Url => {
            let url = text.and_then(|text| url::Url::parse(text).ok()).map(String::from);
            quoted(url, "an absolute URL, such as \"https://example.com/\"")
        }
        Type::Email => quoted(text.filter(|text| is_email(text)).map(str::to_owned), "an e-mail address"),
        Type::Bytes(_) => {
            quoted(text.filter(|text| is_base64(text)).map(str::to_owned), "base64 with padding")
        }
        _ => Err("a scalar".to_owned()),
    }
}

fn text_json(rule: &TextRule, value: Option<&StringLit>) -> Result<String, String> {
    let fits = |text: &str| {
        let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let matches = |pattern: &String| whole_pattern(pattern).is_none_or(|regex| regex.is_match(text));
        rule.min_length.is_none_or(|min| length >= min)
            && rule.max_length.is_none_or(|max| length <= max)
            && rule.pattern.as_ref().is_none_or(matches)
    };
    match value {
        Some(text) if fits(&text.value) => Ok(json::text(&text.value)),
        _ => Err(text_rule_text(rule)),
    }
}

/// A pattern as it is matched, against all of a text; `None` for what is none.
pub fn whole_pattern(pattern: &str) -> Option<regex_lite::Regex> {
    regex_lite::Regex::new(pattern).ok()?;
    regex_lite::Regex::new(&format!("\\A(?:{pattern})\\z")).ok()
}

fn text_rule_text(rule: &TextRule) -> String {
    let mut rules = Vec::new();
    match (rule.min_length, rule.max_length) {
        (Some(min), Some(max)) if min == max => rules.push(format!("of {min} characters")),
        (Some(min), Some(max)) => rules.push(format!("of {min} to {max} characters")),
        (Some(min), None) => rules.push(format!("of at least {min} characters")),
        (None, Some(max)) => rules.push(format!("of at most {max} characters")),
        (None, None) => {}
    }
    rules.extend(rule.pattern.as_ref().map(|pattern| format!("that matches `{pattern}`")));
    if rules.is_empty() { "a string".to_owned() } else { format!("a string {}", rules.join(" ")) }
}

fn in_range(rule: &RangeRule, value: Option<Decimal>) -> bool {
    let bound = |text: &Option<String>| text.as_deref().and_then(Decimal::parse);
    value.is_some_and(|value| {
        bound(&rule.min).is_none_or(|min| value >= min) && bound(&rule.max).is_none_or(|max| value <= max)
    })
}

fn range_text(what: &str, rule: &RangeRule) -> String {
    match (&rule.min, &rule.max) {
        (Some(min), Some(max)) => format!("{what} from {min} to {max}"),
        (Some(min), None) => format!("{what} of at least {min}"),
        (None, Some(max)) => format!("{what} of at most {max}"),
        (None, None) => what.to_owned(),
    }
}

/// A written duration as its canonical form, in seconds.
fn duration_text(value: &Value) -> Option<String> {
    let ms = values::duration_ms(value).filter(|ms| (0..=DURATION_MAX_MS).contains(ms))?;
    let seconds = Decimal::parse(&format!("{}.{:03}", ms / 1000, ms % 1000))?;
    Some(format!("PT{seconds}S"))
}

fn uuid_text(text: &str) -> Option<String> {
    let parts: Vec<_> = text.split('-').collect();
    let right = parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
    right.then(|| text.to_ascii_lowercase())
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty() && !host.is_empty() && !host.contains('@') && !text.contains(char::is_whitespace)
    })
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    // The last digit's unused bits are zero, so that equal bytes are equal texts.
    let unused = match text.len() - digits.len() {
        0 => 0,
        1 => 0b11,
        2 => 0b1111,
        _ => return false,
    };
    let last = digits.bytes().last().map_or(Some(0), value);
    text.len().is_multiple_of(4)
        && digits.bytes().all(|byte| value(byte).is_some())
        && last.is_some_and(|last| last & unused == 0)
}

/// A variant by its name; of an Enum with a catch-all also any other text, as a string.
fn variant_json(db: &dyn Db, decl: DeclSrc<'_>, value: &Value) -> Result<String, Misread> {
    let TypeSignature::Enum(variants) = type_signature(db, decl) else {
        return Err(Misread { wanted: "a variant".to_owned(), meant: None, span: value.span });
    };
    let cases = cases(db, decl.scope(db));
    let wire = |variant: &VariantSignature| wire_names::variant(cases, variant);
    let has_other = variants.iter().any(|variant| wire(variant) == Some(VariantWire::Other));
    let named: Vec<_> = variants.iter().filter(|it| wire(it) != Some(VariantWire::Other)).collect();
    let written = values::bare_name(value).map(|name| &*name.text);
    let found = named.iter().find(|variant| Some(&*variant.name) == written);
    match (found.and_then(|variant| wire(variant)), values::text(value)) {
        (Some(VariantWire::Text(text)), _) => return Ok(json::text(&text)),
        (Some(VariantWire::Int(int)), _) => return Ok(int.to_string()),
        (None, Some(text)) if has_other => {
            let sent = |variant: &&&VariantSignature| {
                wire(variant) == Some(VariantWire::Text(text.value.to_string()))
            };
            match named.iter().find(sent) {
                None => return Ok(json::text(&text.value)),
                Some(variant) => {
                    let meant = Some(variant.name.to_string());
                    return Err(Misread { wanted: format!("`{}`", variant.name), meant, span: value.span });
                }
            }
        }
        _ => {}
    }
    let text = values::text(value).map(|text| &*text.value);
    let meant = text.and_then(|text| {
        let same =
            named.iter().find(|it| &*it.name == text || wire(it) == Some(VariantWire::Text(text.to_owned())));
        same.map(|variant| &*variant.name)
    });
    let near = || nearest(written.or(text)?, named.iter().map(|variant| &*variant.name));
    let names: Vec<_> = named.iter().map(|variant| format!("`{}`", variant.name)).collect();
    Err(Misread {
        wanted: format!("one of {}{}", names.join(", "), if has_other { " or another string" } else { "" }),
        meant: meant.or_else(near).map(str::to_owned),
        span: value.span,
    })
}

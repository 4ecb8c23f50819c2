//! Typed readings of written values. They report nothing: `None` is a value of another form, which
//! [`crate::check`] has reported by the key's row.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Name, Number, StringLit, Value, ValueKind};

/// A written duration, in milliseconds.
pub fn duration_ms(value: &Value) -> Option<i64> {
    match &value.kind {
        ValueKind::Number(number) => match number.number {
            Number::Duration(ms) => ms,
            _ => None,
        },
        _ => None,
    }
}

/// A written size, in bytes.
pub fn size_bytes(value: &Value) -> Option<u64> {
    match &value.kind {
        ValueKind::Number(number) => match number.number {
            Number::Size(bytes) => bytes,
            _ => None,
        },
        _ => None,
    }
}

/// A whole number.
pub fn whole(value: &Value) -> Option<i64> {
    match &value.kind {
        ValueKind::Number(number) => match number.number {
            Number::Int(int) => i64::try_from(int).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// `true` or `false`.
pub fn boolean(value: &Value) -> Option<bool> {
    match &*bare_name(value)?.text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A string.
pub fn text(value: &Value) -> Option<&StringLit> {
    match &value.kind {
        ValueKind::String(text) => Some(text),
        _ => None,
    }
}

/// One name, without points, arguments, `?` and constraints.
pub fn bare_name(value: &Value) -> Option<&Name> {
    match &value.kind {
        ValueKind::Type(expr, None) => expr.as_bare_name(),
        _ => None,
    }
}

/// One or more names joined by points, as `coinfeed.Prices` and `settings.api_key`.
pub fn path(value: &Value) -> Option<&[Name]> {
    match &value.kind {
        ValueKind::Type(expr, None) if expr.args.is_empty() && expr.nullable.is_none() => Some(&expr.path),
        _ => None,
    }
}

/// A call's name and arguments.
pub fn call(value: &Value) -> Option<(&Name, &[Value])> {
    match &value.kind {
        ValueKind::Call(name, args) => Some((name, args)),
        _ => None,
    }
}

/// A list's elements.
pub fn list(value: &Value) -> Option<&[Value]> {
    match &value.kind {
        ValueKind::List(values) => Some(values),
        _ => None,
    }
}

/// The name in `env("NAME")`.
pub fn env(value: &Value) -> Option<&StringLit> {
    match call(value)? {
        (name, [arg]) if &*name.text == "env" => text(arg),
        _ => None,
    }
}

/// What was written, in words: "a string", "a list".
pub fn form_of(value: &Value) -> &'static str {
    match &value.kind {
        ValueKind::String(_) => "a string",
        ValueKind::Number(number) => match number.number {
            Number::Int(_) => "a whole number",
            Number::Decimal(_) => "a decimal number",
            Number::Duration(_) => "a duration",
            Number::Size(_) => "a size",
            Number::Invalid => "a number",
        },
        ValueKind::Call(..) => "a call",
        ValueKind::List(_) => "a list",
        ValueKind::Block(_) => "a block",
        ValueKind::Type(expr, None) if expr.as_bare_name().is_some() => "a name",
        ValueKind::Type(..) => "a type",
    }
}

/// A string cut at its holes, or one hole alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template<'a> {
    /// In order.
    pub parts: Vec<Part<'a>>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text as it stands.
    Text(&'a str),
    /// `{settings.name}`, `{input.name}`, or whatever else stands between braces.
    Hole(Hole<'a>),
}

/// A hole of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole<'a> {
    /// Where its value comes from.
    pub source: HoleSource,
    /// The name after the point; all of it for [`HoleSource::Invalid`].
    pub name: &'a str,
    /// Where the name stands; in a string with escapes, the whole string.
    pub name_span: Span,
    /// With its braces.
    pub span: Span,
}

/// Where the value of a hole comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleSource {
    /// `settings.name`
    Settings,
    /// `input.name`
    Input,
    /// Neither, or a brace without its other one.
    Invalid,
}

/// A string with holes, or a hole alone; `None` for any other form.
pub fn template(value: &Value) -> Option<Template<'_>> {
    if let Some(text) = text(value) {
        return Some(Template::of(text));
    }
    let hole = match path(value)? {
        [source, name] => Hole {
            source: HoleSource::of(&source.text),
            name: &name.text,
            name_span: name.span,
            span: value.span,
        },
        _ => return None,
    };
    (hole.source != HoleSource::Invalid).then(|| Template { parts: vec![Part::Hole(hole)] })
}

impl<'a> Template<'a> {
    /// The parts of a string.
    pub fn of(literal: &'a StringLit) -> Self {
        let text = &*literal.value;
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(brace) = text[at..].find(['{', '}']).map(|found| at + found) {
            if brace > at {
                parts.push(Part::Text(&text[at..brace]));
            }
            let end = match text[brace..].find('}') {
                Some(close) => brace + close + 1,
                None => text.len(),
            };
            parts.push(Part::Hole(hole(literal, brace, end)));
            at = end;
        }
        if at < text.len() {
            parts.push(Part::Text(&text[at..]));
        }
        Self { parts }
    }

    /// Its holes.
    pub fn holes(&self) -> impl Iterator<Item = &Hole<'a>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole(hole) => Some(hole),
            Part::Text(_) => None,
        })
    }
}

/// The hole that is `literal.value[start..end]`, braces included.
fn hole(literal: &StringLit, start: usize, end: usize) -> Hole<'_> {
    let whole = &literal.value[start..end];
    let span = |from: usize, to: usize| {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        literal.inner_span(byte(from), byte(to))
    };
    let inside = whole.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let named = inside.and_then(|inside| {
        let (source, name) = inside.split_once('.')?;
        let source = HoleSource::of(source);
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (source != HoleSource::Invalid && is_name).then_some((source, name))
    });
    match named {
        Some((source, name)) => {
            let from = end - 1 - name.len();
            Hole { source, name, name_span: span(from, end - 1), span: span(start, end) }
        }
        None => Hole {
            source: HoleSource::Invalid,
            name: whole,
            name_span: span(start, end),
            span: span(start, end),
        },
    }
}

impl HoleSource {
    fn of(word: &str) -> Self {
        match word {
            "settings" => Self::Settings,
            "input" => Self::Input,
            _ => Self::Invalid,
        }
    }
}

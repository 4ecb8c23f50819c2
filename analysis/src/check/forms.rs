//! The form of a block: which keys it has, and whether each value is one that its key takes.
//!
//! One mistake gives one finding: an unknown key that was probably meant for a required one stands for that one
//! too, and a block whose syntax is broken misses nothing.

use std::collections::HashMap;

use jadpo_syntax::tree::{Block, Entry, Name, Number, TypeExpr, Value, ValueKind};
use jadpo_syntax::{Span, Token, TokenKind, tokens};

use super::{Check, environment};
use crate::keys::{
    Arg, Codes, DURATION_MAX_MS, Fields, Form, Kind, Need, Row, Table, duration_text, size_text,
};
use crate::nearest::nearest;
use crate::values;

/// Checks a block by its table. `head` is where its name, or its own key, stands.
pub fn block(cx: &mut Check<'_>, fields: Fields<'_>, head: Span) {
    let mut meant = changed_places(cx, fields);
    let mut key_is_lost = false;
    let mut entries = fields.block.entries.iter().peekable();
    while let Some(entry) = entries.next() {
        if let Some(next) = entries.next_if(|next| is_its_value(cx, fields, entry, next)) {
            key_lost(cx, fields, entry, next);
            key_is_lost = true;
            continue;
        }
        match fields.table.row(&entry.key.text).filter(|_| !entry.key.quoted) {
            None if cx.unbraced => {}
            None => meant.extend(unknown_key(cx, fields, entry)),
            Some(row) if fields.entry(row.key).is_some_and(|first| !std::ptr::eq(first, entry)) => {
                duplicate_key(cx, fields.table.codes, fields.entry(row.key), entry);
            }
            Some(row) => entry_value(cx, fields.table, row, entry),
        }
    }
    for row in fields.table.rows {
        if let Need::Required(example) = row.need
            && fields.entry(row.key).is_none()
            && !meant.contains(&row.key)
            && !key_is_lost
            && !cx.broken
        {
            let message = format!("{} needs `{}`", fields.table.block, row.key);
            cx.report(fields.table.codes.key_missing, head, message)
                .help(format!("{}\nwrite `{}: {example}`", row.doc, row.key));
        }
    }
}

/// Reports each value that has changed places with the key after it, and gives those keys. Nothing more is said of either.
fn changed_places(cx: &mut Check<'_>, fields: Fields<'_>) -> Vec<&'static str> {
    let mut meant = Vec::new();
    for (entry, key, next) in fields.changed_places() {
        let (text, places) = (cx.decl.text(cx.db), [cx.at(key.span), cx.at(next.key.span)]);
        let [key_text, value_text] = [key.span.text(text), next.key.span.text(text)];
        let edits = vec![(places[0], value_text.to_owned()), (places[1], key_text.to_owned())];
        let message = format!("`{key_text}` and `{value_text}` have changed places");
        cx.report(fields.table.codes.key_invalid, key.span, message)
            .label("this is the next key")
            .related(places[1], format!("this is the value of `{}`", entry.key.text))
            .fix_all("put each in its place", true, edits);
        cx.settle(entry.span);
        cx.settle(next.span);
        meant.extend(fields.table.row(&key.text).map(|row| row.key));
    }
    meant
}

/// Whether `next`, on the same line, is no key but the value that `entry` lacks.
fn is_its_value(cx: &Check<'_>, fields: Fields<'_>, entry: &Entry, next: &Entry) -> bool {
    let between = || Span::new(entry.span.end, next.key.span.start).text(cx.decl.text(cx.db));
    let unknown = next.key.quoted || fields.table.row(&next.key.text).is_none();
    entry.value.is_none() && unknown && !cx.broken && !between().contains('\n')
}

/// Reports the `:` after a value that has no key before it.
fn key_lost(cx: &mut Check<'_>, fields: Fields<'_>, entry: &Entry, next: &Entry) {
    let name = &entry.key.text;
    let colon = Span::new(next.key.span.end, next.key.span.end + 1);
    let colon = if colon.text(cx.decl.text(cx.db)) == ":" { colon } else { next.key.span };
    let value = cx.at(next.key.span);
    cx.report(
        fields.table.codes.key_invalid,
        colon,
        format!("the value of `{name}` is followed by a `:` without a key"),
    )
    .label("a key is missing before it")
    .related(value, format!("the value of `{name}`"));
}

/// Reports a key that the block doesn't take, and gives the key that was probably meant.
fn unknown_key(cx: &mut Check<'_>, fields: Fields<'_>, entry: &Entry) -> Option<&'static str> {
    let (text, span, codes) = (&entry.key.text, entry.key.span, fields.table.codes);
    if let Some(row) = fields.table.row(text) {
        let place = cx.at(span);
        cx.report(codes.key_invalid, span, format!("the key `{text}` stands without quotes")).fix(
            format!("write `{text}`"),
            place,
            row.key,
        );
        return Some(row.key);
    }
    let meant = fields.nearest_free(entry);
    let keys: Vec<_> = fields.table.rows.iter().map(|row| format!("`{}`", row.key)).collect();
    let message = format!("{} takes no key `{text}`", fields.table.block);
    let finding = cx.report(codes.key_invalid, span, message);
    finding.help(format!("its keys are {}", keys.join(", "))).nearest(meant);
    meant
}

/// Reports a key given twice.
pub fn duplicate_key(cx: &mut Check<'_>, codes: &Codes, first: Option<&Entry>, again: &Entry) {
    let message = format!("`{}` is given twice", again.key.text);
    let first = first.map(|first| cx.at(first.key.span));
    let finding = cx.report(codes.key_duplicate, again.key.span, message).label("given again here");
    if let Some(first) = first {
        finding.related(first, "first given here");
    }
}

/// Reports every key that a block of the author's own keys gives twice.
fn duplicate_keys(cx: &mut Check<'_>, codes: &Codes, block: &Block) {
    let mut first: HashMap<&str, &Entry> = HashMap::new();
    for entry in &block.entries {
        let known = *first.entry(&entry.key.text).or_insert(entry);
        if !std::ptr::eq(known, entry) {
            duplicate_key(cx, codes, Some(known), entry);
        }
    }
}

fn entry_value(cx: &mut Check<'_>, table: &'static Table, row: &'static Row, entry: &Entry) {
    let Some(value) = &entry.value else {
        if !cx.broken {
            let message = format!("`{}` has no value: it takes {}", row.key, row.kind.expected());
            cx.report(table.codes.value_invalid, entry.key.span, message).help(row.doc);
        }
        return;
    };
    let form = Of { codes: table.codes, row };
    match (row.kind, &value.kind) {
        (_, ValueKind::Number(number)) if number.number == Number::Invalid => {}
        (Kind::Block(inner) | Kind::CallsOrBlock { table: inner, .. }, ValueKind::Block(block)) => {
            self::block(cx, Fields::new(block, inner), entry.key.span);
        }
        (Kind::Open(_), ValueKind::Block(block)) => duplicate_keys(cx, table.codes, block),
        (Kind::Each(inner), ValueKind::Block(block)) => {
            duplicate_keys(cx, table.codes, block);
            each(cx, row, inner, block);
        }
        (Kind::Special(_), _)
        | (Kind::Type, ValueKind::Type(..))
        | (Kind::Text | Kind::Template { .. }, ValueKind::String(_)) => {}
        (Kind::Duration { min_ms, max_ms, why }, _) => form.duration(cx, value, min_ms, max_ms, why),
        (Kind::Size { max }, _) => form.size(cx, value, max),
        (Kind::Whole { min, max }, _) => form.whole(cx, value, min, max),
        (Kind::Bool, _) => form.one_of(cx, value, &["true", "false"]),
        (Kind::Words(words), _) => form.one_of(cx, value, words),
        (Kind::Calls { forms, words }, _) => form.calls(cx, value, forms, words),
        (Kind::CallsOrBlock { forms, .. }, ValueKind::Call(..)) => form.calls(cx, value, forms, &[]),
        (Kind::Names { dotted, alone, all, .. }, _) => form.names(cx, value, dotted, alone, all),
        (Kind::Texts, ValueKind::List(values)) => {
            for value in values.iter().filter(|value| values::text(value).is_none()) {
                form.wrong(cx, value);
            }
        }
        (Kind::Name(_), _) if values::bare_name(value).is_some() => {}
        (Kind::Template { bare: true }, _) if values::template(value).is_some() => {}
        (Kind::Text, ValueKind::Type(expr, None)) if expr.as_bare_name().is_some() => {
            form.wrong(cx, value).suggest(&format!("\"{}\"", expr.path_text()));
        }
        (Kind::Name(_) | Kind::Type, ValueKind::String(text)) => {
            let bare = text.value.clone();
            let is_name =
                bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
            let wrong = form.wrong(cx, value);
            if is_name && !bare.is_empty() {
                wrong.fix("write the name without quotes", bare);
            }
        }
        _ => {
            form.wrong(cx, value);
        }
    }
}

/// Checks each entry of a block of the author's own keys by one table.
fn each(cx: &mut Check<'_>, row: &'static Row, inner: &'static Table, block: &Block) {
    for entry in &block.entries {
        let name = &entry.key.text;
        match entry.value.as_ref().map(|value| &value.kind) {
            Some(ValueKind::Block(block)) => self::block(cx, Fields::new(block, inner), entry.key.span),
            None if cx.broken => {}
            _ => {
                let span = entry.value.as_ref().map_or(entry.key.span, |value| value.span);
                let message = format!("`{name}` in `{}` is a block for {}", row.key, inner.block);
                cx.report(inner.codes.value_invalid, span, message);
            }
        }
    }
}

/// The form of one key's value.
struct Of {
    codes: &'static Codes,
    row: &'static Row,
}

/// A finding about a value, to which a fix of that value can be added.
struct Wrong<'a, 'db> {
    finding: &'a mut crate::diagnostics::Finding<'db>,
    place: crate::diagnostics::Place<'db>,
}

impl Wrong<'_, '_> {
    fn fix(self, title: &str, text: impl Into<String>) {
        self.finding.fix(title, self.place, text);
    }

    fn suggest(self, text: &str) {
        self.finding.suggest(format!("write `{text}`"), self.place, text);
    }
}

impl Of {
    /// Reports a value of a form that the key doesn't take.
    fn wrong<'a, 'db>(&self, cx: &'a mut Check<'db>, value: &Value) -> Wrong<'a, 'db> {
        let (key, expected) = (self.row.key, self.row.kind.expected());
        let written = match &value.kind {
            ValueKind::Type(expr, None) => format!("`{}`", written_type(expr)),
            ValueKind::Type(expr, Some(_)) => format!("`{} {{ … }}`", written_type(expr)),
            ValueKind::Number(number) => format!("`{}`", number.text),
            ValueKind::Call(name, _) => format!("`{}(…)`", name.text),
            _ => values::form_of(value).to_owned(),
        };
        let wrong = self.report(cx, value.span, format!("`{key}` takes {expected}, not {written}"));
        if let Some(number) = self.number_in_quotes(value) {
            wrong.finding.fix(format!("write `{number}`"), wrong.place, number);
        }
        wrong
    }

    /// The number of a string, where the key takes a number.
    fn number_in_quotes<'a>(&self, value: &'a Value) -> Option<&'a str> {
        let takes_number =
            matches!(self.row.kind, Kind::Duration { .. } | Kind::Size { .. } | Kind::Whole { .. });
        let text = &*values::text(value).filter(|_| takes_number)?.value;
        matches!(tokens(text)[..], [Token { kind: TokenKind::Number, .. }]).then_some(text)
    }

    fn report<'a, 'db>(&self, cx: &'a mut Check<'db>, span: Span, message: String) -> Wrong<'a, 'db> {
        let place = cx.at(span);
        let finding = cx.report(self.codes.value_invalid, span, message);
        Wrong { finding, place }
    }

    fn duration(&self, cx: &mut Check<'_>, value: &Value, min_ms: i64, max_ms: i64, why: &str) {
        let ValueKind::Number(number) = &value.kind else {
            self.wrong(cx, value);
            return;
        };
        let Number::Duration(ms) = number.number else {
            self.wrong(cx, value);
            return;
        };
        let (key, expected, written) = (self.row.key, self.row.kind.expected(), &number.text);
        if ms.is_none_or(|ms| ms > max_ms) {
            let longest = duration_text(max_ms);
            // What is expected names the language's own bound on no key, and here that is the one that counts.
            let bound = if max_ms == DURATION_MAX_MS { format!("at most `{longest}`") } else { expected };
            let message = format!("`{key}` is {bound}; `{written}` is longer");
            self.report(cx, value.span, message).suggest(&longest);
        } else if ms.is_some_and(|ms| ms < min_ms) {
            let message = format!("`{key}` is {expected}; `{written}` is shorter");
            self.report(cx, value.span, message + why).suggest(&duration_text(min_ms));
        }
    }

    fn size(&self, cx: &mut Check<'_>, value: &Value, max: u64) {
        match &value.kind {
            ValueKind::Number(number) if matches!(number.number, Number::Size(_)) => {
                if values::size_bytes(value).is_none_or(|bytes| bytes > max) {
                    self.wrong(cx, value).suggest(&size_text(max));
                } else if values::size_bytes(value) == Some(0) {
                    self.wrong(cx, value);
                }
            }
            _ => {
                self.wrong(cx, value);
            }
        }
    }

    fn whole(&self, cx: &mut Check<'_>, value: &Value, min: i64, max: i64) {
        let int = match &value.kind {
            ValueKind::Number(number) => match number.number {
                Number::Int(int) => Some(int),
                _ => None,
            },
            _ => None,
        };
        match int {
            None => {
                self.wrong(cx, value);
            }
            Some(int) if int < i128::from(min) => self.wrong(cx, value).suggest(&min.to_string()),
            Some(int) if int > i128::from(max) => self.wrong(cx, value).suggest(&max.to_string()),
            Some(_) => {}
        }
    }

    fn one_of(&self, cx: &mut Check<'_>, value: &Value, words: &[&'static str]) {
        let written = match values::bare_name(value) {
            Some(name) if words.contains(&&*name.text) => return,
            Some(name) => Some(&*name.text),
            None => values::text(value).map(|text| &*text.value),
        };
        let meant = written.and_then(|written| {
            let same = words.iter().copied().find(|word| *word == written);
            same.or_else(|| nearest(written, words.iter().copied()))
        });
        self.wrong(cx, value).finding.nearest(meant);
    }

    fn calls(&self, cx: &mut Check<'_>, value: &Value, forms: &'static [Form], words: &[&'static str]) {
        let Some((name, args)) = values::call(value) else { return self.one_of(cx, value, words) };
        let Some(form) = forms.iter().find(|form| form.name == &*name.text) else {
            let meant = nearest(&name.text, forms.iter().map(|form| form.name));
            let (key, expected) = (self.row.key, self.row.kind.expected());
            let message = format!("`{key}` takes {expected}, not `{}(…)`", name.text);
            self.report(cx, name.span, message).finding.nearest(meant);
            return;
        };
        self.args(cx, form, name, args);
    }

    fn args(&self, cx: &mut Check<'_>, form: &Form, name: &Name, args: &[Value]) {
        if args.len() != form.args.len() {
            let message = format!("`{}` is written `{}`", name.text, form.example());
            let extra = args.get(form.args.len()).map_or(name.span, |value| value.span);
            self.report(cx, extra, message);
            return;
        }
        for (arg, value) in form.args.iter().zip(args) {
            let (right, takes) = match arg {
                Arg::Text => (values::text(value).is_some(), "a string"),
                Arg::Template => (values::template(value).is_some(), "a string or `settings.name`"),
                Arg::Env => {
                    environment::check(cx, value, &format!("`{}`", name.text), self.codes.value_invalid);
                    continue;
                }
            };
            if !right {
                let wrong = self.report(cx, value.span, format!("`{}` takes {takes} here", name.text));
                if let (Arg::Template, Some(bare)) = (arg, values::bare_name(value)) {
                    wrong.suggest(&format!("settings.{}", bare.text));
                }
            }
        }
    }

    fn names(&self, cx: &mut Check<'_>, value: &Value, dotted: bool, alone: bool, all: bool) {
        let right = |value: &Value| values::path(value).is_some_and(|path| dotted || path.len() == 1);
        match values::list(value) {
            None if alone && right(value) => {}
            None if all && values::bare_name(value).is_some_and(|name| &*name.text == "all") => {}
            None if right(value) => {
                let place = cx.at(value.span);
                let text =
                    values::path(value).into_iter().flatten().map(|name| &*name.text).collect::<Vec<_>>();
                let text = format!("[{}]", text.join("."));
                self.wrong(cx, value).finding.fix(format!("write `{text}`"), place, text);
                cx.settle(value.span);
            }
            None => {
                self.wrong(cx, value);
                cx.settle(value.span);
            }
            Some(values) => self.list(cx, values, right),
        }
    }

    fn list(&self, cx: &mut Check<'_>, values: &[Value], right: impl Fn(&Value) -> bool) {
        let mut first: HashMap<String, Span> = HashMap::new();
        for value in values {
            let name = values::path(value)
                .map(|path| path.iter().map(|name| &*name.text).collect::<Vec<_>>().join("."));
            let known = name.clone().map(|name| *first.entry(name).or_insert(value.span));
            let Some((name, known)) = name.zip(known).filter(|_| right(value)) else {
                self.wrong(cx, value);
                continue;
            };
            if known != value.span {
                let first = cx.at(known);
                let message = format!("`{name}` stands twice in `{}`", self.row.key);
                self.report(cx, value.span, message).finding.related(first, "first here");
            }
        }
    }
}

/// A type as one would write it, without constraints.
fn written_type(expr: &TypeExpr) -> String {
    let args: Vec<_> = expr.args.iter().map(written_type).collect();
    let args = if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
    format!("{}{args}{}", expr.path_text(), if expr.nullable.is_some() { "?" } else { "" })
}

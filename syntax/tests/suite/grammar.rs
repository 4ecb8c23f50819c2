//! The grammar of the language page once more, as a function that counts in how many ways a text can be derived.
//!
//! It shares nothing with the parser but the tokens: each rule gives, for a place, the places where it can end and
//! the number of ways to get there. The rules in prose become conditions: a modifier stands before no colon and is
//! never a field's type, a variant takes the `as` that it can take, and only a type declaration opens a shape.

use std::collections::BTreeMap;

use jadpo_syntax::{TokenKind, tokens};

/// Ends of a rule, each with the number of its derivations.
type Ends = BTreeMap<usize, u64>;

/// The words and signs of a text, docs and other trivia left out.
pub struct Grammar<'a> {
    words: Vec<(TokenKind, &'a str)>,
}

const BLOCKS: [&str; 12] = [
    "provider",
    "operation",
    "app",
    "store",
    "connection",
    "subscriber",
    "action",
    "route",
    "schedule",
    "batch",
    "backfill",
    "deployable",
];

impl<'a> Grammar<'a> {
    /// Prepares to count the derivations of `text`.
    pub fn new(text: &'a str) -> Self {
        let words = tokens(text).into_iter().filter(|token| !token.kind.is_trivia());
        Self { words: words.map(|token| (token.kind, token.span.text(text))).collect() }
    }

    /// The number of derivations of the whole text.
    pub fn derivations(&self) -> u64 {
        let mut reached = Ends::from([(0, 1)]);
        let mut found = 0;
        while let Some((at, ways)) = reached.pop_first() {
            if at == self.words.len() {
                found += ways;
            }
            add(&mut reached, self.declaration(at), ways);
        }
        found
    }

    fn declaration(&self, at: usize) -> Ends {
        let mut ends = self.plain_declaration(at);
        if self.word(at) == Some("public") {
            add(&mut ends, self.plain_declaration(at + 1), 1);
        }
        ends
    }

    fn plain_declaration(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        match self.word(at) {
            Some("type") if self.name(at + 1) && self.is(at + 2, "=") => {
                add(&mut ends, self.type_body(at + 3), 1);
            }
            Some(word) if BLOCKS.contains(&word) && self.name(at + 1) => {
                add(&mut ends, self.block(at + 2), 1);
            }
            _ => {}
        }
        ends
    }

    fn type_body(&self, at: usize) -> Ends {
        match self.word(at) {
            Some("Object") => self.braced(at + 1, |at| self.field(at)),
            Some("Event") => self.braced(at + 1, |at| self.event_item(at)),
            Some("Enum") => self.braced(at + 1, |at| self.variant(at)),
            _ => self.type_and_block(at),
        }
    }

    fn block(&self, at: usize) -> Ends {
        self.braced(at, |at| self.entry(at))
    }

    fn braced(&self, at: usize, item: impl Fn(usize) -> Ends) -> Ends {
        let mut ends = Ends::new();
        if !self.is(at, "{") {
            return ends;
        }
        let mut reached = Ends::from([(at + 1, 1)]);
        while let Some((at, ways)) = reached.pop_first() {
            if self.is(at, "}") {
                *ends.entry(at + 1).or_default() += ways;
            }
            add(&mut reached, item(at), ways);
        }
        ends
    }

    fn entry(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        if (self.name(at) || self.string(at)) && self.is(at + 1, ":") {
            ends.insert(at + 2, 1);
            add(&mut ends, self.value(at + 2), 1);
        }
        ends
    }

    fn value(&self, at: usize) -> Ends {
        let mut ends = self.type_and_block(at);
        if self.string(at) || self.kind(at) == Some(TokenKind::Number) {
            ends.insert(at + 1, 1);
        }
        if self.name(at) && self.is(at + 1, "(") {
            add(&mut ends, self.separated(at + 2, ")"), 1);
        }
        if self.is(at, "[") {
            add(&mut ends, self.separated(at + 1, "]"), 1);
        }
        add(&mut ends, self.block(at), 1);
        ends
    }

    /// `[ value { "," value } [ "," ] ]` and the closing sign.
    fn separated(&self, at: usize, close: &str) -> Ends {
        let mut ends = Ends::new();
        if self.is(at, close) {
            ends.insert(at + 1, 1);
        }
        let mut reached = Ends::from([(at, 1)]);
        while let Some((at, ways)) = reached.pop_first() {
            for (end, more) in self.value(at) {
                if self.is(end, close) {
                    *ends.entry(end + 1).or_default() += ways * more;
                }
                if self.is(end, ",") {
                    if self.is(end + 1, close) {
                        *ends.entry(end + 2).or_default() += ways * more;
                    }
                    *reached.entry(end + 1).or_default() += ways * more;
                }
            }
        }
        ends
    }

    fn field(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        let modifier = matches!(self.word(at + 2), Some("optional" | "as" | "at"));
        if !self.name(at) || !self.is(at + 1, ":") || modifier {
            return ends;
        }
        let mut reached = self.type_and_block(at + 2);
        while let Some((at, ways)) = reached.pop_first() {
            // What can be a modifier is one, so that a field ends only where none can follow.
            let end = match self.word(at) {
                Some("optional") if !self.is(at + 1, ":") => at + 1,
                Some("as" | "at") if self.string(at + 1) => at + 2,
                _ => {
                    *ends.entry(at).or_default() += ways;
                    continue;
                }
            };
            *reached.entry(end).or_default() += ways;
        }
        ends
    }

    fn event_item(&self, at: usize) -> Ends {
        if self.word(at) == Some("wire_name") && self.is(at + 1, ":") && self.string(at + 2) {
            return Ends::from([(at + 3, 1)]);
        }
        self.field(at)
    }

    fn variant(&self, at: usize) -> Ends {
        if !self.name(at) {
            return Ends::new();
        }
        let sent = self.string(at + 2)
            || self.kind(at + 2) == Some(TokenKind::Number)
            || self.word(at + 2) == Some("other");
        let end = if self.word(at + 1) == Some("as") && sent { at + 3 } else { at + 1 };
        Ends::from([(end, 1)])
    }

    fn type_and_block(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        for (end, ways) in self.ty(at) {
            *ends.entry(end).or_default() += ways;
            add(&mut ends, self.block(end), ways);
        }
        ends
    }

    fn ty(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        if !self.name(at) || matches!(self.word(at), Some("Object" | "Event" | "Enum")) {
            return ends;
        }
        let mut paths = vec![at + 1];
        while let Some(end) = paths.pop() {
            for (end, ways) in self.arguments(end) {
                *ends.entry(end).or_default() += ways;
                if self.is(end, "?") {
                    *ends.entry(end + 1).or_default() += ways;
                }
            }
            if self.is(end, ".") && self.name(end + 1) {
                paths.push(end + 2);
            }
        }
        ends
    }

    fn arguments(&self, at: usize) -> Ends {
        let mut ends = Ends::from([(at, 1)]);
        if !self.is(at, "<") {
            return ends;
        }
        let mut reached = Ends::from([(at + 1, 1)]);
        while let Some((at, ways)) = reached.pop_first() {
            for (end, more) in self.ty(at) {
                if self.is(end, ">") {
                    *ends.entry(end + 1).or_default() += ways * more;
                }
                if self.is(end, ",") {
                    *reached.entry(end + 1).or_default() += ways * more;
                }
            }
        }
        ends
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.words.get(at).map(|(kind, _)| *kind)
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.words.get(at).is_some_and(|(_, word)| *word == text)
    }

    fn word(&self, at: usize) -> Option<&'a str> {
        if self.name(at) { self.words.get(at).map(|(_, word)| *word) } else { None }
    }

    fn name(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Name)
    }

    fn string(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::String)
    }
}

fn add(ends: &mut Ends, more: Ends, ways: u64) {
    for (end, count) in more {
        *ends.entry(end).or_default() += count * ways;
    }
}

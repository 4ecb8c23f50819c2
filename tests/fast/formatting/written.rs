//! Manifests put together word by word, with whatever white space and comments between.

use jadpo_analysis::keys;
use jadpo_syntax::tree::Keyword;
use jadpo_syntax::{TokenKind, tokens};

/// Decisions that a test's input makes; when they run out, each is the plainest.
pub struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte) % n)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A part of a manifest.
#[derive(Clone, Debug)]
pub enum Part {
    Word(String),
    /// A line of documentation.
    Doc(String),
}

/// The parts of a text; its comments and white space are left out.
pub fn parts(text: &str) -> Vec<Part> {
    let tokens = tokens(text).into_iter();
    tokens
        .filter_map(|token| match token.kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::Bom => None,
            TokenKind::Doc => Some(Part::Doc(token.span.text(text).to_owned())),
            _ => Some(Part::Word(token.span.text(text).to_owned())),
        })
        .collect()
}

/// A text of `parts`, with a gap before each and one at the end. Each comment is another.
pub fn tear(parts: &[Part], choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    let mut comments = 0;
    for part in parts {
        gap(&mut text, &mut comments, choices);
        match part {
            Part::Word(word) => text.push_str(word),
            Part::Doc(doc) => {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                text.extend(["  ", doc, "\n"]);
            }
        }
    }
    gap(&mut text, &mut comments, choices);
    text
}

fn gap(text: &mut String, comments: &mut usize, choices: &mut Choices<'_>) {
    let mut comment = || {
        *comments += 1;
        format!("// c{comments}")
    };
    let gap = match choices.below(14) {
        0..=3 => " ".to_owned(),
        4 => "\n".to_owned(),
        5 => "\r\n \r\n\t\n".to_owned(),
        6 => format!(" {}\n", comment()),
        7 => format!("\n{}\r\n", comment()),
        8 => format!("\n\n{} \n\n{}\n", comment(), comment()),
        9 => format!("\t{}\n\n", comment()),
        10 => format!("\n      {}\n {}\n\n\n", comment(), comment()),
        11 => format!(" {}\n   {}\n", comment(), comment()),
        12 => {
            let line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
            let column = line.chars().count() + 1;
            format!(" {}\n{}{}\n", comment(), " ".repeat(column), comment())
        }
        _ => "   ".to_owned(),
    };
    text.push_str(&gap);
}

/// A manifest of any keys and values, right or not, that parses.
pub fn manifest(choices: &mut Choices<'_>) -> Vec<Part> {
    let mut writer = Writer { parts: Vec::new(), choices };
    for _ in 0..=writer.choices.below(4) {
        writer.declaration();
    }
    writer.parts
}

struct Writer<'a, 'b> {
    parts: Vec<Part>,
    choices: &'a mut Choices<'b>,
}

impl Writer<'_, '_> {
    fn words(&mut self, words: &str) {
        self.parts.extend(words.split(' ').map(|word| Part::Word(word.to_owned())));
    }

    fn one_of(&mut self, all: &[&str]) {
        let words = self.choices.of(all);
        self.words(words);
    }

    fn docs(&mut self) {
        for line in 0..self.choices.below(8).saturating_sub(5) {
            self.parts.push(Part::Doc(format!("/// doc {line}")));
        }
    }

    fn declaration(&mut self) {
        self.docs();
        let keyword = self.choices.of(&Keyword::ALL);
        if keyword == Keyword::Type {
            return self.type_declaration();
        }
        self.words(keyword.text());
        self.words("name");
        self.block(0);
    }

    fn type_declaration(&mut self) {
        self.one_of(&["type Name =", "public type Name ="]);
        match self.choices.below(4) {
            0 => {
                self.words("Enum {");
                for _ in 0..self.choices.below(5) {
                    self.docs();
                    self.one_of(&["a", "as", "b as \"B\"", "c as 3", "d as other", "rest"]);
                }
                self.words("}");
            }
            1 => {
                self.type_expr(0);
                if self.choices.below(2) == 1 {
                    self.block(2);
                }
            }
            _ => {
                self.one_of(&["Object {", "Event {"]);
                for _ in 0..self.choices.below(5) {
                    self.docs();
                    self.field();
                }
                self.words("}");
            }
        }
    }

    fn field(&mut self) {
        self.one_of(&["a :", "optional :", "type :", "at :"]);
        self.type_expr(0);
        if self.choices.below(3) == 0 {
            self.block(2);
        }
        self.one_of(&["z : Text", "optional y : Int", "as \"w\" optional x : Int", "at \"/a\" v : T"]);
    }

    fn type_expr(&mut self, depth: usize) {
        match self.choices.below(if depth < 3 { 7 } else { 4 }) {
            0 | 1 => self.one_of(&["Text", "Int", "Decimal", "Bytes", "Secret"]),
            2 => self.words("package . Type"),
            3 => self.words("Text ?"),
            4 => {
                self.words("Map < Text ,");
                self.type_expr(depth + 1);
                self.words("> ?");
            }
            _ => {
                self.words("List <");
                self.type_expr(depth + 1);
                self.words(">");
            }
        }
    }

    fn block(&mut self, depth: usize) {
        self.words("{");
        for _ in 0..self.choices.below(6) {
            self.docs();
            let key = self.key();
            self.words(&key);
            self.words(":");
            if self.choices.below(12) != 11 {
                self.value(depth + 1);
            }
        }
        self.words("}");
    }

    /// One of the catalogue's keys, or another.
    fn key(&mut self) -> String {
        if self.choices.below(8) == 7 {
            return self.choices.of(&["unknown", "\"Accept\"", "\"path\"", "name"]).to_owned();
        }
        let keyword = self.choices.of(&Keyword::ALL);
        let Some(table) = keys::table(keyword) else {
            return self.choices.of(&["max", "min", "default", "pattern", "wire", "max_length"]).to_owned();
        };
        table.rows[self.choices.below(table.rows.len())].key.to_owned()
    }

    fn value(&mut self, depth: usize) {
        match self.choices.below(if depth < 4 { 10 } else { 5 }) {
            0 => self.words("name"),
            1 => self.one_of(&["\"a//b\"", "\"\\\"{\"", "\"é\\\\\""]),
            2 => self.one_of(&["5m", "-1", "9_000", "0.250", "8MiB"]),
            3 | 4 => self.type_expr(2),
            5 => {
                self.type_expr(1);
                self.block(depth);
            }
            6 => self.values("[", "]", depth),
            7 => {
                self.words("env");
                self.values("(", ")", depth);
            }
            _ => self.block(depth),
        }
    }

    fn values(&mut self, open: &str, close: &str, depth: usize) {
        self.words(open);
        let count = self.choices.below(4);
        for at in 0..count {
            self.value(depth + 1);
            if at + 1 < count || self.choices.below(2) == 1 {
                self.words(",");
            }
        }
        self.words(close);
    }
}

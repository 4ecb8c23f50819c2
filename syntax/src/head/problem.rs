//! What is wrong with the head of a declaration.

use crate::Span;
use crate::problem::{EXPECTED, KEYWORD_UNKNOWN, PUBLIC_MISPLACED, Problem};
use crate::tree::Keyword;

use super::{Head, How, Words, nearest};

/// The word in a keyword's place, and the place that all spans count from.
struct Report<'a> {
    words: &'a Words<'a>,
    at: usize,
    base: u32,
}

impl Head {
    /// What is wrong with the head's keyword, with spans that are relative to `base`.
    pub fn problem(&self, words: &Words<'_>, base: u32) -> Option<Problem> {
        let report = Report { words, at: self.word, base };
        match (self.how, self.keyword) {
            (How::Written, Some(_)) => None,
            (How::Missing, None) => {
                let message = "`public` stands before no declaration";
                Some(Problem::new(EXPECTED, report.span(self.word, self.word)?, message))
            }
            (How::Missing, Some(_)) => report.without_keyword(),
            (How::Doubled, _) => report.doubled(),
            (How::PublicLate, Some(keyword)) => report.public_late(keyword),
            (How::Swapped, Some(keyword)) => report.swapped(keyword),
            (How::Mistyped, Some(keyword)) => report.mistyped(keyword),
            (_, None) => report.unknown(),
        }
    }
}

impl Report<'_> {
    /// From the start of one word to the end of another.
    fn span(&self, from: usize, to: usize) -> Option<Span> {
        let (from, to) = (self.words.get(from)?.span, self.words.get(to)?.span);
        Some(Span::new(from.start - self.base, to.end - self.base))
    }

    /// From the start of one word to the start of another.
    fn up_to(&self, from: usize, to: usize) -> Option<Span> {
        let (from, to) = (self.words.get(from)?.span, self.words.get(to)?.span);
        Some(Span::new(from.start - self.base, to.start - self.base))
    }

    fn without_keyword(&self) -> Option<Problem> {
        let span = self.span(self.at, self.at)?;
        let message = format!("expected `type` before `{}`", self.words.word(self.at));
        let problem = Problem::new(EXPECTED, span, message);
        Some(problem.with_edit("write `type`", Span::empty(span.start), "type "))
    }

    fn doubled(&self) -> Option<Problem> {
        let again = self.at + 1;
        let message = format!("`{}` stands twice before its name", self.words.word(self.at));
        let problem = Problem::new(EXPECTED, self.span(again, again)?, message);
        Some(problem.with_edit("remove it", self.up_to(again, again + 1)?, ""))
    }

    fn public_late(&self, keyword: Keyword) -> Option<Problem> {
        let (late, word) = (self.at + 1, keyword.text());
        let message = format!("`public` stands after `{word}`");
        let problem = Problem::new(PUBLIC_MISPLACED, self.span(late, late)?, message);
        if !keyword.can_be_public() {
            let help = "only types, operations and actions can be public";
            return Some(problem.with_help(help).with_edit(
                "remove `public`",
                self.up_to(late, late + 1)?,
                "",
            ));
        }
        let text = format!("public {word}");
        let problem = problem.with_help("it belongs before it");
        Some(problem.with_edit(format!("write `{text}`"), self.span(self.at, late)?, text))
    }

    fn swapped(&self, keyword: Keyword) -> Option<Problem> {
        let (name, keyword) = (self.words.word(self.at), keyword.text());
        let message = format!("`{name}` stands before `{keyword}`, and a name follows its keyword");
        let text = format!("{keyword} {name}");
        let problem = Problem::new(EXPECTED, self.span(self.at, self.at)?, message);
        Some(problem.with_edit(format!("write `{text}`"), self.span(self.at, self.at + 1)?, text))
    }

    fn mistyped(&self, keyword: Keyword) -> Option<Problem> {
        let (problem, text) = (self.begins_nothing()?, keyword.text());
        if nearest(&self.words.word(self.at)) != Some(keyword) {
            return Some(problem.with_help("a type is declared as `type Name = …`"));
        }
        let problem = problem.with_help(format!("did you mean `{text}`?"));
        Some(problem.with_edit(format!("write `{text}`"), self.span(self.at, self.at)?, text))
    }

    fn unknown(&self) -> Option<Problem> {
        let (problem, name) = (self.begins_nothing()?, self.at + 1);
        let Some(shape) = shape(&self.words.word(self.at)).filter(|_| self.words.is_name(name)) else {
            let all = Keyword::ALL.map(Keyword::text).join(", ");
            return Some(problem.with_help(format!("a declaration begins with one of {all}")));
        };
        let text = format!("type {} = {shape}", self.words.word(name));
        let problem = problem.with_help(format!("it is declared as `{text} {{ … }}`"));
        Some(problem.with_edit(format!("write `{text}`"), self.span(self.at, name)?, text))
    }

    fn begins_nothing(&self) -> Option<Problem> {
        let message = format!("`{}` begins no declaration", self.words.word(self.at));
        Some(Problem::new(KEYWORD_UNKNOWN, self.span(self.at, self.at)?, message))
    }
}

/// What opens the body of the type that `word` would declare in other languages.
fn shape(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "object" | "struct" | "record" | "message" | "model" => Some("Object"),
        "event" => Some("Event"),
        "enum" => Some("Enum"),
        _ => None,
    }
}

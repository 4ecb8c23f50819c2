//! The head of a declaration, `[public] keyword name`, as both the splitter and the parser read it.

mod problem;

use std::borrow::Cow;

use crate::Span;
use crate::character::visible;
use crate::nearest::nearest_of;
use crate::token::{Token, TokenKind};
use crate::tree::Keyword;

/// The tokens that the grammar sees, by their index among all tokens of a text.
pub(crate) struct Words<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub index: Vec<u32>,
}

/// What stands at the start of a declaration. The numbers are indexes into [`Words::index`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub public: Option<usize>,
    pub keyword: Option<Keyword>,
    /// Where the keyword stands, or the word in its place; the name, where a keyword is missing.
    pub word: usize,
    pub how: How,
    pub name: Option<usize>,
    /// The first token after the head.
    pub next: usize,
}

/// How a head names its keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// It is written.
    Written,
    /// Something like it is written.
    Mistyped,
    /// Nothing is written, and a `=` after the name says that a type is declared.
    Missing,
    /// It is written twice.
    Doubled,
    /// It is written after the name.
    Swapped,
    /// `public` is written after it.
    PublicLate,
}

impl<'a> Words<'a> {
    /// The first `limit` words among `tokens`.
    pub fn new(text: &'a str, tokens: &'a [Token], limit: usize) -> Self {
        let words = tokens.iter().zip(0..).filter(|(token, _)| !token.kind.is_trivia());
        Self { text, tokens, index: words.map(|(_, index)| index).take(limit).collect() }
    }

    pub fn get(&self, at: usize) -> Option<Token> {
        self.index.get(at).map(|index| self.tokens[*index as usize])
    }

    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.get(at).map(|token| token.kind)
    }

    pub fn is_name(&self, at: usize) -> bool {
        self.kind(at).is_some_and(TokenKind::is_name)
    }

    /// The word at `at`, without what can't be seen.
    pub fn word(&self, at: usize) -> Cow<'a, str> {
        match self.get(at) {
            Some(Token { kind: TokenKind::Word, span }) => Cow::Owned(visible(span.text(self.text))),
            Some(token) => Cow::Borrowed(token.span.text(self.text)),
            None => Cow::Borrowed(""),
        }
    }

    fn keyword(&self, at: usize) -> Option<Keyword> {
        if self.is_name(at) { Keyword::from_text(&self.word(at)) } else { None }
    }

    fn opens(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::BraceOpen | TokenKind::Equals))
    }

    /// Whether a line ends between the words at `at - 1` and `at`.
    pub fn begins_line(&self, at: usize) -> bool {
        match (at.checked_sub(1).and_then(|before| self.get(before)), self.get(at)) {
            (Some(before), Some(token)) => {
                Span::new(before.span.end, token.span.start).text(self.text).contains(['\n', '\r'])
            }
            _ => true,
        }
    }

    /// `[public] type Name =` or `[public] keyword name {`: what is legal nowhere inside a declaration.
    pub fn plain_head(&self, at: usize) -> bool {
        let at = at + usize::from(self.is_public(at));
        if !self.is_name(at) || !self.is_name(at + 1) || !self.opens(at + 2) {
            return false;
        }
        let equals = self.kind(at + 2) == Some(TokenKind::Equals);
        self.keyword(at).is_some_and(|keyword| (keyword == Keyword::Type) == equals)
    }

    /// Whether a declaration begins at `at`, given that the one before it is complete.
    pub fn begins_after_complete(&self, at: usize) -> bool {
        let line = self.begins_line(at);
        let word = at + usize::from(self.is_public(at));
        let follows = self.kind(word + 1);
        if self.keyword(word).is_some() || (line && &*self.word(word) == "public") {
            return follows != Some(TokenKind::Colon)
                && (line || self.is_name(word + 1) || self.opens(word + 1) || self.begins_line(word + 1));
        }
        if self.is_name(word) && follows == Some(TokenKind::Equals) {
            return true;
        }
        // A point goes on with the type before it, on whichever line.
        if self.kind(at) == Some(TokenKind::Dot) {
            return false;
        }
        // Something in the place of the keyword.
        if line && self.is_name(word) && follows == Some(TokenKind::BraceOpen) {
            return true;
        }
        let named = self.is_name(word + 1) && self.opens(word + 2);
        named && (self.is_name(word) || (line && !self.begins_line(word + 1)))
    }

    /// Whether a declaration begins at `at`, given that the one before it is broken or may go on.
    pub fn begins_after_incomplete(&self, at: usize) -> bool {
        let word = at + usize::from(self.is_public(at));
        self.begins_line(at)
            && self.keyword(word).is_some()
            && self.is_name(word + 1)
            && !self.begins_line(word + 1)
            && self.kind(word + 2) != Some(TokenKind::Colon)
    }

    /// `public` with a word after it, no docs between them; or a slip of it before what is the head of a declaration.
    pub fn is_public(&self, at: usize) -> bool {
        if !self.is_name(at) || !self.is_name(at + 1) || self.docs_before(at + 1) {
            return false;
        }
        let word = self.word(at);
        let heads = || self.keyword(at + 1).is_some() && self.is_name(at + 2) && self.opens(at + 3);
        word == "public" || heads() && self.keyword(at).is_none() && nearest_of(&word, &["public"]).is_some()
    }

    fn docs_before(&self, at: usize) -> bool {
        let (Some(from), Some(to)) = (self.index.get(at - 1), self.index.get(at)) else { return false };
        self.tokens[*from as usize..*to as usize].iter().any(|token| token.kind == TokenKind::Doc)
    }

    /// Reads the head that begins at `at`.
    pub fn head(&self, at: usize) -> Head {
        let alone = self.is_name(at) && self.word(at) == "public" && !self.is_public(at);
        if alone && (self.get(at + 1).is_none() || self.begins_line(at + 1)) {
            let how = How::Missing;
            return Head { public: Some(at), keyword: None, word: at, how, name: None, next: at + 1 };
        }
        let public = (alone || self.is_public(at)).then_some(at);
        let word = at + usize::from(public.is_some());
        let head = Head { public, keyword: None, word, how: How::Written, name: None, next: word };
        if let Some(keyword) = self.keyword(word) {
            if let Some(mended) = self.mended(head, keyword) {
                return mended;
            }
            let name = self.names(word + 1).then_some(word + 1);
            let next = word + 1 + usize::from(name.is_some());
            return Head { keyword: Some(keyword), name, next, ..head };
        }
        if self.is_name(word) && self.kind(word + 1) == Some(TokenKind::Equals) {
            let keyword = Some(Keyword::Type);
            return Head { keyword, how: How::Missing, name: Some(word), next: word + 1, ..head };
        }
        if let Some(keyword) = self.keyword(word + 1).filter(|keyword| self.heads(*keyword, word + 2))
            && self.is_name(word)
            && nearest(&self.word(word)).is_none()
        {
            let keyword = Some(keyword);
            return Head { keyword, how: How::Swapped, name: Some(word), next: word + 2, ..head };
        }
        if self.is_name(word) && self.is_name(word + 1) && self.opens(word + 2) {
            let equals = self.kind(word + 2) == Some(TokenKind::Equals);
            let keyword = if equals { Some(Keyword::Type) } else { nearest(&self.word(word)) };
            return Head { keyword, how: How::Mistyped, name: Some(word + 1), next: word + 2, ..head };
        }
        // Something that is no word stands in the keyword's place.
        if self.is_name(word + 1) && self.opens(word + 2) {
            let keyword = (self.kind(word + 2) == Some(TokenKind::Equals)).then_some(Keyword::Type);
            return Head { keyword, how: How::Mistyped, name: Some(word + 1), next: word + 2, ..head };
        }
        head
    }

    /// The head whose keyword is followed, on its line, by itself or by `public`, and then by a name and a body.
    fn mended(&self, head: Head, keyword: Keyword) -> Option<Head> {
        let second = head.word + 1;
        if !self.is_name(second + 1) || !self.heads(keyword, second + 2) || self.begins_line(second) {
            return None;
        }
        let mended = Head { keyword: Some(keyword), name: Some(second + 1), next: second + 2, ..head };
        if self.keyword(second) == Some(keyword) {
            Some(Head { how: How::Doubled, ..mended })
        } else if self.word(second) == "public" && head.public.is_none() {
            Some(Head { how: How::PublicLate, public: Some(second), ..mended })
        } else {
            None
        }
    }

    /// Whether what opens the body of such a declaration stands at `at`.
    fn heads(&self, keyword: Keyword, at: usize) -> bool {
        self.opens(at) && (self.kind(at) == Some(TokenKind::Equals)) == (keyword == Keyword::Type)
    }

    /// Whether the word at `at`, after a keyword, is the declaration's name rather than what comes next.
    fn names(&self, at: usize) -> bool {
        let next_entry = self.begins_line(at) && self.kind(at + 1) == Some(TokenKind::Colon);
        self.is_name(at) && !next_entry && !self.plain_head(at)
    }
}

/// The keyword that `word` is a slip of, if one is near enough.
fn nearest(word: &str) -> Option<Keyword> {
    nearest_of(word, &Keyword::ALL.map(Keyword::text)).and_then(Keyword::from_text)
}

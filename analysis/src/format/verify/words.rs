//! The words of a text with the comments and documentation that belong to each.

use jadpo_syntax::{Token, TokenKind};

use crate::format::notes::{Note, goes_on, line_ends, written};

/// A token that isn't trivia, with what belongs to it.
pub struct Word<'t> {
    /// Itself.
    pub token: Token,
    /// What stands on lines of its own before it.
    pub before: Vec<Note<'t>>,
    /// Whether a blank line stands right before it.
    pub blank: bool,
    /// The comment behind it, and those that go on with it.
    pub after: Vec<&'t str>,
}

/// The words of `text`, and what stands on lines of its own after the last of them.
pub fn words<'t>(text: &'t str, tokens: &[Token]) -> (Vec<Word<'t>>, Vec<Note<'t>>) {
    let mut finder = Finder {
        text,
        found: Vec::new(),
        open: Vec::new(),
        waiting: Vec::new(),
        last: None,
        blank: false,
        line_ended: false,
    };
    for token in tokens {
        finder.token(*token);
    }
    (finder.found, finder.waiting)
}

/// Finds the words of a text, without the commas of lists and calls, which say nothing.
struct Finder<'t> {
    text: &'t str,
    found: Vec<Word<'t>>,
    open: Vec<TokenKind>,
    /// Notes that the next word will own.
    waiting: Vec<Note<'t>>,
    /// The last comment behind a word, as long as another may go on with it.
    last: Option<Token>,
    blank: bool,
    line_ended: bool,
}

impl Finder<'_> {
    fn token(&mut self, token: Token) {
        match token.kind {
            TokenKind::Bom => {}
            TokenKind::Space => {
                let ends = line_ends(token.span.text(self.text));
                self.line_ended |= ends > 0;
                self.blank = ends > 1 && !self.waiting.last().is_some_and(|note| note.doc);
            }
            TokenKind::Comment | TokenKind::Doc => self.comment(token),
            kind => {
                if !self.is_separator(kind) {
                    let before = std::mem::take(&mut self.waiting);
                    self.found.push(Word { token, before, blank: self.blank, after: Vec::new() });
                }
                (self.last, self.blank, self.line_ended) = (None, false, false);
            }
        }
    }

    fn comment(&mut self, token: Token) {
        let goes_on = self.last.is_some_and(|last| goes_on(self.text, last, token));
        let trails = goes_on || (!self.line_ended && self.waiting.is_empty());
        if let Some(word) = self.found.last_mut().filter(|_| trails && token.kind == TokenKind::Comment) {
            word.after.push(written(self.text, token));
            self.last = Some(token);
        } else {
            self.waiting.push(Note::new(self.text, token, self.blank));
            self.last = None;
        }
        self.blank = false;
    }

    fn is_separator(&mut self, kind: TokenKind) -> bool {
        use TokenKind::{
            AngleClose, AngleOpen, BraceClose, BraceOpen, BracketClose, BracketOpen, Comma, ParenClose,
            ParenOpen,
        };
        match kind {
            BraceOpen | BracketOpen | ParenOpen | AngleOpen => self.open.push(kind),
            BraceClose | BracketClose | ParenClose | AngleClose => drop(self.open.pop()),
            _ => {}
        }
        kind == Comma && matches!(self.open.last(), Some(BracketOpen | ParenOpen))
    }
}

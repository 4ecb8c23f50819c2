//! Tokens: every byte of a text is in exactly one of them, trivia and what cannot be read included.

use logos::Logos;

use crate::Span;
use crate::character::{extend_invalid, extend_number, extend_word, foreign_end, is_letter};

/// One token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Its form.
    pub kind: TokenKind,
    /// Its bytes.
    pub span: Span,
}

/// The forms of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Blanks, tabs and line ends, as many as stand together.
    #[regex(r"[ \t\r\n]+")]
    Space,
    /// `//` to the end of the line; four slashes or more are a comment too.
    #[regex(r"//[^\r\n]*", priority = 2, allow_greedy = true)]
    Comment,
    /// `///` to the end of the line.
    #[regex(r"///([^/\r\n][^\r\n]*)?", priority = 3, allow_greedy = true)]
    Doc,
    /// The byte order mark at the start of a text.
    Bom,
    /// A name of ASCII letters, digits and `_`.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// What was meant as a name and has a character that a name can't have.
    Word,
    /// A number with whatever letters are glued to it.
    #[regex(r"-?[0-9][A-Za-z0-9_.]*")]
    Number,
    /// A string with both its quotes.
    #[token("\"")]
    String,
    /// A string whose line ends before its closing quote.
    StringOpen,
    /// `{`
    #[token("{")]
    BraceOpen,
    /// `}`
    #[token("}")]
    BraceClose,
    /// `[`
    #[token("[")]
    BracketOpen,
    /// `]`
    #[token("]")]
    BracketClose,
    /// `(`
    #[token("(")]
    ParenOpen,
    /// `)`
    #[token(")")]
    ParenClose,
    /// `<`
    #[token("<")]
    AngleOpen,
    /// `>`
    #[token(">")]
    AngleClose,
    /// `:`
    #[token(":")]
    Colon,
    /// `=`
    #[token("=")]
    Equals,
    /// `,`
    #[token(",")]
    Comma,
    /// `.`
    #[token(".")]
    Dot,
    /// `?`
    #[token("?")]
    Question,
    /// Characters that are no part of the language.
    #[regex(r"(?s:.)", priority = 0)]
    Invalid,
}

impl TokenKind {
    /// Whether the grammar doesn't see it: white space, comments, docs, the byte order mark, and what is invalid.
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Space | Self::Comment | Self::Doc | Self::Bom | Self::Invalid)
    }

    /// Whether it stands where a name may.
    pub fn is_name(self) -> bool {
        matches!(self, Self::Name | Self::Word)
    }

    /// Whether it stands where a string may.
    pub fn is_string(self) -> bool {
        matches!(self, Self::String | Self::StringOpen)
    }
}

/// The tokens of `text`, which together are all of it.
///
/// Texts of more than 4 GiB are cut there; [`crate::limits::FILE_BYTES`] keeps them out long before.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = TokenKind::lexer(text);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut comment_end = true;
    while let Some(read) = lexer.next() {
        let span = lexer.span();
        let (kind, end) =
            settle(text, read.unwrap_or(TokenKind::Invalid), span.start, span.end, &mut comment_end);
        lexer.bump(end - span.end);
        let (Ok(start), Ok(end)) = (u32::try_from(span.start), u32::try_from(end)) else { break };
        tokens.push(Token { kind, span: Span { start, end } });
    }
    tokens
}

/// What the token that begins at `start` is and where it ends, where the first characters don't decide it.
fn settle(
    text: &str,
    kind: TokenKind,
    start: usize,
    end: usize,
    comment_end: &mut bool,
) -> (TokenKind, usize) {
    match kind {
        TokenKind::Name => match extend_word(text, end) {
            longer if longer > end => (TokenKind::Word, longer),
            _ => (TokenKind::Name, end),
        },
        TokenKind::Number => (TokenKind::Number, extend_number(text, end)),
        TokenKind::String => string_end(text, end),
        TokenKind::Invalid => match text[start..].chars().next() {
            Some('\u{feff}') if start == 0 => (TokenKind::Bom, end),
            Some(first) if is_letter(first) => (TokenKind::Word, extend_word(text, end)),
            Some('/' | '\'' | '#') => {
                let end = foreign_end(text, start, comment_end).unwrap_or(end);
                (TokenKind::Invalid, end)
            }
            _ => (TokenKind::Invalid, extend_invalid(text, end)),
        },
        _ => (kind, end),
    }
}

/// Where the string ends whose opening quote is before `from`.
fn string_end(text: &str, from: usize) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return (TokenKind::String, at + 1),
            b'\n' | b'\r' => break,
            b'\\' if !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            _ => at += 1,
        }
    }
    let written = text.get(from..at).unwrap_or_default();
    (TokenKind::StringOpen, from + written.trim_end_matches([' ', '\t']).len())
}

//! What is laid out: items with their comments, and the groups between delimiters that hold them.

use jadpo_syntax::TokenKind;

use super::notes::Note;

/// A declaration, an entry, a field, a variant, an argument or an element.
#[derive(Debug, Default)]
pub struct Item<'t> {
    /// What stands on lines of its own before it.
    pub notes: Vec<Note<'t>>,
    /// Whether a blank line stands between these, or what is before the item, and its first word.
    pub blank: bool,
    /// Its words and what stands between them.
    pub pieces: Vec<Piece<'t>>,
    /// The comment at its end, and those that go on with it in the same column.
    pub trailing: Vec<&'t str>,
    /// How many columns it takes on one line, if it may stand on one.
    pub flat: Option<usize>,
}

/// A part of an item.
#[derive(Debug)]
pub enum Piece<'t> {
    /// One token.
    Word(TokenKind, &'t str),
    /// A comment behind a token that isn't the item's last, and those that go on with it in the same column.
    Trailing(Vec<&'t str>),
    /// A comment between two tokens, on a line of its own.
    Note(&'t str),
    /// What two delimiters hold.
    Group(Box<Group<'t>>),
}

/// Two delimiters and what stands between them.
#[derive(Debug)]
pub struct Group<'t> {
    /// Which delimiters.
    pub delimiters: Delimiters,
    /// The comment behind the opening one, and those that go on with it in the same column.
    pub head: Vec<&'t str>,
    /// What is said of the whole group, with a blank line after it.
    pub top: Vec<Note<'t>>,
    /// What it holds, in the order in which it is written.
    pub items: Vec<Item<'t>>,
    /// What stands on lines of its own before the closing delimiter.
    pub end: Vec<Note<'t>>,
    /// How many columns it takes on one line, if it may stand on one.
    pub flat: Option<usize>,
}

/// The pairs of delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiters {
    /// `{ a  b }`
    Braces,
    /// `[a, b]`
    Brackets,
    /// `(a, b)`
    Parens,
}

impl Delimiters {
    /// The pair that a token opens.
    pub fn opened_by(kind: TokenKind) -> Option<Self> {
        match kind {
            TokenKind::BraceOpen => Some(Self::Braces),
            TokenKind::BracketOpen => Some(Self::Brackets),
            TokenKind::ParenOpen => Some(Self::Parens),
            _ => None,
        }
    }

    /// The opening token.
    pub fn opening(self) -> TokenKind {
        match self {
            Self::Braces => TokenKind::BraceOpen,
            Self::Brackets => TokenKind::BracketOpen,
            Self::Parens => TokenKind::ParenOpen,
        }
    }

    /// The closing token.
    pub fn closing(self) -> TokenKind {
        match self {
            Self::Braces => TokenKind::BraceClose,
            Self::Brackets => TokenKind::BracketClose,
            Self::Parens => TokenKind::ParenClose,
        }
    }

    /// Both, as written.
    pub fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Braces => ("{", "}"),
            Self::Brackets => ("[", "]"),
            Self::Parens => ("(", ")"),
        }
    }

    /// What stands inside each of them on one line.
    pub fn padding(self) -> &'static str {
        if self == Self::Braces { " " } else { "" }
    }

    /// What stands between two items on one line.
    pub fn separator(self) -> &'static str {
        if self == Self::Braces { "  " } else { ", " }
    }

    /// What stands behind each item that has a line of its own.
    pub fn suffix(self) -> &'static str {
        if self == Self::Braces { "" } else { "," }
    }
}

impl Item<'_> {
    /// Whether a blank line was written before it and its notes.
    pub fn begins_blank(&self) -> bool {
        self.notes.first().map_or(self.blank, |note| note.blank)
    }

    /// How many columns it takes on one line.
    pub fn measure(&self) -> Option<usize> {
        if !self.notes.is_empty() || !self.trailing.is_empty() {
            return None;
        }
        measure(&self.pieces)
    }
}

impl Group<'_> {
    /// Whether it holds nothing at all.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.head.is_empty() && self.top.is_empty() && self.end.is_empty()
    }

    /// How many columns it takes on one line. `broken` is whether it was written over several: entries and elements
    /// then stay so, while arguments have no say in it.
    pub fn measure(&self, broken: bool) -> Option<usize> {
        let sides = 2 + 2 * self.delimiters.padding().len();
        if !self.head.is_empty() || !self.top.is_empty() || !self.end.is_empty() {
            return None;
        }
        let Some(between) = self.items.len().checked_sub(1) else {
            return Some(2 + self.delimiters.padding().len());
        };
        if broken && self.delimiters != Delimiters::Parens {
            return None;
        }
        let items = self.items.iter().map(|item| item.flat).sum::<Option<usize>>()?;
        Some(sides + items + between * self.delimiters.separator().len())
    }
}

/// How many columns `pieces` take on one line, the blanks between them included.
pub fn measure(pieces: &[Piece<'_>]) -> Option<usize> {
    let mut columns = 0;
    let mut before = None;
    for piece in pieces {
        let (first, last) = piece.ends()?;
        columns += usize::from(before.is_some_and(|before| is_spaced(before, first)));
        columns += match piece {
            Piece::Word(_, text) => width(text),
            Piece::Group(group) => group.flat?,
            Piece::Trailing(_) | Piece::Note(_) => return None,
        };
        before = Some(last);
    }
    Some(columns)
}

impl Piece<'_> {
    /// Its first and its last token, unless it is a comment.
    pub fn ends(&self) -> Option<(TokenKind, TokenKind)> {
        match self {
            Self::Word(kind, _) => Some((*kind, *kind)),
            Self::Group(group) => Some((group.delimiters.opening(), group.delimiters.closing())),
            Self::Trailing(_) | Self::Note(_) => None,
        }
    }
}

/// Whether a blank stands between two tokens of an item.
pub fn is_spaced(before: TokenKind, after: TokenKind) -> bool {
    let glued_to_next = matches!(before, TokenKind::Dot | TokenKind::AngleOpen);
    let glued_to_last = matches!(
        after,
        TokenKind::Colon
            | TokenKind::Comma
            | TokenKind::Dot
            | TokenKind::Question
            | TokenKind::AngleOpen
            | TokenKind::AngleClose
            | TokenKind::ParenOpen
    );
    !glued_to_next && !glued_to_last
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

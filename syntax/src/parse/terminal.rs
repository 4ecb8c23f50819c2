//! The terminals of the grammar, and what a fault may say was expected.

/// One token as the grammar sees it. Whether a name or a string is a key has been settled by the `:` after it, so
/// that the grammar never looks further than one terminal ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum T {
    Name,
    Optional,
    As,
    At,
    Other,
    WireName,
    Object,
    Event,
    Enum,
    Key,
    KeyString,
    KeyWireName,
    String,
    Number,
    BraceOpen,
    BraceClose,
    BracketOpen,
    BracketClose,
    ParenOpen,
    ParenClose,
    AngleOpen,
    AngleClose,
    Colon,
    Equals,
    Comma,
    Dot,
    Question,
}

impl T {
    /// The terminal of a name.
    pub fn of_word(word: &str) -> Self {
        match word {
            "optional" => Self::Optional,
            "as" => Self::As,
            "at" => Self::At,
            "other" => Self::Other,
            "wire_name" => Self::WireName,
            "Object" => Self::Object,
            "Event" => Self::Event,
            "Enum" => Self::Enum,
            _ => Self::Name,
        }
    }

    /// A name before no colon.
    pub fn is_name(self) -> bool {
        matches!(self, Self::Name | Self::Optional | Self::As | Self::At | Self::Other | Self::WireName)
            || self.is_shape()
    }

    /// `Object`, `Event`, `Enum`.
    pub fn is_shape(self) -> bool {
        matches!(self, Self::Object | Self::Event | Self::Enum)
    }

    /// A name or a string before a colon.
    pub fn is_key(self) -> bool {
        matches!(self, Self::Key | Self::KeyString | Self::KeyWireName)
    }

    /// What changes a field after its type.
    pub fn is_modifier(self) -> bool {
        matches!(self, Self::Optional | Self::As | Self::At)
    }

    /// Whether a value begins here.
    pub fn begins_value(self) -> bool {
        self.is_name() || matches!(self, Self::String | Self::Number | Self::BraceOpen | Self::BracketOpen)
    }

    /// Whether a field's type begins here.
    pub fn begins_type(self) -> bool {
        self.is_name() && !self.is_modifier()
    }

    /// Where what is skipped inside a block ends.
    pub fn ends_junk(self) -> bool {
        self.is_key() || self == Self::BraceClose
    }
}

/// A set of things that could have stood somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Expected(u64);

impl Expected {
    pub const NAME: Self = Self(1);
    pub const TYPE: Self = Self(1 << 1);
    pub const VALUE: Self = Self(1 << 2);
    pub const STRING: Self = Self(1 << 3);
    pub const KEY: Self = Self(1 << 4);
    pub const FIELD: Self = Self(1 << 5);
    pub const VARIANT: Self = Self(1 << 6);
    pub const DECLARATION: Self = Self(1 << 7);
    pub const COLON: Self = Self(1 << 8);
    pub const EQUALS: Self = Self(1 << 9);
    pub const COMMA: Self = Self(1 << 10);
    pub const BRACE_OPEN: Self = Self(1 << 11);
    pub const BRACE_CLOSE: Self = Self(1 << 12);
    pub const BRACKET_CLOSE: Self = Self(1 << 13);
    pub const PAREN_CLOSE: Self = Self(1 << 14);
    pub const ANGLE_CLOSE: Self = Self(1 << 15);

    const TEXTS: [&'static str; 16] = [
        "a name",
        "a type",
        "a value",
        "a string",
        "a key",
        "a field",
        "a variant",
        "a declaration",
        "`:`",
        "`=`",
        "`,`",
        "`{`",
        "`}`",
        "`]`",
        "`)`",
        "`>`",
    ];

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What a single terminal is called.
    pub fn of(terminal: T) -> Self {
        match terminal {
            T::Key | T::KeyString | T::KeyWireName => Self::KEY,
            T::String => Self::STRING,
            T::Number => Self::VALUE,
            T::BraceOpen => Self::BRACE_OPEN,
            T::BraceClose => Self::BRACE_CLOSE,
            T::BracketClose => Self::BRACKET_CLOSE,
            T::ParenClose => Self::PAREN_CLOSE,
            T::AngleClose => Self::ANGLE_CLOSE,
            T::Colon => Self::COLON,
            T::Equals => Self::EQUALS,
            T::Comma => Self::COMMA,
            _ if terminal.is_name() => Self::NAME,
            _ => Self::default(),
        }
    }

    /// "a key or `}`"
    pub fn text(self) -> String {
        let texts: Vec<&str> = (0..Self::TEXTS.len())
            .filter(|bit| self.0 & (1 << bit) != 0)
            .map(|bit| Self::TEXTS[bit])
            .collect();
        match &texts[..] {
            [] => "something else".to_owned(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }
}

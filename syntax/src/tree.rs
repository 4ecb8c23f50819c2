//! The tree of one declaration: what was written, with holes where something is missing.
//!
//! A tree owns its text, so that two trees are equal exactly when they say the same at the same places. Spans are
//! relative to the declaration's first byte.

use crate::Span;

/// One declaration, as `[public] keyword name …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Declaration {
    /// The lines of documentation that stand before it, without `///` and one leading space.
    pub docs: Vec<String>,
    /// Where `public` stands, if it does.
    pub public: Option<Span>,
    /// What it declares.
    pub keyword: Keyword,
    /// Where the keyword stands.
    pub keyword_span: Span,
    /// Its name; `None` is a hole that the parser has reported.
    pub name: Option<Name>,
    /// What it says.
    pub body: Body,
    /// From its first token (docs not counted) to its last.
    pub span: Span,
}

/// The word at the start of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each variant is the keyword of its name")]
pub enum Keyword {
    Type,
    Provider,
    Operation,
    App,
    Store,
    Connection,
    Subscriber,
    Action,
    Route,
    Schedule,
    Batch,
    Backfill,
    Deployable,
}

impl Keyword {
    /// Every keyword, in the order of the language page.
    pub const ALL: [Self; 13] = [
        Self::Type,
        Self::Provider,
        Self::Operation,
        Self::App,
        Self::Store,
        Self::Connection,
        Self::Subscriber,
        Self::Action,
        Self::Route,
        Self::Schedule,
        Self::Batch,
        Self::Backfill,
        Self::Deployable,
    ];

    /// The word itself.
    pub fn text(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Provider => "provider",
            Self::Operation => "operation",
            Self::App => "app",
            Self::Store => "store",
            Self::Connection => "connection",
            Self::Subscriber => "subscriber",
            Self::Action => "action",
            Self::Route => "route",
            Self::Schedule => "schedule",
            Self::Batch => "batch",
            Self::Backfill => "backfill",
            Self::Deployable => "deployable",
        }
    }

    /// Whether `public` may stand before it.
    pub fn can_be_public(self) -> bool {
        matches!(self, Self::Type | Self::Operation | Self::Action)
    }

    /// The keyword that `word` is, if it is one.
    pub fn from_text(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.text() == word)
    }
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// As written.
    pub text: Box<str>,
    /// Where.
    pub span: Span,
}

/// What a declaration says after its head.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// `type X = …`
    Type(TypeBody),
    /// `{ key: value … }`
    Block(Block),
    /// Nothing that could be read; the parser has reported why.
    Missing,
}

/// The right-hand side of a type declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeBody {
    /// `Object { … }`
    Object(Vec<Field>),
    /// `Event { … }`
    Event {
        /// Every `wire_name:` entry; more than one is a mistake that `analysis` reports.
        wire_names: Vec<WireName>,
        /// Its fields.
        fields: Vec<Field>,
    },
    /// `Enum { … }`
    Enum(Vec<Variant>),
    /// Another type, with constraints or without.
    Alias(TypeExpr, Option<Block>),
    /// A hole that the parser has reported.
    Missing,
}

/// `wire_name: "invoice.paid"` in an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WireName {
    /// Documentation before it.
    pub docs: Vec<String>,
    /// The name that the provider uses.
    pub value: StringLit,
    /// The whole entry.
    pub span: Span,
}

/// `name: Type { constraints } optional as "x" at "/y"` in an object or an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Documentation before it.
    pub docs: Vec<String>,
    /// Its name.
    pub name: Name,
    /// Its type; `None` is a hole reported as `syntax.type_missing`.
    pub ty: Option<TypeExpr>,
    /// The constraints after the type.
    pub constraints: Option<Block>,
    /// Its modifiers in the order they were written, doubled ones included.
    pub modifiers: Vec<Modifier>,
    /// From its name to its last modifier.
    pub span: Span,
}

/// A word after a field's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Modifier {
    /// Which.
    pub kind: ModifierKind,
    /// The word and its operand.
    pub span: Span,
}

/// What a modifier says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModifierKind {
    /// The field may be missing.
    Optional,
    /// The field's name on the wire.
    As(StringLit),
    /// The JSON Pointer where the field is read.
    At(StringLit),
}

/// One variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Documentation before it.
    pub docs: Vec<String>,
    /// Its name.
    pub name: Name,
    /// What stands after `as`.
    pub wire: Option<VariantWire>,
    /// From its name to the end of `as …`.
    pub span: Span,
}

/// How a variant is sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VariantWire {
    /// `as "SELL"`
    Text(StringLit),
    /// `as 3`
    Number(NumberLit),
    /// `as other`, the variant that keeps what no other variant has.
    Other(Span),
}

/// `{ key: value … }`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Its entries in the order they were written.
    pub entries: Vec<Entry>,
    /// With its braces; where the closing one is missing, to the last token inside.
    pub span: Span,
}

/// `key: value` in a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Documentation before it.
    pub docs: Vec<String>,
    /// Its key.
    pub key: Key,
    /// Its value; `None` is a hole, which the rule of the key reports and nothing else does.
    pub value: Option<Value>,
    /// From its key to the end of its value (or of the colon).
    pub span: Span,
}

/// The key of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The name, or the value of the string.
    pub text: Box<str>,
    /// Whether it was written as a string.
    pub quoted: bool,
    /// Where.
    pub span: Span,
}

/// The value of an entry, of an argument or of an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// What was written.
    pub kind: ValueKind,
    /// Where.
    pub span: Span,
}

/// The forms of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `"text"`
    String(StringLit),
    /// `5m`, `8MiB`, `0.25`, `9_000`
    Number(NumberLit),
    /// `env("NAME")`
    Call(Name, Vec<Value>),
    /// `[a, b]`
    List(Vec<Value>),
    /// `{ … }`
    Block(Block),
    /// A name, a dotted path, a type with arguments; the key says which of them it means.
    Type(TypeExpr, Option<Block>),
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringLit {
    /// Its value, escapes resolved.
    pub value: Box<str>,
    /// With its quotes.
    pub span: Span,
}

impl StringLit {
    /// The part of the literal that gives `value[from..to]`, when it has no escapes, else the whole literal.
    pub fn inner_span(&self, from: u32, to: u32) -> Span {
        let plain = self.span.len() as usize == self.value.len() + 2;
        if plain { Span::new(self.span.start + 1 + from, self.span.start + 1 + to) } else { self.span }
    }
}

/// A number token, judged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumberLit {
    /// As written.
    pub text: Box<str>,
    /// What it is.
    pub number: Number,
    /// Where.
    pub span: Span,
}

/// What a number token means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A whole number, underscores removed.
    Int(i128),
    /// Digits with one point, underscores removed.
    Decimal(Box<str>),
    /// A span of time. `None` where it overflows, which the range check then reports.
    Duration(Option<i64>),
    /// A number of bytes. `None` where it overflows.
    Size(Option<u64>),
    /// No number of a known unit; the parser has reported `syntax.number_invalid`.
    Invalid,
}

/// `name.name<Type, Type>?`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeExpr {
    /// The dotted name; never empty.
    pub path: Vec<Name>,
    /// The arguments between `<` and `>`.
    pub args: Vec<TypeExpr>,
    /// Where `?` stands, if it does.
    pub nullable: Option<Span>,
    /// All of it.
    pub span: Span,
}

impl TypeExpr {
    /// The path as written, joined by points.
    pub fn path_text(&self) -> String {
        self.path.iter().map(|name| &*name.text).collect::<Vec<_>>().join(".")
    }

    /// The name, when it is one bare name without arguments or `?`.
    pub fn as_bare_name(&self) -> Option<&Name> {
        match &self.path[..] {
            [name] if self.args.is_empty() && self.nullable.is_none() => Some(name),
            _ => None,
        }
    }

    /// Where the path stands, without arguments and `?`.
    pub fn path_span(&self) -> Span {
        match (self.path.first(), self.path.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.span,
        }
    }
}

//! Declared types, and types where they are used.

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDef {
    /// Its name, `UpperCamelCase`.
    pub name: String,
    /// Its documentation, lines joined by `\n`; empty when there is none.
    pub doc: String,
    /// Whether apps may name it.
    pub public: bool,
    /// What it is.
    pub kind: TypeKind,
}

/// The kinds of declared types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `Object { … }`
    Object {
        /// As declared.
        fields: Vec<Field>,
    },
    /// `Event { … }`
    Event {
        /// The provider's name for it, where the provider sends it.
        wire_name: Option<String>,
        /// As declared.
        fields: Vec<Field>,
    },
    /// `Enum { … }`
    Enum {
        /// As declared, the catch-all included.
        variants: Vec<Variant>,
        /// Whether its values are sent as integers.
        integers: bool,
    },
    /// A type with constraints of its own: a checked newtype.
    Newtype(Type),
    /// Another name for a type.
    Alias {
        /// What it stands for.
        target: Type,
        /// Whether it reaches itself through aliases alone, so that Rust needs a struct.
        recursive: bool,
    },
}

/// A field of an object or an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its declared name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Its name on the wire, after `field_case:` and `as`.
    pub wire: String,
    /// The JSON Pointer where it is read, instead of `wire`.
    pub at: Option<String>,
    /// Whether it may be missing.
    pub optional: bool,
    /// Whether Rust must box it, since its type reaches this object again without a list or a map between.
    pub boxed: bool,
    /// Its type.
    pub ty: Type,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its declared name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// How it is sent.
    pub wire: VariantWire,
}

/// How a variant is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantWire {
    /// As this text, after `enum_case:` and `as`.
    Text(String),
    /// As this integer.
    Int(i64),
    /// It keeps whatever no other variant has.
    Other,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Type {
    Text(TextRule),
    Int(RangeRule),
    Decimal(RangeRule),
    Bool,
    Instant(InstantWire),
    DateTime,
    Date,
    Duration,
    Uuid,
    Url,
    Email,
    Bytes(BytesWire),
    Json,
    Secret,
    List(Box<Type>, ItemsRule),
    Map(Box<Type>, Box<Type>),
    /// `T?`
    Nullable(Box<Type>),
    /// A declared type.
    Named(TypeRef),
}

/// Which declared type: `package` is `None` for one of the app's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the struct's documentation says both")]
pub struct TypeRef {
    pub package: Option<String>,
    pub name: String,
}

/// Constraints of a text; lengths in Unicode scalar values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct TextRule {
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,
}

/// Constraints of a number, as canonical decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct RangeRule {
    pub min: Option<String>,
    pub max: Option<String>,
}

/// Constraints of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct ItemsRule {
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
}

/// How an instant is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum InstantWire {
    #[default]
    Rfc3339,
    UnixS,
    UnixMs,
    Rfc2822,
}

/// How bytes are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum BytesWire {
    #[default]
    Base64,
    Base64Url,
    Hex,
}

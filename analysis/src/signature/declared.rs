//! The signature of a declared type.

use jadpo_syntax::tree::{self, Body, ModifierKind, Number, TypeBody};

use super::type_use;
use crate::db::Db;
use crate::items::{DeclSrc, parse};
use crate::model::Type;

/// What a type declaration says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeSignature {
    /// `Object { … }`
    Object(Vec<FieldSignature>),
    /// `Event { … }`
    Event {
        /// The provider's name for it.
        wire_name: Option<Box<str>>,
        /// As declared.
        fields: Vec<FieldSignature>,
    },
    /// `Enum { … }`
    Enum(Vec<VariantSignature>),
    /// A type with a block of its own, which makes it a newtype.
    Newtype(Option<Type>),
    /// Another name for a type.
    Alias(Option<Type>),
    /// Nothing that could be read.
    Missing,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSignature {
    /// Its name.
    pub name: Box<str>,
    /// Its type; `None` where it means nothing.
    pub ty: Option<Type>,
    /// Whether it may be missing.
    pub optional: bool,
    /// What stands after `as`.
    pub named: Option<Box<str>>,
    /// What stands after `at`.
    pub at: Option<Box<str>>,
}

/// A variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSignature {
    /// Its name.
    pub name: Box<str>,
    /// What stands after `as`.
    pub wire: Option<WrittenWire>,
}

/// How a variant is sent, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenWire {
    /// `as "SELL"`
    Text(Box<str>),
    /// `as 3`; `None` for a number that is no 64-bit integer.
    Int(Option<i64>),
    /// `as other`
    Other,
}

/// The signature of a type declaration.
#[salsa::tracked]
pub fn type_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> TypeSignature {
    match parse(db, decl).declaration.as_ref().map(|declaration| &declaration.body) {
        Some(Body::Type(body)) => TypeSignature::of(body),
        _ => TypeSignature::Missing,
    }
}

impl TypeSignature {
    fn of(body: &TypeBody) -> Self {
        match body {
            TypeBody::Object(fields) => Self::Object(fields.iter().map(FieldSignature::of).collect()),
            TypeBody::Event { wire_names, fields } => Self::Event {
                wire_name: wire_names.first().map(|wire_name| wire_name.value.value.clone()),
                fields: fields.iter().map(FieldSignature::of).collect(),
            },
            TypeBody::Enum(variants) => Self::Enum(variants.iter().map(VariantSignature::of).collect()),
            TypeBody::Alias(expr, Some(block)) => Self::Newtype(type_use::read(expr, Some(block))),
            TypeBody::Alias(expr, None) => Self::Alias(type_use::read(expr, None)),
            TypeBody::Missing => Self::Missing,
        }
    }

    /// Its fields, where it is an object or an event.
    pub fn fields(&self) -> &[FieldSignature] {
        match self {
            Self::Object(fields) | Self::Event { fields, .. } => fields,
            Self::Enum(_) | Self::Newtype(_) | Self::Alias(_) | Self::Missing => &[],
        }
    }

    /// What it is, in words: "an Object".
    pub fn what(&self) -> &'static str {
        match self {
            Self::Object(_) => "an Object",
            Self::Event { .. } => "an Event",
            Self::Enum(_) => "an Enum",
            Self::Newtype(_) => "a constrained type",
            Self::Alias(_) => "a name for another type",
            Self::Missing => "unfinished",
        }
    }
}

impl FieldSignature {
    fn of(field: &tree::Field) -> Self {
        let operand = |wanted: fn(&ModifierKind) -> Option<&tree::StringLit>| {
            field.modifiers.iter().find_map(|modifier| wanted(&modifier.kind)).map(|text| text.value.clone())
        };
        Self {
            name: field.name.text.clone(),
            ty: field.ty.as_ref().and_then(|ty| type_use::read(ty, field.constraints.as_ref())),
            optional: field.modifiers.iter().any(|modifier| modifier.kind == ModifierKind::Optional),
            named: operand(|kind| if let ModifierKind::As(text) = kind { Some(text) } else { None }),
            at: operand(|kind| if let ModifierKind::At(text) = kind { Some(text) } else { None }),
        }
    }
}

impl VariantSignature {
    fn of(variant: &tree::Variant) -> Self {
        let wire = variant.wire.as_ref().map(|wire| match wire {
            tree::VariantWire::Text(text) => WrittenWire::Text(text.value.clone()),
            tree::VariantWire::Number(number) => WrittenWire::Int(match number.number {
                Number::Int(int) => i64::try_from(int).ok(),
                _ => None,
            }),
            tree::VariantWire::Other(_) => WrittenWire::Other,
        });
        Self { name: variant.name.text.clone(), wire }
    }
}

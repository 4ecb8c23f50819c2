//! From a package's manifests to its surface. Each declaration's entry is a query of its own without places, so that an
//! edit of comments, layout or what no app sees stops there.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jadpo_syntax::tree::{Entry, Keyword, ValueKind};

use super::entry::{Field, Operation, Poll, Provider, Setting, Surface, TypeEntry, Variants, Wire};
use super::shape::{Key, Rule, Rules, Shape};
use super::travel::{GIVEN, KEPT, Travels};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::literal;
use crate::model::{ItemsRule, RangeRule, TextRule, Type, VariantWire};
use crate::names;
use crate::resolve;
use crate::signature::{
    FieldSignature, Known, TypeSignature, VariantSignature, cases, is_broken, operation_signature,
    provider_signature, read_type, type_signature,
};
use crate::type_graph::type_graph;
use crate::unread;
use crate::wire_names;

/// How many private names in a row are followed.
const NAMES_MAX: usize = 64;

/// The surface of a package; `None` where something of it can't be read, which has been reported.
#[salsa::tracked(returns(as_ref))]
pub fn surface(db: &dyn Db, scope: Scope) -> Option<Arc<Surface>> {
    if unread::has_declaration(db, scope) {
        return None;
    }
    let (package, version, provider) = provider_entry(db, scope).clone()?;
    let public = |keyword| names::declared(db, scope, keyword).filter(|decl| decl.public(db));
    let operations = public(Keyword::Operation)
        .map(|decl| Some((decl.name_text(db).to_owned(), operation_entry(db, decl).clone()?)));
    let types = public(Keyword::Type)
        .map(|decl| Some((decl.name_text(db).to_owned(), type_entry(db, decl).clone()?)));
    let mut surface = Surface {
        package,
        version,
        provider,
        operations: operations.collect::<Option<_>>()?,
        types: types.collect::<Option<_>>()?,
    };
    forget_unstored(&mut surface);
    Some(Arc::new(surface))
}

/// Takes out what is stored for the variants of Enums that neither stores nor environments hold: it is no part of the
/// surface.
fn forget_unstored(surface: &mut Surface) {
    let travels = Travels::of(surface);
    let stored: HashMap<String, bool> = surface
        .types
        .keys()
        .map(|name| (name.clone(), travels.of_type(name).goes(KEPT) || travels.of_type(name).goes(GIVEN)))
        .collect();
    for (name, entry) in &mut surface.types {
        if let TypeEntry::Enum(variants) = entry
            && !stored[name]
        {
            variants.variants.values_mut().for_each(|wire| *wire = None);
        }
    }
}

/// The name, the version and the entry of a package's provider.
#[salsa::tracked]
fn provider_entry(db: &dyn Db, scope: Scope) -> Option<(String, String, Provider)> {
    let owner = names::owner(db, scope)?;
    let fields = owner.fields(db)?;
    let signature = provider_signature(db, scope);
    if signature.settings_known == Known::Unsure || signature.polls_known == Known::Unsure {
        return None;
    }
    if fields.entry("max_concurrent").is_some() && signature.max_concurrent.is_none() {
        return None;
    }
    let version = fields.text("version").map(|text| &*text.value).or(fields.default("version"))?;
    let polls = signature.polls.iter().map(|poll| {
        let known = Poll { emits: poll.emits.as_deref()?.to_owned(), every_ms: poll.every_ms? };
        Some((poll.name.to_string(), known))
    });
    let settings = fields.open_entries("settings").iter().map(|entry| setting(db, scope, entry));
    let provider = Provider {
        auth: auth(fields)?,
        max_concurrent: signature.max_concurrent,
        polls: polls.collect::<Option<_>>()?,
        settings: settings.collect::<Option<_>>()?,
    };
    Some((owner.name(db)?.text(db).to_owned(), version.to_owned(), provider))
}

fn auth(fields: Fields<'_>) -> Option<String> {
    match fields.entry("auth") {
        None => Some("none".to_owned()),
        Some(_) => fields
            .call("auth")
            .map(|(name, _)| name.text.to_string())
            .or_else(|| fields.name("auth").map(|name| name.text.to_string())),
    }
}

fn setting(db: &dyn Db, scope: Scope, entry: &Entry) -> Option<(String, Setting)> {
    let ValueKind::Type(expr, block) = &entry.value.as_ref()?.kind else { return None };
    let written = read_type(expr, block.as_ref())?;
    let given = block.iter().flat_map(|block| &block.entries).find(|entry| &*entry.key.text == "default");
    let default = match given {
        Some(entry) => {
            let json = literal::canonical(db, scope, &written, entry.value.as_ref()?)?.ok()?;
            Some(serde_json::from_str(&json).ok()?)
        }
        None => None,
    };
    let (ty, variants) = setting_type(db, scope, &written)?;
    Some((entry.key.text.to_string(), Setting { default, ty, variants }))
}

/// A setting's type, in which private names are followed to what they mean.
fn setting_type(db: &dyn Db, scope: Scope, ty: &Type) -> Option<(Shape, Option<Variants>)> {
    let mut ty = ty.clone();
    let mut nullable = false;
    for _ in 0..NAMES_MAX {
        if let Type::Nullable(inner) = ty {
            nullable = true;
            ty = *inner;
            continue;
        }
        let private = match &ty {
            Type::Named(named) => Some(resolve::find(db, scope, named)?.1).filter(|decl| !decl.public(db)),
            _ => None,
        };
        let (bare, variants) = match private.map(|decl| (decl, type_signature(db, decl))) {
            None => (shape(db, scope, &ty)?, None),
            Some((_, TypeSignature::Alias(target) | TypeSignature::Newtype(target))) => {
                ty = target.clone()?;
                continue;
            }
            Some((decl, TypeSignature::Enum(signed))) => {
                (Shape::name("Enum"), Some(variants(db, decl, signed)?))
            }
            Some(_) => return None,
        };
        return Some((if nullable { Shape::Nullable(Box::new(bare)) } else { bare }, variants));
    }
    None
}

/// The entry of a public operation.
#[salsa::tracked]
fn operation_entry<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<Operation> {
    let (fields, signature) = (decl.fields(db)?, operation_signature(db, decl)?);
    if signature.unsure
        || signature.has_input != signature.input.is_some()
        || signature.has_output != signature.output.is_some()
    {
        return None;
    }
    let scope = decl.scope(db);
    let named = |name: &str| Type::Named(crate::model::TypeRef { package: None, name: name.to_owned() });
    let shape_of = |ty: Option<Type>| match ty {
        Some(ty) => shape(db, scope, &ty).map(Some),
        None => Some(None),
    };
    Some(Operation {
        decode: fields.name("decode").map(|name| name.text.to_string()),
        input: shape_of(signature.input.as_deref().map(named))?,
        output: shape_of(signature.output.clone())?,
    })
}

/// The entry of a public type, with what is stored for each variant.
#[salsa::tracked]
fn type_entry<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<TypeEntry> {
    let scope = decl.scope(db);
    if is_broken(db, decl) {
        return None;
    }
    Some(match type_signature(db, decl) {
        TypeSignature::Object(fields) => TypeEntry::Object { fields: fields_of(db, scope, fields)? },
        TypeSignature::Event { fields, .. } => TypeEntry::Event { fields: fields_of(db, scope, fields)? },
        TypeSignature::Enum(signed) => TypeEntry::Enum(variants(db, decl, signed)?),
        TypeSignature::Newtype(target) => TypeEntry::Newtype { of: shape(db, scope, target.as_ref()?)? },
        TypeSignature::Alias(target) => TypeEntry::Alias {
            of: shape(db, scope, target.as_ref()?)?,
            recursive: type_graph(db, scope).is_recursive_alias(decl),
        },
        TypeSignature::Missing => return None,
    })
}

fn fields_of(db: &dyn Db, scope: Scope, signed: &[FieldSignature]) -> Option<BTreeMap<String, Field>> {
    let field = |field: &FieldSignature| {
        let ty = shape(db, scope, field.ty.as_ref()?)?;
        Some((field.name.to_string(), Field { ty, optional: field.optional }))
    };
    signed.iter().map(field).collect()
}

fn variants(db: &dyn Db, decl: DeclSrc<'_>, signed: &[VariantSignature]) -> Option<Variants> {
    let cases = cases(db, decl.scope(db));
    let mut known = Variants::default();
    for variant in signed {
        let name = variant.name.to_string();
        match wire_names::variant(cases, variant)? {
            VariantWire::Other => known.other = Some(name),
            VariantWire::Text(text) => drop(known.variants.insert(name, Some(Wire::Text(text)))),
            VariantWire::Int(int) => drop(known.variants.insert(name, Some(Wire::Int(int)))),
        }
    }
    Some(known)
}

/// A type as a surface has it: private names for another type followed, and nothing of how it is sent.
fn shape(db: &dyn Db, scope: Scope, ty: &Type) -> Option<Shape> {
    let inner = |ty: &Type| shape(db, scope, ty).map(Box::new);
    Some(match ty {
        Type::Nullable(of) => Shape::Nullable(inner(of)?),
        Type::List(item, rule) => Shape::List(inner(item)?, items_rules(rule)),
        Type::Map(key, value) => Shape::Map(inner(key)?, inner(value)?),
        Type::Text(rule) => Shape::Name("Text".to_owned(), text_rules(rule)),
        Type::Int(rule) => Shape::Name("Int".to_owned(), range_rules(rule)),
        Type::Decimal(rule) => Shape::Name("Decimal".to_owned(), range_rules(rule)),
        Type::Named(named) => {
            let (home, decl) = resolve::find(db, scope, named)?;
            match type_signature(db, decl) {
                TypeSignature::Missing => return None,
                _ if decl.public(db) => Shape::name(decl.name_text(db)),
                TypeSignature::Alias(target) if !type_graph(db, home).is_recursive_alias(decl) => {
                    return shape(db, home, target.as_ref()?);
                }
                _ => return None,
            }
        }
        Type::Bool => Shape::name("Bool"),
        Type::Instant(_) => Shape::name("Instant"),
        Type::DateTime => Shape::name("DateTime"),
        Type::Date => Shape::name("Date"),
        Type::Duration => Shape::name("Duration"),
        Type::Uuid => Shape::name("Uuid"),
        Type::Url => Shape::name("Url"),
        Type::Email => Shape::name("Email"),
        Type::Bytes(_) => Shape::name("Bytes"),
        Type::Json => Shape::name("Json"),
        Type::Secret => Shape::name("Secret"),
    })
}

/// A length that every text has constrains nothing.
fn least(length: Option<u64>) -> Option<String> {
    length.filter(|length| *length > 0).map(|length| length.to_string())
}

fn text_rules(rule: &TextRule) -> Rules {
    rules([
        (Key::MinLength, least(rule.min_length)),
        (Key::MaxLength, rule.max_length.map(|length| length.to_string())),
        (Key::Pattern, rule.pattern.clone()),
    ])
}

fn range_rules(rule: &RangeRule) -> Rules {
    rules([(Key::Min, rule.min.clone()), (Key::Max, rule.max.clone())])
}

fn items_rules(rule: &ItemsRule) -> Rules {
    rules([(Key::MinItems, least(rule.min_items)), (Key::MaxItems, rule.max_items.map(|it| it.to_string()))])
}

fn rules<const N: usize>(given: [(Key, Option<String>); N]) -> Rules {
    given.into_iter().filter_map(|(key, value)| Some(Rule { key, value: value? })).collect()
}

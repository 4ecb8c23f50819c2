//! Types of the model as shapes of the plan.

use jadpo_analysis::model;
use jadpo_runtime::plan;

/// A declared type as the plan has it.
pub fn type_def(kind: &model::TypeKind) -> plan::TypeDef {
    match kind {
        model::TypeKind::Object { fields } | model::TypeKind::Event { fields, .. } => {
            let mut fields: Vec<_> = fields.iter().map(field).collect();
            fields.sort_by(|a, b| a.name.cmp(&b.name));
            plan::TypeDef::Object(fields)
        }
        model::TypeKind::Enum { variants, integers } => enum_def(variants, *integers),
        model::TypeKind::Newtype(ty) | model::TypeKind::Alias { target: ty, .. } => {
            plan::TypeDef::Alias(shape(ty))
        }
    }
}

fn enum_def(variants: &[model::Variant], integers: bool) -> plan::TypeDef {
    let other = variants.iter().any(|variant| variant.wire == model::VariantWire::Other);
    if integers {
        let values = variants.iter().filter_map(|variant| match variant.wire {
            model::VariantWire::Int(value) => Some(value),
            model::VariantWire::Text(_) | model::VariantWire::Other => None,
        });
        return plan::TypeDef::IntEnum { values: values.collect(), other };
    }
    let values = variants.iter().filter_map(|variant| match &variant.wire {
        model::VariantWire::Text(value) => Some(value.clone()),
        model::VariantWire::Int(_) | model::VariantWire::Other => None,
    });
    plan::TypeDef::TextEnum { values: values.collect(), other }
}

fn field(field: &model::Field) -> plan::Field {
    plan::Field {
        name: field.name.clone(),
        wire: field.wire.clone(),
        at: field.at.clone(),
        optional: field.optional,
        shape: shape(&field.ty),
    }
}

/// A type where it is used, as the plan has it.
pub fn shape(ty: &model::Type) -> plan::Shape {
    match ty {
        model::Type::Text(rule) => plan::Shape::Text(plan::TextRule {
            min_length: rule.min_length,
            max_length: rule.max_length,
            pattern: rule.pattern.clone(),
        }),
        model::Type::Int(rule) => plan::Shape::Int(range(rule)),
        model::Type::Decimal(rule) => plan::Shape::Decimal(range(rule)),
        model::Type::Bool => plan::Shape::Bool,
        model::Type::Instant(wire) => plan::Shape::Instant(instant_wire(*wire)),
        model::Type::DateTime => plan::Shape::DateTime,
        model::Type::Date => plan::Shape::Date,
        model::Type::Duration => plan::Shape::Duration,
        model::Type::Uuid => plan::Shape::Uuid,
        model::Type::Url => plan::Shape::Url,
        model::Type::Email => plan::Shape::Email,
        model::Type::Bytes(wire) => plan::Shape::Bytes(bytes_wire(*wire)),
        model::Type::Json => plan::Shape::Json,
        model::Type::Secret => plan::Shape::Secret,
        model::Type::List(item, rule) => {
            let rule = plan::ItemsRule { min_items: rule.min_items, max_items: rule.max_items };
            plan::Shape::List(Box::new(shape(item)), rule)
        }
        model::Type::Map(key, value) => plan::Shape::Map(Box::new(shape(key)), Box::new(shape(value))),
        model::Type::Nullable(inner) => plan::Shape::Nullable(Box::new(shape(inner))),
        model::Type::Named(ty) => plan::Shape::Named(super::type_key(ty)),
    }
}

fn range(rule: &model::RangeRule) -> plan::RangeRule {
    plan::RangeRule { min: rule.min.clone(), max: rule.max.clone() }
}

fn instant_wire(wire: model::InstantWire) -> plan::InstantWire {
    match wire {
        model::InstantWire::Rfc3339 => plan::InstantWire::Rfc3339,
        model::InstantWire::UnixS => plan::InstantWire::UnixS,
        model::InstantWire::UnixMs => plan::InstantWire::UnixMs,
        model::InstantWire::Rfc2822 => plan::InstantWire::Rfc2822,
    }
}

fn bytes_wire(wire: model::BytesWire) -> plan::BytesWire {
    match wire {
        model::BytesWire::Base64 => plan::BytesWire::Base64,
        model::BytesWire::Base64Url => plan::BytesWire::Base64url,
        model::BytesWire::Hex => plan::BytesWire::Hex,
    }
}

//! The spans of a tree: each part stands inside its whole and after the part before it.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{
    Block, Body, Declaration, Field, ModifierKind, TypeBody, TypeExpr, Value, ValueKind, Variant, VariantWire,
};

/// Tries the tree of a declaration; `text` begins where its spans count from.
pub fn hold(text: &str, declaration: &Declaration) {
    let mut inside = Inside::new(text, declaration.span);
    if let Some(public) = declaration.public {
        inside.anywhere(public);
    }
    inside.anywhere(declaration.keyword_span);
    if let Some(name) = &declaration.name {
        inside.anywhere(name.span);
    }
    match &declaration.body {
        Body::Block(block) => hold_block(&mut inside, block),
        Body::Type(body) => hold_type(&mut inside, body),
        Body::Missing => {}
    }
}

/// A whole whose parts are visited in their order.
struct Inside<'t> {
    text: &'t str,
    whole: Span,
    end: u32,
}

impl<'t> Inside<'t> {
    fn new(text: &'t str, whole: Span) -> Self {
        Self { text, whole, end: whole.start }
    }

    /// A part that stands inside, wherever.
    fn anywhere(&self, part: Span) {
        assert!(part.start >= self.whole.start && part.end <= self.whole.end, "{part:?} in {:?}", self.whole);
        assert!(self.text.get(part.start as usize..part.end as usize).is_some(), "{part:?} is no place");
    }

    /// A part that stands inside and behind those before it.
    fn next(&mut self, part: Span) -> Self {
        self.anywhere(part);
        assert!(part.start >= self.end, "{part:?} begins before {} in {:?}", self.end, self.whole);
        self.end = part.end;
        Self::new(self.text, part)
    }
}

fn hold_each<T>(inside: &mut Inside<'_>, parts: &[T], hold: fn(&mut Inside<'_>, &T)) {
    for part in parts {
        hold(inside, part);
    }
}

fn hold_type(inside: &mut Inside<'_>, body: &TypeBody) {
    match body {
        TypeBody::Object(fields) => hold_each(inside, fields, hold_field),
        TypeBody::Event { wire_names, fields } => {
            for wire_name in wire_names {
                inside.anywhere(wire_name.span);
                Inside::new(inside.text, wire_name.span).next(wire_name.value.span);
            }
            hold_each(inside, fields, hold_field);
        }
        TypeBody::Enum(variants) => hold_each(inside, variants, hold_variant),
        TypeBody::Alias(ty, block) => {
            hold_expr(inside, ty);
            hold_each(inside, block.as_slice(), hold_block);
        }
        TypeBody::Missing => {}
    }
}

fn hold_field(inside: &mut Inside<'_>, field: &Field) {
    let mut inside = inside.next(field.span);
    inside.next(field.name.span);
    if let Some(ty) = &field.ty {
        hold_expr(&mut inside, ty);
    }
    hold_each(&mut inside, field.constraints.as_slice(), hold_block);
    for modifier in &field.modifiers {
        // A name written as a string is repaired to a name with that string as its wire name, all in one place.
        if modifier.span == field.name.span {
            continue;
        }
        let mut inside = inside.next(modifier.span);
        match &modifier.kind {
            ModifierKind::Optional => {}
            ModifierKind::As(text) | ModifierKind::At(text) => drop(inside.next(text.span)),
        }
    }
}

fn hold_variant(inside: &mut Inside<'_>, variant: &Variant) {
    let mut inside = inside.next(variant.span);
    inside.next(variant.name.span);
    let wire = variant.wire.as_ref().map(|wire| match wire {
        VariantWire::Text(text) => text.span,
        VariantWire::Number(number) => number.span,
        VariantWire::Other(span) => *span,
    });
    if let Some(wire) = wire.filter(|wire| *wire != variant.name.span) {
        inside.next(wire);
    }
}

fn hold_block(inside: &mut Inside<'_>, block: &Block) {
    let mut inside = inside.next(block.span);
    for entry in &block.entries {
        let mut inside = inside.next(entry.span);
        inside.next(entry.key.span);
        if let Some(value) = &entry.value {
            hold_value(&mut inside, value);
        }
    }
}

fn hold_value(inside: &mut Inside<'_>, value: &Value) {
    let mut inside = inside.next(value.span);
    match &value.kind {
        ValueKind::String(text) => drop(inside.next(text.span)),
        ValueKind::Number(number) => drop(inside.next(number.span)),
        ValueKind::Call(name, values) => {
            inside.next(name.span);
            hold_each(&mut inside, values, hold_value);
        }
        ValueKind::List(values) => hold_each(&mut inside, values, hold_value),
        ValueKind::Block(block) => hold_block(&mut inside, block),
        ValueKind::Type(ty, block) => {
            hold_expr(&mut inside, ty);
            hold_each(&mut inside, block.as_slice(), hold_block);
        }
    }
}

fn hold_expr(inside: &mut Inside<'_>, ty: &TypeExpr) {
    let mut inside = inside.next(ty.span);
    assert!(!ty.path.is_empty(), "a type without a name at {:?}", ty.span);
    for name in &ty.path {
        inside.next(name.span);
    }
    hold_each(&mut inside, &ty.args, hold_expr);
    if let Some(nullable) = ty.nullable {
        inside.next(nullable);
    }
}

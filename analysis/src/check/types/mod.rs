//! Rules of `type`: what its body says, and what it is to the types around it.

mod constraints;
mod cycles;
mod enumeration;
mod event;
mod object;
pub mod type_use;

use jadpo_syntax::tree::{Declaration, TypeBody};

use super::Check;

/// Checks the body of a type declaration.
pub fn check(cx: &mut Check<'_>, declaration: &Declaration, body: &TypeBody) {
    match body {
        TypeBody::Object(fields) => object::check(cx, fields),
        TypeBody::Event { wire_names, fields } => {
            event::wire_names(cx, wire_names);
            object::check(cx, fields);
            event::fields(cx, declaration, wire_names, fields);
        }
        TypeBody::Enum(variants) => enumeration::check(cx, declaration, variants),
        TypeBody::Alias(expr, block) => {
            type_use::check(cx, expr, block.as_ref(), type_use::Place::Declaration);
        }
        TypeBody::Missing => return,
    }
    cycles::check(cx, declaration, body);
}

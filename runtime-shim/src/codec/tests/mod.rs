//! Cases of the codec, a line each.
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod agreement;
mod bounds;
mod forms;
mod order;
mod rate;
mod reported;
mod table;
mod typed;

use std::collections::BTreeMap;

use super::interpret::{self, Types};
use super::{Form, Wire, decode, encode};
use crate::plan::{RangeRule, Shape, TextRule};

/// What a value of a shape becomes in canonical form, or what was wrong with it.
fn canonical(types: &Types, shape: &Shape, text: &str) -> String {
    match interpret::read(types, shape, text, "", Form::Wire) {
        Ok(value) => interpret::write(types, shape, &value, Form::Canonical),
        Err(error) => error.to_string(),
    }
}

/// As [`canonical`] for a type of Rust.
fn typed<T: Wire>(text: &str) -> String {
    match decode::<T>(text, Form::Wire) {
        Ok(value) => encode(&value, Form::Canonical),
        Err(error) => error.to_string(),
    }
}

/// As [`canonical`] for a shape that names no type, where the typed side must agree.
fn both<T: Wire>(shape: &Shape, text: &str) -> String {
    let by_shape = canonical(&BTreeMap::new(), shape, text);
    assert_eq!(typed::<T>(text), by_shape);
    by_shape
}

fn text() -> Shape {
    Shape::Text(TextRule::default())
}

fn int() -> Shape {
    Shape::Int(RangeRule::default())
}

fn decimal() -> Shape {
    Shape::Decimal(RangeRule::default())
}

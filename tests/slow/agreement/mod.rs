//! Generated code and the interpreter read the same values, write the same bytes and name the same problems.

mod candidates;
mod cases;
mod document;
mod property;
mod registry;
mod spoil;
mod tape;

use jadpo_runtime::codec::interpret;
use jadpo_runtime::codec::{DecodeError, Form};
use jadpo_runtime::plan::{Plan, Shape};
use jadpo_test_app::app;

use registry::Codec;

/// A value in both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Written {
    wire: String,
    canonical: String,
}

/// The plan that is embedded in the generated code.
fn plan() -> Plan {
    serde_json::from_str(app::PLAN).unwrap()
}

/// Reads a text with the interpreter.
fn interpreted(plan: &Plan, key: &str, text: &str, form: Form) -> Result<Written, DecodeError> {
    let shape = Shape::Named(key.to_owned());
    let value = interpret::read(&plan.types, &shape, text, "", form)?;
    let write = |form| interpret::write(&plan.types, &shape, &value, form);
    Ok(Written { wire: write(Form::Wire), canonical: write(Form::Canonical) })
}

/// What both make of a text, which must be the same.
#[track_caller]
fn agreed(plan: &Plan, codec: &Codec, text: &str, form: Form) -> Result<Written, DecodeError> {
    let generated = (codec.read)(text, form);
    assert_eq!(generated, interpreted(plan, codec.key, text, form), "{} from {text}", codec.key);
    generated
}

//! Properties: what is written reads back as it was, and generated code and the interpreter never differ.

mod order;
mod tape;
mod wide;

use proptest::prelude::*;

use super::{canonical, typed};
use crate::codec::Form;
use crate::codec::interpret::{self, Types};
use crate::json::Json;
use crate::plan::Shape;
use order::{ORDER, Order, order_types};
use tape::{Tape, any_json, any_types, any_value, mutated};
use wide::{Absent, Large, Nullable, deepest};

/// Reads in one form and writes in another.
fn turned(types: &Types, shape: &Shape, text: &str, from: Form, to: Form) -> String {
    let value = interpret::read(types, shape, text, "", from)
        .unwrap_or_else(|error| panic!("{error}\nin {text}\nof {shape:?}\nin {types:#?}"));
    interpret::write(types, shape, &value, to)
}

#[test]
fn the_deepest_order_fits_a_small_stack() {
    let deep = format!("{}{{}}{}", r#"{"lines":[{"next":"#.repeat(42), "}]}".repeat(42));
    let read = move || {
        let problems = typed::<Order>(&deep);
        assert_eq!(problems, canonical(&order_types(), &Shape::Named(ORDER.to_owned()), &deep));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(read).unwrap().join().unwrap();
}

#[test]
fn the_deepest_of_the_widest_fits_a_small_stack() {
    let read = |text: String, typed: fn(&str) -> String| {
        let read = move || assert_eq!(typed(&text), text);
        std::thread::Builder::new().stack_size(1 << 20).spawn(read).unwrap().join().unwrap();
    };
    read(deepest('o', r#""next":null,"#), typed::<Nullable>);
    read(deepest('o', ""), typed::<Absent>);
    read(deepest('p', ""), typed::<Large>);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_of_any_type_comes_back(choices in proptest::collection::vec(any::<u8>(), 0..800)) {
        let mut tape = Tape::new(&choices);
        let (types, shape) = any_types(&mut tape);
        let value = any_value(&mut tape, &types, &shape, 4);
        for form in [Form::Wire, Form::Canonical] {
            let written = interpret::write(&types, &shape, &value, form);
            let again = interpret::read(&types, &shape, &written, "", form);
            prop_assert_eq!(again.as_ref(), Ok(&value), "{} of {:?} in {:?}", written, shape, types);
        }
        let kept = interpret::write(&types, &shape, &value, Form::Canonical);
        prop_assert_eq!(&turned(&types, &shape, &kept, Form::Canonical, Form::Canonical), &kept);
        let sent = turned(&types, &shape, &kept, Form::Canonical, Form::Wire);
        prop_assert_eq!(&turned(&types, &shape, &sent, Form::Wire, Form::Canonical), &kept);
    }

    #[test]
    fn what_is_read_of_a_spoilt_text_is_kept_as_it_is(choices in proptest::collection::vec(any::<u8>(), 0..800)) {
        let mut tape = Tape::new(&choices);
        let (types, shape) = any_types(&mut tape);
        let value = any_value(&mut tape, &types, &shape, 4);
        let text = mutated(&mut tape, &interpret::write(&types, &shape, &value, Form::Wire));
        if let Ok(value) = interpret::read(&types, &shape, &text, "", Form::Wire) {
            let kept = interpret::write(&types, &shape, &value, Form::Canonical);
            prop_assert_eq!(turned(&types, &shape, &kept, Form::Canonical, Form::Canonical), kept);
        }
    }

    #[test]
    fn what_is_json_is_what_it_is_elsewhere(choices in proptest::collection::vec(any::<u8>(), 0..800)) {
        const STRICTER: [&str; 3] = [
            "each key once",
            "text without half a surrogate pair",
            "a number whose exponent has at most 17 digits",
        ];
        let mut tape = Tape::new(&choices);
        let json = any_json(&mut tape, 5).to_string();
        let text = mutated(&mut tape, &json);
        let elsewhere = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        match Json::parse(&text) {
            Ok(_) => prop_assert!(elsewhere.is_ok(), "{}", text),
            Err(error) if elsewhere.is_ok() => {
                let stricter = error.problems.iter().all(|problem| STRICTER.contains(&problem.wanted.as_str()));
                prop_assert!(stricter, "{} is JSON: {}", text, error);
            }
            Err(_) => {}
        }
    }

    #[test]
    fn a_type_of_rust_and_its_shape_agree(choices in proptest::collection::vec(any::<u8>(), 0..800)) {
        let mut tape = Tape::new(&choices);
        let types = order_types();
        let shape = Shape::Named(ORDER.to_owned());
        let value = any_value(&mut tape, &types, &shape, 4);
        let sent = interpret::write(&types, &shape, &value, Form::Wire);
        let kept = interpret::write(&types, &shape, &value, Form::Canonical);
        prop_assert_eq!(&typed::<Order>(&sent), &kept);
        let spoilt = mutated(&mut tape, &sent);
        prop_assert_eq!(typed::<Order>(&spoilt), canonical(&types, &shape, &spoilt), "{}", spoilt);
    }
}

//! Three mistakes in the example, as people and programs are told of them.

use jadpo_tests::scratch::Scratch;

use super::jadpo;

/// The one diagnostic of the example after a change, in both forms.
#[track_caller]
fn told(file: &str, text: &str, with: &str) -> String {
    let scratch = Scratch::copy_of("examples/rates");
    scratch.replace(file, text, with);
    let human = jadpo(scratch.path(), ["check"]);
    let json = jadpo(scratch.path(), ["check", "--format", "json"]);
    assert_eq!((human.code, json.code), (Some(1), Some(1)));
    format!("{}\n{}", human.out, json.out)
}

#[test]
fn the_example_is_clean() {
    let scratch = Scratch::copy_of("examples/rates");
    let ran = jadpo(scratch.path(), ["check", "--deny", "warnings"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    insta::assert_snapshot!(ran.out, @"checked 2 files, 17 declarations: nothing is wrong");
}

#[test]
fn a_misspelt_operation() {
    insta::assert_snapshot!(told(
        "packages/exchange/provider.jadpo",
        "call: fetch_quotes",
        "call: fetch_qoutes"
    ));
}

#[test]
fn an_interval_that_no_tick_can_keep() {
    let change = ("call: fetch_quotes\n            every: 5m", "call: fetch_quotes\n            every: 30s");
    insta::assert_snapshot!(told("packages/exchange/provider.jadpo", change.0, change.1));
}

#[test]
fn a_field_that_the_answer_has_not() {
    let change = (
        "QuotesChanged = Event {\n    base: Currency",
        "QuotesChanged = Event {\n    base: Currency\n    fetch_at: Instant",
    );
    insta::assert_snapshot!(told("packages/exchange/provider.jadpo", change.0, change.1));
}

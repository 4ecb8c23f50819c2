//! What the plan keeps of a model.

use jadpo_analysis::model::*;

use super::projects::*;
use crate::lower::lower;

fn retriable(method: &str, changes: bool, idempotency_header: Option<&str>) -> bool {
    let mut project = trading();
    let operation = Operation {
        public: true,
        method: method.into(),
        changes,
        idempotency_header: idempotency_header.map(str::to_owned),
        ..get("act", "/act")
    };
    project.packages.get_mut("coinfeed").unwrap().operations.insert("act".into(), operation);
    lower(&project).packages["coinfeed"].operations["act"].retriable
}

#[test]
fn what_changes_data_is_sent_again_only_where_that_changes_nothing_more() {
    assert!(retriable("GET", false, None));
    assert!(retriable("HEAD", false, None));
    assert!(retriable("POST", false, None));
    assert!(retriable("PUT", true, None));
    assert!(retriable("DELETE", true, None));
    assert!(retriable("POST", true, Some("Idempotency-Key")));
    assert!(!retriable("POST", true, None));
    assert!(!retriable("PATCH", true, None));
    assert!(!retriable("GET", true, None));
}

#[test]
fn nothing_stays_that_nothing_runs() {
    let plan = lower(&trading());
    let types: Vec<_> = plan.types.keys().map(String::as_str).collect();
    assert_eq!(
        types,
        ["Crossed", "coinfeed.Day", "coinfeed.Prices", "coinfeed.PricesChanged", "coinfeed.Symbol"]
    );
    let operations: Vec<_> = plan.packages["coinfeed"].operations.keys().collect();
    assert_eq!(operations, ["fetch_day", "fetch_prices"]);
}

#[test]
fn a_private_operation_stays_while_a_live_poll_calls_it() {
    let mut project = trading();
    let operations = &mut project.packages.get_mut("coinfeed").unwrap().operations;
    operations.get_mut("fetch_prices").unwrap().public = false;
    assert!(lower(&project).packages["coinfeed"].operations.contains_key("fetch_prices"));
    project.app.connections.get_mut("feed").unwrap().live_polls.clear();
    assert!(!lower(&project).packages["coinfeed"].operations.contains_key("fetch_prices"));
}

#[test]
fn fields_stand_in_the_byte_order_of_their_names() {
    let mut project = trading();
    let fields = ["b", "a_", "a", "B", "_"].map(|name| field(name, TEXT)).to_vec();
    project.packages.get_mut("coinfeed").unwrap().types.insert("Prices".into(), object("Prices", fields));
    let plan = lower(&project);
    let jadpo_runtime::plan::TypeDef::Object(fields) = &plan.types["coinfeed.Prices"] else {
        panic!("{plan:?}")
    };
    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["B", "_", "a", "a_", "b"]);
}

#[test]
fn an_enum_s_catch_all_is_no_value() {
    let mut project = trading();
    let levels = ints("Prices", &[("high", Some(9)), ("unknown", None), ("low", Some(-1))]);
    project.packages.get_mut("coinfeed").unwrap().types.insert("Prices".into(), levels);
    let expected = jadpo_runtime::plan::TypeDef::IntEnum { values: vec![9, -1], other: true };
    assert_eq!(lower(&project).types["coinfeed.Prices"], expected);
}

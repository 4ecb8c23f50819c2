//! Which queries an edit of a package re-runs. The test's name is the promise.

use super::incremental::Logged;

const PACKAGE: &str = r#"
//- /provider.jadpo
/// Prices.
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: { currency: Text { default: "usd" } }
    headers: { "X-Version": 3 }
    polls: {
        prices: {
            call: fetch_prices
            every: 5m
            emits: PricesChanged
        }
    }
}
//- /operations.jadpo
/// The answer that is polled.
operation fetch_prices {
    method: GET
    path: "/v1/prices/{settings.currency}"
    output: Prices
}

public operation fetch_note {
    method: GET
    path: "/v1/notes/{input.day}"
    input: Day
    output: Note
}
//- /types.jadpo
public type Day = Object { day: Date }
/// Why.
public type Note = Object { text: Text  reply: Note?  tags: List<Tag> }
public type Tag = Text { max_length: 3 }
type Prices = Object { btc: Decimal  eth: Decimal }
public type PricesChanged = Event { btc: Decimal }
"#;

#[track_caller]
fn edit(path: &str, from: &str, to: &str) -> String {
    Logged::open(PACKAGE).edit(path, from, to)
}

#[test]
fn the_package_of_these_tests_is_right() {
    assert_eq!(super::brief(PACKAGE), "clean");
}

#[test]
fn documentation_of_a_type_rechecks_that_type() {
    insta::assert_snapshot!(edit("types.jadpo", "/// Why.", "/// Why the prices moved."), @"check, file_items, is_broken, parse, type_signature");
}

#[test]
fn layout_and_comments_in_a_type_recheck_that_type() {
    insta::assert_snapshot!(edit("types.jadpo", "{ text: Text", "{ // what it says\n text: Text"), @"check, file_items, is_broken, parse, type_signature");
}

#[test]
fn a_new_field_of_a_plain_type_rechecks_those_that_read_its_fields() {
    insta::assert_snapshot!(edit("types.jadpo", "{ btc: Decimal  eth: Decimal }", "{ btc: Decimal  eth: Decimal  sol: Decimal }"), @"check x2, file_items, is_broken, links, parse, type_signature");
    insta::assert_snapshot!(edit("types.jadpo", "text: Text", "text: Text  title: Text"), @"check, file_items, is_broken, links, parse, type_graph, type_signature");
}

#[test]
fn a_constraint_rechecks_the_type_that_has_it() {
    insta::assert_snapshot!(edit("types.jadpo", "max_length: 3", "max_length: 4"), @"check, file_items, links, parse, type_signature");
}

#[test]
fn a_field_that_holds_another_type_builds_the_graph_anew_and_rechecks_nothing_else() {
    insta::assert_snapshot!(edit("types.jadpo", "text: Text", "text: Tag"), @"check, file_items, is_broken, links, parse, type_facts x5, type_graph, type_signature");
}

#[test]
fn a_path_rechecks_its_operation() {
    insta::assert_snapshot!(edit("operations.jadpo", "/v1/prices/", "/v2/prices/"), @"check, file_items, is_broken, operation_signature, parse");
}

#[test]
fn an_interval_rechecks_the_provider() {
    insta::assert_snapshot!(edit("provider.jadpo", "every: 5m", "every: 6m"), @"cases, check, file_items, is_broken, parse, provider_signature, settings");
}

#[test]
fn a_header_rechecks_the_provider() {
    insta::assert_snapshot!(edit("provider.jadpo", "3 }", "4 }"), @"check, file_items, is_broken, parse, provider_signature");
}

#[test]
fn a_setting_rechecks_what_uses_settings() {
    insta::assert_snapshot!(edit("provider.jadpo", "currency: Text", "region: Text?  currency: Text"), @"cases, check x2, file_items, is_broken, parse, provider_signature, settings");
}

#[test]
fn a_case_rechecks_objects() {
    insta::assert_snapshot!(edit("provider.jadpo", "headers:", "field_case: camel headers:"), @"cases, check x5, file_items, is_broken, parse, provider_signature, settings");
}

#[test]
fn making_an_operation_public_rechecks_it_and_the_types_that_it_shows() {
    insta::assert_snapshot!(edit("operations.jadpo", "operation fetch_prices", "public operation fetch_prices"), @"check x2, file_diagnostics, file_items, is_broken, line_index x2, operation_signature, parse, type_facts x5, type_graph");
}

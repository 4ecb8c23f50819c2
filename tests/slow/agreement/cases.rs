//! Answers that people reported as misread elsewhere, through generated code and the interpreter.

use jadpo_runtime::Decimal;
use jadpo_runtime::codec::interpret;
use jadpo_runtime::codec::{Form, decode, encode};
use jadpo_runtime::digest::{digest, hex};
use jadpo_runtime::plan::{Shape, TypeDef};
use jadpo_test_app::app::cases::{Order, OrderSeen, Prices, PricesChanged, TitleChanged, Titled};
use jadpo_test_app::app::shapes::{Code, Few, Maybe, Percent, Ratio, Renamed};

use super::registry::codec;
use super::{agreed, plan};

/// What `shapes.Sixteen` must have.
const SIXTEEN: &str = r#"{"brief":"a","briefOrNull":null,"sent":0,"sentOrNull":null,"hex":"","hexOrNull":null,"percent":null,"few":null,"byLevel":{},"by-open":{}}"#;

/// The canonical form of what a provider sent, or every problem.
#[track_caller]
fn read(key: &str, text: &str) -> String {
    let plan = plan();
    let read = agreed(&plan, codec(key), text, Form::Wire);
    read.map_or_else(|error| error.to_string(), |written| written.canonical)
}

/// The digest of the event that a poll makes of an answer, and that generated code makes of it.
#[track_caller]
fn event_digest<A: jadpo_runtime::codec::Wire, E: jadpo_runtime::codec::Wire>(
    answer_key: &str,
    event_key: &str,
    text: &str,
    event: impl Fn(A) -> E,
) -> String {
    let plan = plan();
    let answer =
        interpret::read(&plan.types, &Shape::Named(answer_key.to_owned()), text, "", Form::Wire).unwrap();
    let TypeDef::Object(fields) = &plan.types[event_key] else { panic!("{event_key} is an event") };
    let shape = Shape::Named(event_key.to_owned());
    let polled = interpret::write(&plan.types, &shape, &answer.select(fields), Form::Canonical);
    let generated = encode(&event(decode(text, Form::Wire).unwrap()), Form::Canonical);
    assert_eq!(polled, generated);
    hex(&digest(&polled))
}

fn prices_digest(fields: &str) -> String {
    let text = format!(r#"{{"request_id":"r-81f",{fields},"fetched_at":"2027-03-04T05:06:07Z"}}"#);
    event_digest("cases.Prices", "cases.PricesChanged", &text, |prices: Prices| PricesChanged {
        btc: prices.btc,
        eth: prices.eth,
    })
}

fn title_digest(text: &str) -> String {
    let text = format!(r#"{{"title":{text}}}"#);
    event_digest("cases.Titled", "cases.TitleChanged", &text, |titled: Titled| TitleChanged {
        title: titled.title,
    })
}

#[test]
fn a_number_is_the_same_in_every_spelling_and_never_a_float() {
    let first = prices_digest(r#""btc":60,"eth":0.00001"#);
    assert_eq!(prices_digest(r#""btc":60.00,"eth":1e-5"#), first);
    assert_eq!(prices_digest(r#""eth":0.000010,"btc":6e1"#), first);
    assert_eq!(prices_digest(r#""btc":"60","eth":"0.00001""#), first);
    assert_ne!(prices_digest(r#""btc":60.0000000000000000001,"eth":0.00001"#), first);
    for text in ["7", "7.0", "7e0", "70e-1", "\"7\"", "\"7.0\""] {
        assert_eq!(read("cases.Order", &format!(r#"{{"order_no":{text}}}"#)), r#"{"order_no":7}"#, "{text}");
    }
}

#[test]
fn text_is_the_same_in_every_escape_and_never_normalised() {
    let first = title_digest(r#""caf\u00e9 \ud83e\ude99""#);
    assert_eq!(title_digest(r#""café 🪙""#), first);
    assert_eq!(title_digest(r#""\u0063af\u00E9 \uD83E\uDE99""#), first);
    assert_ne!(title_digest(r#""cafe\u0301 🪙""#), first);
    insta::assert_snapshot!(read("cases.Titled", r#"{"title":"\ud83e"}"#), @r#"/title: wanted text without half a surrogate pair, got "\ud83e""#);
}

#[test]
fn whole_numbers_are_exact_to_their_last_digit() {
    let digest = |text: &str| {
        let text = format!(r#"{{"order_no":{text}}}"#);
        event_digest("cases.Order", "cases.OrderSeen", &text, |order: Order| OrderSeen {
            order_no: order.order_no,
        })
    };
    assert_ne!(digest("90071992547409931"), digest("90071992547409930"));
    assert_eq!(digest("90071992547409931"), digest(r#""90071992547409931""#));
    insta::assert_snapshot!(read("cases.Order", r#"{"order_no":9223372036854775807}"#), @r#"{"order_no":9223372036854775807}"#);
    insta::assert_snapshot!(read("cases.Order", r#"{"order_no":9223372036854775808}"#), @"/order_no: wanted an integer of 64 bits, got 9223372036854775808");
    insta::assert_snapshot!(read("cases.Order", r#"{"order_no":"nine"}"#), @r#"/order_no: wanted an integer of 64 bits, got "nine""#);
    insta::assert_snapshot!(read("cases.Order", r#"{"order_no":7.5}"#), @"/order_no: wanted an integer of 64 bits, got 7.5");
    insta::assert_snapshot!(read("cases.Order", r#"{"order_no":1e99999999999999999999}"#), @"/order_no: wanted an integer of 64 bits, got 1e99999999999999999999");
}

#[test]
fn missing_null_and_said_twice_are_three_things() {
    insta::assert_snapshot!(read("cases.Shop", r#"{"note":null}"#), @r#"{"note":null}"#);
    insta::assert_snapshot!(read("cases.Shop", r#"{"note":null,"vat":null}"#), @r#"{"note":null,"vat":null}"#);
    insta::assert_snapshot!(read("cases.Shop", "{}"), @"/note: wanted text, got nothing");
    insta::assert_snapshot!(read("cases.Shop", r#"{"note":"x","fax":null}"#), @"/fax: wanted text, got null");
    insta::assert_snapshot!(read("cases.Shop", r#"{"note":"a","note":"b"}"#), @"/note: wanted each key once, got it twice");
    insta::assert_snapshot!(read("cases.Shop", r#"{"note":"a","n\u006fte":"b"}"#), @"/note: wanted each key once, got it twice");
}

#[test]
fn a_moment_is_one_value_in_every_spelling_that_says_which() {
    let moment = |text: &str| read("cases.Moment", &format!(r#"{{"at":"{text}"}}"#));
    let first = moment("2027-03-04T05:06:07Z");
    insta::assert_snapshot!(first, @r#"{"at":"2027-03-04T05:06:07Z"}"#);
    for text in ["2027-03-04T05:06:07.000Z", "2027-03-04T06:06:07+01:00", "2027-03-04t05:06:07z"] {
        assert_eq!(moment(text), first, "{text}");
    }
    let refused = [
        "2027-03-04T05:06:07+0000",
        "2027-03-04T05:06:07",
        "2027-03-04T05:06:07.Z",
        "2027-03-04T05:06:60Z",
        "2027-02-30T00:00:00Z",
    ];
    let refused: Vec<String> = refused.into_iter().map(moment).collect();
    insta::assert_snapshot!(refused.join("\n"), @r#"
    /at: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07+0000"
    /at: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07"
    /at: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07.Z"
    /at: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:60Z"
    /at: wanted an instant as RFC 3339 with an offset, got "2027-02-30T00:00:00Z"
    "#);
    insta::assert_snapshot!(read("cases.Moment", r#"{"day":"2027-03-04T00:00:00Z"}"#), @r#"/day: wanted a date such as 2026-11-30, got "2027-03-04T00:00:00Z""#);
}

#[test]
fn an_unknown_variant_is_named_or_kept_and_never_the_first() {
    insta::assert_snapshot!(read("cases.Doors", r#"[{"id":1,"state":"open"},{"id":2,"state":"ajar"}]"#), @r#"/1/state: wanted one of "open", "closed", got "ajar""#);
    insta::assert_snapshot!(read("cases.Doors", r#"[{"id":1,"state":"OPEN"},{"id":2,"state":""},{"id":3,"state":null}]"#), @r#"/0/state: wanted one of "open", "closed", got "OPEN"; /1/state: wanted one of "open", "closed", got ""; /2/state: wanted one of "open", "closed", got null"#);
    insta::assert_snapshot!(read("cases.Doors", r#"[{"id":1,"state":"closed","lamp":"flickers"}]"#), @r#"[{"id":1,"lamp":"flickers","state":"closed"}]"#);
    insta::assert_snapshot!(read("cases.Doors", r#"[{"id":1,"state":"shut"}]"#), @r#"/0/state: wanted one of "open", "closed", got "shut""#);
}

#[test]
fn what_breaks_a_constraint_is_refused_where_it_is_made_as_where_it_is_read() {
    let refused = [
        (Code::new("ab").map(drop), "shapes.Code", r#""ab""#),
        (Percent::new(101).map(drop), "shapes.Percent", "101"),
        (Ratio::new(Decimal::from(2)).map(drop), "shapes.Ratio", "2"),
        (Few::new(Vec::new()).map(drop), "shapes.Few", "[]"),
        (Maybe::new(Some("abcd".to_owned())).map(drop), "shapes.Maybe", r#""abcd""#),
    ];
    for (made, key, text) in refused {
        let wanted = made.expect_err(key).to_string();
        assert_eq!(read(key, text), format!("the whole: wanted {wanted}, got {text}"));
    }
    assert_eq!(encode(&Renamed::new(Code::new("AB").unwrap()), Form::Wire), r#""AB""#);
    assert_eq!(encode(&Maybe::new(None).unwrap(), Form::Wire), "null");
}

#[test]
fn a_key_is_held_to_the_constraints_of_its_type() {
    let mixed = |key: &str, map: &str| {
        read("shapes.Sixteen", &SIXTEEN.replace(&format!(r#""{key}":{{}}"#), &format!(r#""{key}":{map}"#)))
    };
    insta::assert_snapshot!(mixed("byLevel", r#"{"10":1,"0":2}"#), @r#"{"brief":"a","brief_or_null":null,"by_level":{"0":2,"10":1},"by_open":{},"few":null,"hex":"","hex_or_null":null,"percent":null,"sent":"1970-01-01T00:00:00Z","sent_or_null":null}"#);
    insta::assert_snapshot!(mixed("byLevel", r#"{"7":1}"#), @"/byLevel/7: wanted a key that is one of 0, 10, got 7");
    insta::assert_snapshot!(mixed("byLevel", r#"{"0.0":1}"#), @"/byLevel/0.0: wanted a key that is one of 0, 10, got 0.0");
    insta::assert_snapshot!(mixed("by-open", r#"{"7":1,"-1":2}"#), @r#"{"brief":"a","brief_or_null":null,"by_level":{},"by_open":{"-1":2,"7":1},"few":null,"hex":"","hex_or_null":null,"percent":null,"sent":"1970-01-01T00:00:00Z","sent_or_null":null}"#);
    insta::assert_snapshot!(read("shapes.Codes", r#"{"AB":null,"ab":null}"#), @r#"/ab: wanted a key that is text that matches "[A-Z0-9]+", got ab"#);
}

#[test]
fn a_type_may_hold_itself_but_no_answer_is_deeper_than_its_reader() {
    let nested =
        |depth: usize| format!("{}null{}", r#"{"label":"a","parent":"#.repeat(depth), "}".repeat(depth));
    let shallow = nested(100);
    assert_eq!(read("cases.Node", &shallow), shallow);
    assert_eq!(
        read("cases.Left", r#"{"right":{"left":{"right":{}}}}"#),
        r#"{"right":{"left":{"right":{}}}}"#
    );
    assert_eq!(
        read("cases.Tree", r#"{"kids":[{"kids":[]},{"kids":[]}]}"#),
        r#"{"kids":[{"kids":[]},{"kids":[]}]}"#
    );
    for text in
        [nested(50_000), "[".repeat(50_000), r#"{"kids":["#.repeat(50_000), r#"{"label":"#.repeat(50_000)]
    {
        for key in ["cases.Node", "cases.Tree", "cases.Left", "shapes.Tree", "shapes.Everything"] {
            let said = read(key, &text);
            assert!(said.contains("128"), "{key}: {said}");
        }
    }
}

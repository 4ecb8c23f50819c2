//! What an action gets of a path, a query and a body.

use super::{ask, ask_with};

#[test]
fn path_query_and_body_fill_one_input() {
    assert_eq!(
        ask("POST /tickets/7?tags=a&tags=b%20c&note=x+y", r#"{"Title":"t","at":1,"level":2,"more":[]}"#),
        r#"open {"at":"1970-01-01T00:00:01Z","id":7,"level":2,"note":"x y","tags":["a","b c"],"title":"t"}"#
    );
    assert_eq!(
        ask("GET /tickets?id=3&Title=&at=2026-01-01T00:00:00Z&level=1&unknown=%20", ""),
        r#"list {"at":"2026-01-01T00:00:00Z","id":3,"level":1,"note":null,"title":""}"#,
        "a query alone can give everything, and what takes null and is not given is null"
    );
}

#[test]
fn each_place_that_does_not_fit_is_told() {
    insta::assert_snapshot!(
        ask("POST /tickets/zero?tags=123456&level=3", r#"{"nested":{"id":"x"},"note":5}"#),
        @r#"400 invalid_input: path id: wanted an integer of 64 bits, got "zero"; query level: wanted one of 1, 2, got "3"; query tags: wanted text of at most 5 characters, got "123456"; /nested/id: wanted an integer of 64 bits, got "x"; /note: wanted text, got 5; /Title: wanted text, got nothing"#
    );
    insta::assert_snapshot!(
        ask("POST /tickets/0", r#"{"Title":"t","Title":"u"}"#),
        @r#"400 invalid_input: path id: wanted a number of at least 1, got "0"; /Title: wanted each key once, got it twice"#
    );
    insta::assert_snapshot!(ask("GET /tickets?id=1&id=2&Title=t&tags=a&tags=b&tags=c&nested=n", ""), @r#"400 invalid_input: query id: wanted one value, got 2 values; query nested: wanted a value in the body, since no text stands for one, got text; query tags: wanted a list of at most 2 items, got ["a","b","c"]"#);
}

#[test]
fn a_field_in_two_places_is_refused() {
    insta::assert_snapshot!(ask("POST /tickets/7?id=7", r#"{"id":7,"Title":"t"}"#), @"400 invalid_input: query id: wanted a value in one place, got one in the path and one in the query; /id: wanted a value in one place, got one in the path and one in the body");
    insta::assert_snapshot!(ask("POST /tickets/7?Title=a", r#"{"Title":4}"#), @"400 invalid_input: /Title: wanted text, got 4");
}

#[test]
fn a_body_that_is_no_object_is_told_as_the_whole() {
    insta::assert_snapshot!(ask("POST /tickets/7", "[1]"), @"400 invalid_input: body: wanted an object, got [1]");
    insta::assert_snapshot!(ask("POST /tickets/7", r#"{"Title": "#), @"400 invalid_input: /Title: wanted a JSON value, got nothing");
    insta::assert_snapshot!(ask_with("POST", "/tickets/7", Some("application/json"), None, b"\"\xff"), @"400 invalid_input: body: wanted UTF-8, got the byte ff at offset 1");
    insta::assert_snapshot!(ask("POST /tickets/7", ""), @"400 invalid_input: /Title: wanted text, got nothing");
}

#[test]
fn a_body_is_json_in_utf_8() {
    let sent = |content_type| ask_with("POST", "/tickets/7", content_type, None, br#"{"Title":"t"}"#);
    for fine in
        ["application/json", "Application/JSON; charset=UTF-8", "application/json;charset=\"utf-8\"; a=b"]
    {
        assert_eq!(sent(Some(fine)), r#"open {"id":7,"note":null,"title":"t"}"#, "{fine}");
    }
    for wrong in [
        None,
        Some(""),
        Some("text/json"),
        Some("application/json; charset=latin1"),
        Some("application/jsonp"),
    ] {
        assert!(sent(wrong).starts_with("415 unsupported_media_type"), "{wrong:?}");
    }
}

#[test]
fn what_takes_no_input_reads_none() {
    assert_eq!(ask("PUT /a%20b?%ff", "{"), "put");
    assert_eq!(ask("GET /tickets/7", "{"), r#"show {"id":7}"#, "the body of a GET means nothing");
    assert_eq!(ask("GET /tickets?%ff", ""), "400 invalid_request: the query is not percent-encoded UTF-8");
}

#[test]
fn the_body_of_a_request_that_has_none_is_not_read() {
    let bearer = format!("Bearer {}", super::TOKEN);
    let sent = |body: &[u8]| ask_with("DELETE", "/tickets/7", Some("text/plain"), Some(&bearer), body);
    assert_eq!(sent(b""), r#"close {"id":7}"#);
    assert_eq!(sent(br#"{"id":8}"#), r#"close {"id":7}"#);
}

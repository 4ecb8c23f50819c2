//! What a caller reads of a route's answer.

use super::super::{Head, RouteAnswer, RouteError};
use super::routes;

const DONE: RouteAnswer = RouteAnswer { status: 200, output: None, failed: 0, pending: 0, error: None };

fn reply(path: &str, answer: RouteAnswer) -> String {
    let routes = routes();
    let head =
        Head { method: "GET", path, query: None, authorization: None, content_type: None, has_body: false };
    let reply = routes.reply(&routes.admit(&head).unwrap(), answer);
    format!("{} {}", reply.status, reply.body)
}

#[test]
fn an_output_is_sent_in_its_wire_form() {
    let output = Some(r#"{"at":"1970-01-01T00:00:01Z","id":7,"note":null,"title":"t"}"#.to_owned());
    let sent = reply("/tickets", RouteAnswer { output, ..DONE });
    assert_eq!(sent, r#"200 {"at":1,"id":7,"note":null,"Title":"t"}"#);
    assert_eq!(reply("/", RouteAnswer { output: Some("\"pong\"".to_owned()), ..DONE }), "200 \"pong\"");
    assert_eq!(reply("/tickets/7", RouteAnswer { status: 202, ..DONE }), "202 ");
}

#[test]
fn an_output_that_breaks_its_type_tells_nothing_of_itself() {
    let broken = reply("/tickets", RouteAnswer { output: Some(r#"{"id":"hush"}"#.to_owned()), ..DONE });
    assert_eq!(broken, r#"500 {"error":{"code":"internal","message":"the request could not be answered"}}"#);
}

#[test]
fn what_failed_or_waits_stands_beside_the_output() {
    let output = Some("\"pong\"".to_owned());
    let failed = RouteAnswer { output: output.clone(), failed: 2, ..DONE };
    assert_eq!(reply("/", failed), r#"200 {"failed":2,"output":"pong"}"#);
    assert_eq!(
        reply("/", RouteAnswer { status: 202, output, pending: 1, ..DONE }),
        r#"202 {"pending":1,"output":"pong"}"#
    );
    assert_eq!(reply("/tickets/7", RouteAnswer { status: 202, pending: 3, ..DONE }), r#"202 {"pending":3}"#);
}

#[test]
fn an_error_has_a_code_and_a_message() {
    let error = Some(RouteError { code: "conflict", message: "\"Bob\" was faster".to_owned() });
    let sent = reply("/", RouteAnswer { status: 409, error, ..DONE });
    assert_eq!(sent, r#"409 {"error":{"code":"conflict","message":"\"Bob\" was faster"}}"#);
}

//! Which route a method and a path mean.

use super::{ask, ask_with, open, plan};
use crate::plan::Segment;

#[test]
fn a_segment_as_it_stands_beats_any_one_and_the_leftmost_decides() {
    assert_eq!(ask("GET /tickets/latest", ""), "latest");
    assert_eq!(ask("GET /tickets/7", ""), r#"show {"id":7}"#);
    assert_eq!(ask("GET /9/latest", ""), r#"of {"id":9}"#);
    assert_eq!(ask("GET /", ""), "root");
}

#[test]
fn a_path_is_taken_by_its_segments_decoded() {
    assert_eq!(ask("PUT /a%20b", ""), "put");
    assert_eq!(ask("GET /%74ickets/%37", ""), r#"show {"id":7}"#);
    assert_eq!(
        ask("PUT /a+b", ""),
        "404 not_found: there is nothing at this path",
        "a plus is no space in a path"
    );
    assert_eq!(ask("GET /tickets%2F7", ""), "404 not_found: there is nothing at this path");
    for path in ["/tickets/%", "/tickets/%4", "/tickets/%zz", "/tickets/%ff", "/%c3%28/latest"] {
        let refused = ask(&format!("GET {path}"), "");
        assert_eq!(refused, "400 invalid_request: the path is not percent-encoded UTF-8", "{path}");
    }
}

#[test]
fn a_slash_at_the_end_is_another_path() {
    for path in ["/tickets/", "/tickets//", "//tickets", "/tickets/7/", "/Tickets", "*", ""] {
        assert!(ask(&format!("GET {path}"), "").starts_with("404"), "{path}");
    }
}

#[test]
fn another_method_is_told_which_there_are() {
    let refused = "405 allow: DELETE, GET, HEAD, POST; method_not_allowed: the path has no such method";
    assert_eq!(ask("PATCH /tickets/7", ""), refused);
    assert_eq!(ask("OPTIONS /", ""), "405 allow: GET, HEAD; method_not_allowed: the path has no such method");
    let beside = "405 allow: DELETE, GET, HEAD, POST; method_not_allowed: the path has no such method";
    assert_eq!(ask("PUT /tickets/latest", ""), beside, "every route whose path fits counts");
}

#[test]
fn head_is_answered_by_its_own_route_or_by_gets() {
    assert_eq!(ask("HEAD /a%20b", ""), "touch");
    assert_eq!(ask("HEAD /tickets/7", ""), r#"show {"id":7}"#);
    assert_eq!(
        ask("GET /a%20b", ""),
        "405 allow: HEAD, PUT; method_not_allowed: the path has no such method"
    );
}

#[test]
fn a_bearer_token_is_asked_for() {
    let shown = |authorization| ask_with("DELETE", "/tickets/7", None, authorization, b"");
    assert_eq!(shown(Some("Bearer s3cret-token")), r#"close {"id":7}"#);
    assert_eq!(shown(Some("bearer s3cret-token")), r#"close {"id":7}"#, "a scheme has no case");
    let refused = "401 www-authenticate: Bearer; unauthorized: this needs the bearer token of the route";
    for wrong in [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer "),
        Some("Bearer s3cret-tokem"),
        Some("Basic s3cret-token"),
    ] {
        assert_eq!(shown(wrong), refused, "{wrong:?}");
    }
}

#[test]
fn what_is_wrong_with_routes_is_named_at_once() {
    let mut plan = plan();
    plan.routes.get_mut("close").unwrap().bearer = Some("UNSET_TOKEN".to_owned());
    plan.routes.get_mut("latest").unwrap().path = vec![Segment::Text("healthz".to_owned())];
    plan.routes.get_mut("list").unwrap().action = "gone".to_owned();
    plan.routes.get_mut("of").unwrap().path =
        vec![Segment::Text("tickets".to_owned()), Segment::Input("other".to_owned())];
    plan.routes.get_mut("of").unwrap().method = "POST".to_owned();
    assert_eq!(
        open(plan).err().unwrap(),
        [
            "route close: the environment variable UNSET_TOKEN is not set",
            "route latest: the path /healthz is the runtime's own",
            "route list: the plan has no action gone",
            "route open: the route of has its method and path already",
        ]
    );
}

#[test]
fn a_token_that_no_header_can_hold_is_refused() {
    for (token, problem) in [("", "the token is empty"), ("a b", "a space"), ("abc\n", "a newline")] {
        let plan = plan();
        let deployable = plan.deployables["server"].clone();
        let opened =
            super::Routes::open(&std::sync::Arc::new(plan), &deployable, &|_| Some(token.to_owned()));
        let problems = opened.err().unwrap().join("\n");
        assert!(
            problems.starts_with("route close: CLOSE_TOKEN: ") && problems.contains(problem),
            "{problems}"
        );
    }
}

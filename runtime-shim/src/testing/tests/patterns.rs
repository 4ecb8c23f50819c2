//! Which calls an answer is for.

use crate::testing::pattern::Pattern;

fn fits(pattern: &str, call: &str) -> bool {
    let (method, url) = call.split_once(' ').unwrap();
    Pattern::new(pattern).fits(method, url)
}

#[test]
fn a_pattern_is_a_path_with_what_else_matters() {
    let call = "GET https://api.test/v1/notes/EUR?day=1&x=2";
    for pattern in [
        "GET /v1/notes/EUR",
        "get /v1/notes/EUR",
        "/v1/notes/*",
        "/*/notes/*",
        "https://api.test/v1/notes/*",
        "/v1/notes/EUR?day=1&x=2",
        "GET /v1/notes/EUR?day=*&x=2",
    ] {
        assert!(fits(pattern, call), "{pattern}");
    }
    for pattern in [
        "POST /v1/notes/EUR",
        "/v1/notes",
        "/v1/notes/EU*",
        "/v1/*",
        "https://other.test/v1/notes/*",
        "/v1/notes/EUR?day=1",
        "/v1/notes/EUR?day=2&x=2",
    ] {
        assert!(!fits(pattern, call), "{pattern}");
    }
}

#[test]
fn the_closer_pattern_answers() {
    let openness = |pattern: &str| Pattern::new(pattern).openness();
    let from_close_to_open =
        ["GET https://a.test/v1/x?q=1", "GET https://a.test/v1/x", "GET /v1/x", "/v1/x", "GET /v1/*", "/*/*"];
    assert!(from_close_to_open.is_sorted_by_key(|pattern| openness(pattern)));
}

//! The paths by which whoever runs a program learns whether it lives and is ready.

use super::reply::Reply;

/// The answer to a request for the program's health; `None` where the path is another.
pub fn health(method: &str, path: &str, is_ready: impl FnOnce() -> bool) -> Option<Reply> {
    let (is_well, word): (bool, &str) = match path {
        "/healthz" => (true, "alive"),
        "/readyz" => (is_ready(), "ready"),
        _ => return None,
    };
    if !matches!(method, "GET" | "HEAD") {
        let reply = Reply::error(405, "method_not_allowed", "the path has no such method");
        return Some(reply.with("allow", "GET, HEAD"));
    }
    Some(Reply::json(if is_well { 200 } else { 503 }, format!("{{\"{word}\":{is_well}}}")))
}

//! How a session begins and ends, and what a server does with an editor that breaks the rules.

use std::fs;
use std::time::Duration;

use jadpo_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::editor::Editor;

/// How long an end may take.
const END_MAX: Duration = Duration::from_mins(1);

/// A project whose one mistake stands behind an emoji.
const TEXT: &str = "app quay { }\ntype A = Text { pattern: \"🪙\" } type B = Nowhere\n";

fn begin(capabilities: &Value) -> (Scratch, Editor) {
    let scratch = Scratch::empty();
    scratch.write("app.jadpo", TEXT);
    let root = fs::canonicalize(scratch.path()).unwrap();
    let editor = Editor::begin(&root, capabilities);
    (scratch, editor)
}

#[track_caller]
fn column(capabilities: &Value) -> u64 {
    let (scratch, mut editor) = begin(capabilities);
    let path = fs::canonicalize(scratch.at("app.jadpo")).unwrap();
    editor.open(&path, 1, &fs::read_to_string(&path).unwrap());
    let shown = editor.shown_at(&path, 1);
    assert_eq!(shown.len(), 1, "{shown:?}");
    shown[0]["range"]["start"]["character"].as_u64().unwrap()
}

#[test]
fn columns_are_utf_16_unless_bytes_were_agreed_on() {
    let utf16 = column(&json!({}));
    assert_eq!(column(&json!({ "general": { "positionEncodings": ["utf-16"] } })), utf16);
    assert_eq!(column(&json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } })), utf16 + 2);
}

#[test]
fn a_session_that_was_shut_down_ends_with_0() {
    let (_scratch, mut editor) = begin(&json!({}));
    let answer = editor.request("shutdown", &Value::Null);
    assert!(answer["result"].is_null() && answer["error"].is_null(), "{answer}");
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.exit(END_MAX).code(), Some(0));
}

#[test]
fn one_that_was_not_ends_with_1() {
    let (_scratch, mut editor) = begin(&json!({}));
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.exit(END_MAX).code(), Some(1));
}

#[test]
fn an_editor_that_is_gone_leaves_no_server_behind() {
    let (_scratch, mut editor) = begin(&json!({}));
    editor.hang_up();
    assert_eq!(editor.exit(END_MAX).code(), Some(1));
}

#[test]
fn an_editor_that_hangs_up_in_the_middle_of_a_message_leaves_none_either() {
    let (_scratch, mut editor) = begin(&json!({}));
    editor.write(b"Content-Length: 1000\r\n\r\n{\"jsonrpc\":");
    editor.hang_up();
    assert_eq!(editor.exit(END_MAX).code(), Some(1));
}

#[test]
fn an_unknown_request_is_refused_and_the_session_goes_on() {
    let (_scratch, mut editor) = begin(&json!({}));
    let answer = editor.request("textDocument/somethingNew", &json!({}));
    assert_eq!(answer["error"]["code"], json!(-32601), "{answer}");
    let answer = editor.request("shutdown", &Value::Null);
    assert!(answer["error"].is_null(), "{answer}");
}

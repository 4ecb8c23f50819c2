//! How sessions begin and end.

use serde_json::json;

use super::disk::Disk;
use super::editor::{Editor, run};

fn disk() -> Disk {
    Disk::with(&[("/p/provider.jadpo", "provider p { base_url: \"https://api.example.test\" }\n")])
}

#[test]
fn exit_ends_serving_though_the_input_stays_open() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        editor.request("shutdown", json!(null)).await.unwrap();
        editor.notify("exit", json!(null)).await;
        assert!(editor.end().await.0);
    });
}

#[test]
fn exit_without_a_shutdown_is_a_failure() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        editor.notify("exit", json!(null)).await;
        assert!(!editor.end().await.0);
    });
}

#[test]
fn exit_before_the_beginning_ends_too() {
    run(async {
        let mut editor = Editor::start(&disk());
        editor.notify("exit", json!(null)).await;
        assert!(!editor.end().await.0);
    });
}

#[test]
fn a_shutdown_is_answered_though_exit_follows_at_once() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        let id = editor.ask("shutdown", json!(null)).await;
        editor.notify("exit", json!(null)).await;
        let (orderly, said) = editor.end().await;
        assert!(orderly);
        assert!(
            said.iter().any(|message| message["id"] == json!(id) && message["error"].is_null()),
            "{said:?}"
        );
    });
}

#[test]
fn the_end_of_the_input_ends_serving() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        editor.close_input();
        assert!(!editor.end().await.0);
    });
}

#[test]
fn an_editor_that_reads_no_more_ends_serving() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        editor.close_output();
        // Its answer has nowhere to go.
        editor.ask("textDocument/codeAction", json!({})).await;
        assert!(!editor.end().await.0);
    });
}

#[test]
fn only_exit_means_something_after_a_shutdown() {
    run(async {
        let mut editor = Editor::begin(&disk(), "/p", json!({})).await;
        editor.request("shutdown", json!(null)).await.unwrap();
        editor.open("/p/a.jadpo", 1, "type a").await;
        editor.request("textDocument/codeAction", json!({})).await.unwrap_err();
        editor.notify("exit", json!(null)).await;
        assert!(editor.end().await.0);
    });
}

#[test]
fn nothing_is_taken_before_the_beginning() {
    run(async {
        let mut editor = Editor::start(&disk());
        editor.open("/p/a.jadpo", 1, "type a").await;
        editor.request("textDocument/codeAction", json!({})).await.unwrap_err();
        let answer = editor.request("initialize", json!({ "capabilities": {} })).await.unwrap();
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.notify("initialized", json!({})).await;
        // What was opened too early is not open.
        editor.change("/p/a.jadpo", 2, json!([{ "text": "type b" }])).await;
        editor.open("/p/b.jadpo", 1, "type c").await;
        editor.shown_at("/p/b.jadpo", 1).await;
        assert!(!editor.versions.contains_key("file:///p/a.jadpo"));
    });
}

#[test]
fn files_are_watched_only_where_the_editor_can() {
    run(async {
        let offers = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
        let mut editor = Editor::begin(&disk(), "/p", offers).await;
        editor.open("/p/a.jadpo", 1, "").await;
        editor.shown_at("/p/a.jadpo", 1).await;
        // The server asks in a task of its own, so one more answer may come before.
        while !editor.said.iter().any(|message| message["method"] == "client/registerCapability") {
            editor.request("textDocument/codeAction", json!({})).await.unwrap_err();
        }
        let asked =
            editor.said.iter().find(|message| message["method"] == "client/registerCapability").unwrap();
        let options = &asked["params"]["registrations"][0]["registerOptions"];
        assert_eq!(options["watchers"][0]["globPattern"], "**/*.jadpo");
    });
}

//! Messages that no editor should send: each is survived.

use serde_json::{Value, json};

use super::disk::Disk;
use super::editor::{Editor, edit, run};

const PROVIDER: &str = "provider coinfeed { base_url: \"https://api.example.test\" }\n";

/// Sends notifications and asks whether the server still checks.
#[track_caller]
fn survives(messages: Vec<(&'static str, Value)>) {
    run(async move {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        for (method, params) in messages {
            editor.notify(method, params).await;
        }
        editor.open("/p/last.jadpo", 1, "type a = Text\n").await;
        assert_eq!(editor.codes_at("/p/last.jadpo", 1).await, ["name.case_invalid"]);
    });
}

#[test]
fn documents_that_are_not_open() {
    let document = json!({ "uri": "file:///p/none.jadpo", "version": 3 });
    survives(vec![
        ("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": "x" }] })),
        ("textDocument/didClose", json!({ "textDocument": document })),
        ("textDocument/didSave", json!({ "textDocument": document })),
    ]);
}

#[test]
fn addresses_of_no_file() {
    let open = |uri: &str| {
        (
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "jadpo", "version": 1, "text": "// x" } }),
        )
    };
    survives(vec![
        open("untitled:Untitled-1"),
        open("https://example.test/app.jadpo"),
        open("file://host/share/app.jadpo"),
        open("file:///"),
        open("file:///p/%00.jadpo"),
        open("file:///p/%ff.jadpo"),
        open("file:///p/../../../x.jadpo"),
        open("not an address"),
        open(""),
        (
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": "untitled:x", "type": 1 }, { "uri": "file:///", "type": 9 }] }),
        ),
    ]);
}

#[test]
fn parameters_of_another_shape() {
    survives(vec![
        ("textDocument/didOpen", json!(null)),
        ("textDocument/didChange", json!([1, 2])),
        ("textDocument/didClose", json!({})),
        ("workspace/didChangeWatchedFiles", json!({ "changes": 7 })),
        ("workspace/didChangeWorkspaceFolders", json!({ "event": {} })),
        ("$/unknown", json!({})),
        ("nobody/knows", json!({})),
        ("", json!({})),
    ]);
}

#[test]
fn ranges_outside_of_the_text() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        editor.open("/p/a.jadpo", 1, "🪙").await;
        let most = usize::try_from(u32::MAX).unwrap();
        let changes = json!([
            edit((0, 1), (0, 1), ""),
            edit((most, most), (most, most), "\n"),
            edit((9, 9), (0, 0), "type a = Text\n"),
        ]);
        editor.change("/p/a.jadpo", 1, changes).await;
        editor.change("/p/a.jadpo", 7, json!([])).await;
        assert_eq!(editor.codes_at("/p/a.jadpo", 7).await, ["name.case_invalid"]);
    });
}

#[test]
fn a_document_opened_twice_is_the_second_one() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        editor.open("/p/a.jadpo", 1, "type A = Text\n").await;
        editor.open("/p/a.jadpo", 2, "type a = Text\n").await;
        assert_eq!(editor.codes_at("/p/a.jadpo", 2).await, ["name.case_invalid"]);
    });
}

#[test]
fn text_that_is_no_message_ends_the_session_in_good_order() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        editor.write(b"Content-Length: 9\r\n\r\nnot json!").await;
        let (orderly, said) = editor.end().await;
        assert!(!orderly);
        assert!(said.iter().any(|message| message["error"]["code"] == -32700), "{said:?}");
    });
}

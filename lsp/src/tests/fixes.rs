//! Quick fixes are the repairs of the diagnostics.

use serde_json::{Value, json};

use super::disk::Disk;
use super::editor::{Editor, edit, run, uri};

const PROVIDER: &str = "provider coinfeed { base_url: \"https://api.example.test\" }\n";
const PATH: &str = "/p/a.jadpo";
const TEXT: &str = "/// 🪙\ntype tip = Object { a: Text at \"/🪙/é\", b: Text }\n";

/// Where the comma of the text stands, in UTF-16.
const COMMA: usize = 38;

/// The same in UTF-8.
const COMMA_IN_BYTES: usize = 41;

fn capabilities(versioned: bool) -> Value {
    let kinds = json!({ "codeActionKind": { "valueSet": ["quickfix"] } });
    json!({
        "textDocument": { "codeAction": { "codeActionLiteralSupport": kinds } },
        "workspace": { "workspaceEdit": { "documentChanges": versioned } },
    })
}

async fn opened(versioned: bool) -> Editor {
    let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
    let mut editor = Editor::begin(&disk, "/p", capabilities(versioned)).await;
    editor.open(PATH, 1, TEXT).await;
    editor
}

async fn ask(editor: &mut Editor, line: usize, character: usize, context: Value) -> Vec<Value> {
    let range = edit((line, character), (line, character), "")["range"].clone();
    let params = json!({ "textDocument": { "uri": uri(PATH) }, "range": range, "context": context });
    editor.request("textDocument/codeAction", params).await.unwrap().as_array().unwrap().clone()
}

#[test]
fn the_repair_at_the_cursor_is_offered_and_repairs() {
    is_offered_and_repairs(capabilities(true), COMMA);
}

#[test]
fn so_it_is_for_an_editor_that_counts_bytes() {
    let mut capabilities = capabilities(true);
    capabilities["general"] = json!({ "positionEncodings": ["utf-8"] });
    is_offered_and_repairs(capabilities, COMMA_IN_BYTES);
}

/// `comma` is where that stands, as the editor counts.
fn is_offered_and_repairs(capabilities: Value, comma: usize) {
    run(async move {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        let mut editor = Editor::begin(&disk, "/p", capabilities).await;
        editor.open(PATH, 1, TEXT).await;
        let actions = ask(&mut editor, 1, comma, json!({ "diagnostics": [] })).await;
        assert_eq!(actions.len(), 1, "{actions:?}");
        let action = &actions[0];
        assert_eq!((&action["kind"], &action["isPreferred"]), (&json!("quickfix"), &json!(true)));
        assert_eq!(action["diagnostics"][0]["code"], "syntax.comma_unneeded");
        let change = &action["edit"]["documentChanges"][0];
        assert_eq!(change["textDocument"], json!({ "uri": uri(PATH), "version": 1 }));
        let fix = &change["edits"][0];
        assert_eq!(fix["range"]["start"], json!({ "line": 1, "character": comma }));
        editor.change(PATH, 2, json!([{ "range": fix["range"], "text": fix["newText"] }])).await;
        assert_eq!(editor.codes_at(PATH, 2).await, ["name.case_invalid"]);
        assert!(ask(&mut editor, 1, comma, json!({ "diagnostics": [] })).await.is_empty());
    });
}

#[test]
fn edits_name_no_version_where_the_editor_cannot_read_it() {
    run(async {
        let mut editor = opened(false).await;
        let actions = ask(&mut editor, 1, COMMA, json!({ "diagnostics": [] })).await;
        let removal = actions
            .iter()
            .find(|action| action["diagnostics"][0]["code"] == "syntax.comma_unneeded")
            .unwrap();
        assert_eq!(removal["edit"]["changes"][uri(PATH)][0]["newText"], "");
    });
}

#[test]
fn other_kinds_are_not_offered() {
    run(async {
        let mut editor = opened(true).await;
        assert!(ask(&mut editor, 1, 6, json!({ "diagnostics": [], "only": ["refactor"] })).await.is_empty());
        assert_eq!(ask(&mut editor, 1, 6, json!({ "diagnostics": [], "only": ["quickfix"] })).await.len(), 1);
        assert!(ask(&mut editor, 0, 0, json!({ "diagnostics": [] })).await.is_empty());
        assert!(ask(&mut editor, 900, 900, json!({ "diagnostics": [] })).await.is_empty());
    });
}

#[test]
fn fixes_are_offered_only_to_an_editor_that_takes_edits() {
    run(async {
        let mut editor = Editor::start(&Disk::with(&[]));
        let answer = editor.request("initialize", json!({ "capabilities": {} })).await.unwrap();
        assert!(answer["capabilities"]["codeActionProvider"].is_null());
        let mut editor = Editor::start(&Disk::with(&[]));
        let answer =
            editor.request("initialize", json!({ "capabilities": capabilities(true) })).await.unwrap();
        assert_eq!(answer["capabilities"]["codeActionProvider"]["codeActionKinds"], json!(["quickfix"]));
    });
}

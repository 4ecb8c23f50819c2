//! Files that can't be parsed, or hardly: each shows why, at a true place.

use serde_json::json;

use super::disk::Disk;
use super::editor::{Editor, codes, run};

const PROVIDER: &str = "provider coinfeed { base_url: \"https://api.example.test\" }\n";

/// What is shown of bytes on disk, with the start of the first.
#[track_caller]
fn check(bytes: &[u8], expected: &[&str], line: u32, character: u32) {
    let (bytes, expected): (Vec<u8>, Vec<String>) =
        (bytes.to_vec(), expected.iter().map(|code| (*code).to_owned()).collect());
    run(async move {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER)]);
        disk.write("/p/a.jadpo", &bytes);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        let shown = editor.next_shown("/p/a.jadpo").await;
        assert_eq!(codes(&shown), expected);
        assert_eq!(shown[0]["range"]["start"], json!({ "line": line, "character": character }));
    });
}

#[test]
fn what_is_no_text_shows_where() {
    check(b"type A = Text\n\xff", &["file.encoding_invalid"], 1, 0);
}

#[test]
fn a_nul_shows_where() {
    check(b"type A = Text\n  \0", &["file.nul_invalid"], 1, 2);
}

#[test]
fn a_bom_on_disk_takes_no_column() {
    check("\u{feff}type a = Text\r\n".as_bytes(), &["name.case_invalid"], 0, 5);
}

#[test]
fn an_open_document_that_is_too_large_says_so() {
    run(async {
        let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER), ("/p/a.jadpo", "")]);
        let mut editor = Editor::begin(&disk, "/p", json!({})).await;
        editor.open("/p/a.jadpo", 1, &"x".repeat(5 * 1024 * 1024)).await;
        assert_eq!(editor.codes_at("/p/a.jadpo", 1).await, ["file.too_large"]);
    });
}

#[test]
fn depth_is_a_diagnostic() {
    for (start, step) in
        [("type A = ", "List<"), ("app x ", "{ a: "), ("app x { a: ", "["), ("app x { a: ", "f(")]
    {
        run(async move {
            let disk = Disk::with(&[("/p/provider.jadpo", PROVIDER), ("/p/a.jadpo", "")]);
            let mut editor = Editor::begin(&disk, "/p", json!({})).await;
            editor.open("/p/a.jadpo", 1, &format!("{start}{}", step.repeat(20_000))).await;
            assert!(!editor.codes_at("/p/a.jadpo", 1).await.is_empty());
        });
    }
}

//! Files that are no manifests: each gives one clear error, in bounded time, and never a panic.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use jadpo_tests::scratch::Scratch;
use serde_json::Value;

use super::{CLEAN, command, jadpo};

/// Longer than any of these takes on a slow machine, and far shorter than what grows faster than its input.
const CHECK_MAX: Duration = Duration::from_mins(1);

/// What `check` finds, a line each: `file:line:column code: message`.
#[track_caller]
fn found(folder: &Path, what: &str) -> String {
    // A first use builds it.
    drop(command(folder));
    let begun = Instant::now();
    let human = jadpo(folder, ["check", what]);
    let ran = jadpo(folder, ["check", "--format", "json", what]);
    assert!(begun.elapsed() < CHECK_MAX, "{:?}", begun.elapsed());
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    assert_eq!((human.code, ran.code), (Some(1), Some(1)), "{}", human.out);
    for diagnostic in diagnostics {
        // The frame of a broken file is no reason to show all of it.
        assert!(human.out.contains(diagnostic["code"].as_str().unwrap()), "{}", human.out);
    }
    assert!(ran.out.len() < 4_000 * (diagnostics.len() + 1), "{} bytes for programs", ran.out.len());
    assert!(human.out.len() < 4_000 * (diagnostics.len() + 1), "{} bytes for people", human.out.len());
    diagnostics.iter().map(line).collect()
}

fn line(diagnostic: &Value) -> String {
    let start = &diagnostic["range"]["start"];
    format!(
        "{}:{}:{} {}: {}\n",
        diagnostic["file"].as_str().unwrap(),
        start["line"],
        start["column"],
        diagnostic["code"].as_str().unwrap(),
        diagnostic["message"].as_str().unwrap(),
    )
}

/// What is found when a file with these bytes joins a project without mistakes.
#[track_caller]
fn with_file(bytes: &[u8]) -> String {
    let scratch = Scratch::with(CLEAN);
    scratch.write("odd.jadpo", bytes);
    found(scratch.path(), ".")
}

#[track_caller]
fn is_clean(scratch: &Scratch) {
    let ran = jadpo(scratch.path(), ["check", "--deny", "warnings"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

#[test]
fn a_byte_that_is_no_text() {
    insta::assert_snapshot!(with_file(b"type A = Text\ntype B = \xff Text\n"), @"odd.jadpo:2:10 file.encoding_invalid: the file is not UTF-8: byte 0xFF at offset 23");
    insta::assert_snapshot!(with_file(b"\xff\xfet\0y\0"), @"odd.jadpo:1:1 file.encoding_invalid: the file is not UTF-8: byte 0xFF at offset 0");
    insta::assert_snapshot!(with_file(b"type A = Text // \xc3"), @"odd.jadpo:1:18 file.encoding_invalid: the file is not UTF-8: byte 0xC3 at offset 17");
}

#[test]
fn a_nul() {
    insta::assert_snapshot!(with_file(b"type A = Text\ntype B =\0 Text\n"), @"odd.jadpo:2:9 file.nul_invalid: the file holds a NUL byte at offset 22");
}

#[test]
fn too_much() {
    let exact = format!("type A = Text // {}\n", "x".repeat(4 * 1024 * 1024 - 18));
    assert_eq!(exact.len(), 4 * 1024 * 1024);
    let scratch = Scratch::with(CLEAN);
    scratch.write("odd.jadpo", &exact);
    is_clean(&scratch);
    insta::assert_snapshot!(with_file(format!("{exact}\n").as_bytes()), @"odd.jadpo:1:1 file.too_large: the file is larger than 4 MiB");
    insta::assert_snapshot!(with_file(&vec![b'x'; 30_000_000]), @"odd.jadpo:1:1 file.too_large: the file is larger than 4 MiB");
}

#[test]
fn a_line_without_end_inside_the_limit() {
    insta::assert_snapshot!(with_file(&vec![b'x'; 4_000_000]), @"odd.jadpo:1:1 syntax.expected: expected a declaration, found `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`");
}

#[test]
fn an_order_mark_and_line_ends_of_another_system_are_fine() {
    let crlf = format!("\u{feff}{}", "/// A doc.\ntype A = Object {\n    a: Text\n}\n".replace('\n', "\r\n"));
    let scratch = Scratch::with(CLEAN);
    scratch.write("odd.jadpo", crlf);
    scratch.write("empty.jadpo", "");
    scratch.write("mark.jadpo", "\u{feff}");
    scratch.write("space.jadpo", " \r\n\t\r\n");
    is_clean(&scratch);
}

#[test]
fn texts_that_end_too_early() {
    for text in [
        "type A = Object {\n    a: Text",
        "type A = Text { pattern: \"a",
        "type A = Text { pattern: \"a\\",
        "type A =",
    ] {
        let said = with_file(text.as_bytes());
        assert_eq!(said.lines().count(), 1, "{text:?} gives\n{said}");
        assert!(said.starts_with("odd.jadpo:"), "{said}");
    }
}

#[test]
fn nesting_without_end() {
    for text in [
        "{".repeat(20_000),
        format!("type A = {}", "List<".repeat(20_000)),
        format!("type A = {}Text{}", "List<".repeat(20_000), ">".repeat(20_000)),
        format!("app x {{ packages: {} }}", "[".repeat(20_000)),
        format!("app x {{ packages: {}", "{ a: ".repeat(20_000)),
        format!("app x {{ packages: {}", "f(".repeat(20_000)),
    ] {
        let said = with_file(text.as_bytes());
        let odd = said.lines().filter(|line| line.starts_with("odd.jadpo:")).count();
        assert!((1..=2).contains(&odd), "{text:.40}… gives\n{said:.2000}");
    }
}

#[test]
fn a_directory_that_is_two_things_or_none() {
    let scratch = Scratch::with(CLEAN);
    insta::assert_snapshot!(found(scratch.path(), "packages"), @".:1:1 file.project_missing: the directory has neither `app.jadpo` nor `provider.jadpo`");
    insta::assert_snapshot!(found(scratch.path(), "nowhere"), @".:1:1 file.project_missing: there is no such directory");
    insta::assert_snapshot!(found(scratch.path(), "app.jadpo"), @".:1:1 file.project_missing: this is a file, and not the directory of a project or a package");
    scratch.write("provider.jadpo", "");
    insta::assert_snapshot!(found(scratch.path(), "."), @"app.jadpo:1:1 file.project_ambiguous: the directory has both `app.jadpo` and `provider.jadpo`");
}

#[test]
fn a_directory_called_as_a_manifest_is_a_directory() {
    let scratch = Scratch::with(CLEAN);
    fs::create_dir(scratch.at("odd.jadpo")).unwrap();
    scratch.write("odd.jadpo/more.jadpo", "type More = Text\n");
    is_clean(&scratch);
}

#[test]
fn links_that_lead_back() {
    let scratch = Scratch::with(CLEAN);
    symlink("..", scratch.at("packages/loop")).unwrap();
    insta::assert_snapshot!(found(scratch.path(), "."), @"packages/loop:1:1 file.link_cyclic: the link `packages/loop` leads to a directory that holds it");

    let scratch = Scratch::with(CLEAN);
    symlink("self.jadpo", scratch.at("self.jadpo")).unwrap();
    symlink("nowhere.jadpo", scratch.at("dangling.jadpo")).unwrap();
    let said = found(scratch.path(), ".");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("self.jadpo") && said.contains("dangling.jadpo"), "{said}");
}

#[test]
fn a_file_that_is_reached_twice_is_one_file() {
    let scratch = Scratch::with(CLEAN);
    scratch.write("parts/more.jadpo", "type More = Text\n");
    symlink("more.jadpo", scratch.at("parts/again.jadpo")).unwrap();
    symlink("parts", scratch.at("others")).unwrap();
    is_clean(&scratch);
}

#[test]
fn a_file_that_cannot_be_read() {
    // Reading the start of a process's own memory fails for everybody, root included.
    let scratch = Scratch::with(CLEAN);
    symlink("/proc/self/mem", scratch.at("odd.jadpo")).unwrap();
    let said = found(scratch.path(), ".");
    assert!(said.starts_with("odd.jadpo:1:1 file.unreadable: ") && said.lines().count() == 1, "{said}");

    let scratch = Scratch::with(CLEAN);
    scratch.write("odd.jadpo", "type A = Text\n");
    fs::set_permissions(scratch.at("odd.jadpo"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(scratch.at("odd.jadpo")).is_err() {
        let said = found(scratch.path(), ".");
        assert!(said.starts_with("odd.jadpo:1:1 file.unreadable: ") && said.lines().count() == 1, "{said}");
    } else {
        is_clean(&scratch);
    }
}

#[test]
fn a_pipe_is_not_waited_for() {
    let scratch = Scratch::with(CLEAN);
    let made =
        Command::new("mkfifo").arg(scratch.at("odd.jadpo")).status().expect("mkfifo is part of every system");
    assert!(made.success());
    insta::assert_snapshot!(found(scratch.path(), "."), @"odd.jadpo:1:1 file.unreadable: the file can't be read: it is no ordinary file");
}

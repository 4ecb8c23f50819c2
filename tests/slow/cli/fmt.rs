//! `jadpo fmt`: what it writes, what it leaves alone, and what it says.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Stdio;

use jadpo_tests::scratch::Scratch;

use super::{CLEAN, Ran, command, jadpo};

const MESSY: &str = "//- /app.jadpo\napp  quay{}\n//- /more/types.jadpo\ntype A=Text\n";

fn read(scratch: &Scratch, file: &str) -> String {
    fs::read_to_string(scratch.at(file)).unwrap()
}

/// Runs `fmt --stdin` with further arguments.
fn stdin(arguments: &[&str], text: &[u8]) -> Ran {
    let scratch = Scratch::empty();
    let mut command = command(scratch.path());
    command.args(["fmt", "--stdin"]).args(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_project_is_formatted_once() {
    let scratch = Scratch::with(MESSY);
    let ran = jadpo(scratch.path(), ["fmt"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), "app.jadpo\nmore/types.jadpo\n"));
    assert_eq!(ran.err, "formatted 2 of 2 files\n");
    assert_eq!(read(&scratch, "app.jadpo"), "app quay { }\n");
    assert_eq!(read(&scratch, "more/types.jadpo"), "type A = Text\n");
    let file = |file: &str| fs::metadata(scratch.at(file)).unwrap().ino();
    let before = file("app.jadpo");
    let ran = jadpo(scratch.path(), ["fmt", "."]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", "formatted 0 of 2 files\n"));
    assert_eq!(file("app.jadpo"), before, "it isn't written again");
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn projects_beneath_a_directory_packages_and_files_are_formatted() {
    let scratch = Scratch::empty();
    for file in ["a/app.jadpo", "b/provider.jadpo", "b/deep/x.jadpo", "c/alone.jadpo", "d/target/app.jadpo"] {
        scratch.write(file, "type  A = Text");
    }
    assert_eq!(
        jadpo(scratch.path(), ["fmt", "--check"]).out,
        "a/app.jadpo\nb/deep/x.jadpo\nb/provider.jadpo\n"
    );
    let ran = jadpo(scratch.path(), ["fmt", "c/alone.jadpo", "b", "b/deep/x.jadpo"]);
    assert_eq!(ran.out, "b/deep/x.jadpo\nb/provider.jadpo\nc/alone.jadpo\n");
    let ran = jadpo(scratch.path(), ["fmt", "c"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("[file.project_missing]") && ran.err.contains("in c\n"), "{}", ran.err);
    let ran = jadpo(scratch.path(), ["fmt", "nowhere.jadpo"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("[file.unreadable]"), "{}", ran.err);
}

#[test]
fn check_and_diff_write_nothing_and_exit_with_1_where_something_would_change() {
    let scratch = Scratch::with(MESSY);
    let ran = jadpo(scratch.path(), ["fmt", "--check"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), "app.jadpo\nmore/types.jadpo\n"));
    assert_eq!(ran.err, "would format 2 of 2 files\n");
    let ran = jadpo(scratch.path(), ["fmt", "--diff", "more/types.jadpo"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "--- more/types.jadpo\n+++ more/types.jadpo\n@@ -1 +1 @@\n-type A=Text\n+type A = Text\n"
    );
    assert_eq!(read(&scratch, "more/types.jadpo"), "type A=Text\n");
    let clean = Scratch::with(CLEAN);
    for mode in ["--check", "--diff"] {
        let ran = jadpo(clean.path(), ["fmt", mode]);
        assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{mode}");
    }
    assert_eq!(jadpo(clean.path(), ["fmt", "--check", "--diff"]).code, Some(2));
}

#[test]
fn a_file_with_a_mistake_in_its_syntax_is_left_as_it_was_and_the_others_are_not() {
    let scratch = Scratch::with(MESSY);
    scratch.write("wrong.jadpo", "app  quay {");
    scratch.write("latin.jadpo", b"// \xe9");
    let ran = jadpo(scratch.path(), ["fmt"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), "app.jadpo\nmore/types.jadpo\n"));
    assert!(ran.err.contains("[syntax.brace_unclosed]") && ran.err.contains("wrong.jadpo:1:"), "{}", ran.err);
    assert!(ran.err.contains("[file.encoding_invalid]"), "{}", ran.err);
    assert!(ran.err.ends_with("formatted 2 of 4 files, left 2 as they were\n"), "{}", ran.err);
    assert_eq!(read(&scratch, "wrong.jadpo"), "app  quay {");
    assert_eq!(fs::read(scratch.at("latin.jadpo")).unwrap(), b"// \xe9");
}

#[test]
fn a_file_keeps_its_permissions_and_its_links() {
    let scratch = Scratch::with(MESSY);
    let real = scratch.at("elsewhere.txt");
    fs::write(&real, "type  B = Text").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, scratch.at("linked.jadpo")).unwrap();
    let ran = jadpo(scratch.path(), ["fmt"]);
    assert_eq!(ran.out, "app.jadpo\nlinked.jadpo\nmore/types.jadpo\n");
    assert!(fs::symlink_metadata(scratch.at("linked.jadpo")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "type B = Text\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn links_that_lead_back_are_told_and_the_rest_is_formatted() {
    let scratch = Scratch::with(MESSY);
    symlink("..", scratch.at("more/loop")).unwrap();
    symlink("self.jadpo", scratch.at("self.jadpo")).unwrap();
    let ran = jadpo(scratch.path(), ["fmt"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out + &ran.err, @"
    app.jadpo
    more/types.jadpo
    [file.link_cyclic] error: the link `more/loop` leads to a directory that holds it
      in more/loop
      help: remove the link
    [file.unreadable] error: the file can't be read: Too many levels of symbolic links (os error 40)
      in self.jadpo
    formatted 2 of 3 files, left 1 as it was
    ");
    assert_eq!(read(&scratch, "more/types.jadpo"), "type A = Text\n");
}

#[test]
fn standard_input_comes_back_formatted_or_not_at_all() {
    let ran = stdin(&[], b"\xef\xbb\xbfapp  quay{}\r\n");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "app quay { }\n", ""));
    assert_eq!(stdin(&[], b"app quay { }\n").out, "app quay { }\n");
    assert_eq!(stdin(&[], b"").out, "");
    let ran = stdin(&[], b"app  quay{");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains("<stdin>:1:10"), "{}", ran.err);
    let ran = stdin(&["--check"], b"app quay{}");
    assert_eq!((ran.code, &*ran.out), (Some(1), "<stdin>\n"));
    assert_eq!(stdin(&["--check"], b"app quay { }\n").code, Some(0));
    let ran = stdin(&["--diff"], b"app quay{}\n");
    assert_eq!(ran.out, "--- <stdin>\n+++ <stdin>\n@@ -1 +1 @@\n-app quay{}\n+app quay { }\n");
    assert_eq!(stdin(&["app.jadpo"], b"").code, Some(2));
}

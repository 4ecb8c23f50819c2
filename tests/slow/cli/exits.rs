//! Exit codes, and what goes where.

use std::process::Stdio;

use jadpo_tests::scratch::Scratch;

use super::{CLEAN, command, jadpo, with_error, with_warning};

#[track_caller]
fn exits(fixture: &str, arguments: &[&str], code: i32) -> String {
    let scratch = Scratch::with(fixture);
    let ran = jadpo(scratch.path(), arguments);
    assert_eq!(ran.code, Some(code), "{arguments:?}\n{}\n{}", ran.out, ran.err);
    ran.out + &ran.err
}

#[test]
fn what_is_clean_or_only_warned_of_exits_with_0() {
    exits(CLEAN, &["check"], 0);
    exits(CLEAN, &["check", "--deny", "warnings"], 0);
    exits(CLEAN, &["check", "packages/tides"], 0);
    let said = exits(&with_warning(), &["check"], 0);
    assert!(said.contains("1 warning"), "{said}");
}

#[test]
fn what_is_wrong_exits_with_1() {
    let said = exits(&with_error(), &["check"], 1);
    assert!(said.contains("1 error"), "{said}");
    let said = exits(&with_warning(), &["check", "--deny", "warnings"], 1);
    assert!(said.contains("1 error") && !said.contains("warning"), "{said}");
    let json = exits(&with_warning(), &["check", "--deny", "warnings", "--format", "json"], 1);
    assert!(json.contains(r#""ok":false"#) && json.contains(r#""severity":"error""#), "{json}");
}

#[test]
fn a_command_line_that_makes_no_sense_exits_with_2() {
    for arguments in [
        &[][..],
        &["chekc"],
        &["check", "--format", "yaml"],
        &["check", "--deny", "notes"],
        &["check", "a", "b"],
        &["check", "--color", "sometimes"],
        &["explain", "poll.unheardof"],
    ] {
        let scratch = Scratch::with(CLEAN);
        let ran = jadpo(scratch.path(), arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["help", "build"]] {
        let said = exits(CLEAN, arguments, 0);
        assert!(said.contains("jadpo"), "{said}");
    }
}

#[test]
fn whoever_closes_the_pipe_has_read_enough() {
    let scratch = Scratch::with(&with_error());
    for (arguments, code) in [
        (&["check"][..], 1),
        (&["check", "--format", "json"], 1),
        (&["explain"], 0),
        (&["--help"], 0),
        (&["check", "packages"], 1),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child =
            command(scratch.path()).args(arguments).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_report_goes_to_standard_output_and_nothing_beside_it() {
    let scratch = Scratch::with(&with_error());
    let ran = jadpo(scratch.path(), ["check"]);
    assert_eq!(ran.err, "");
    assert!(ran.out.contains("package.provider_invalid"), "{}", ran.out);
}

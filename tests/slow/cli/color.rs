//! Colours for people's terminals and nobody else.

use jadpo_tests::scratch::Scratch;

use super::{command, with_error};

#[track_caller]
fn colours(arguments: &[&str], no_color: Option<&str>) -> bool {
    let scratch = Scratch::with(&with_error());
    let mut command = command(scratch.path());
    command.args(arguments);
    if let Some(value) = no_color {
        command.env("NO_COLOR", value);
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    output.stdout.contains(&0x1b)
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_asked_for() {
    assert!(!colours(&["check"], None));
    assert!(!colours(&["check", "--color", "auto"], None));
    assert!(!colours(&["check", "--color", "never"], None));
    assert!(colours(&["check", "--color", "always"], None));
    assert!(colours(&["--color", "always", "check"], None));
}

#[test]
fn a_word_on_the_command_line_stands_above_the_environment() {
    assert!(!colours(&["check"], Some("1")));
    assert!(colours(&["check", "--color", "always"], Some("1")));
}

#[test]
fn programs_get_no_colours_even_when_asked() {
    assert!(!colours(&["check", "--format", "json", "--color", "always"], None));
}

#[test]
fn without_its_colours_the_text_is_the_same() {
    let scratch = Scratch::with(&with_error());
    let of = |color: &str| {
        String::from_utf8(command(scratch.path()).args(["check", "--color", color]).output().unwrap().stdout)
            .unwrap()
    };
    assert_eq!(without_escapes(&of("always")), of("never"));
}

/// A text without the sequences `ESC [ … m`.
fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = escape.split_once('m').unwrap().1;
    }
    plain + rest
}

//! How the code must read, as far as a program can tell.

use std::ffi::OsStr;
use std::path::Path;

use jadpo_tests::workspace::{files, root};

/// Folders of the product's own code.
const FOLDERS: &[&str] =
    &["syntax", "analysis", "codegen", "runtime-shim", "lsp", "cli", "tests", "examples", "fuzz"];

/// The most lines of a file that is no test.
const FILE_LINES_MAX: usize = 600;

/// Folder and file names that hold anything and so mean nothing.
const CATCH_ALL: &[&str] = &["common", "util", "utils", "helpers", "misc"];

#[test]
fn every_file_opens_by_saying_what_it_owns() {
    let silent = product(|_, text| !text.starts_with("//!"));
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn no_file_outside_the_tests_is_longer_than_one_can_hold() {
    let long = product(|path, text| !is_test(path) && text.lines().count() > FILE_LINES_MAX);
    assert_eq!(long, Vec::<String>::new());
}

#[test]
fn nothing_is_left_unfinished() {
    // The words are put together here, so that this file does not find itself.
    let marks = [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["todo", "!("].concat(),
        ["unimplemented", "!("].concat(),
    ];
    let unfinished = product(|_, text| marks.iter().any(|mark| text.contains(mark)));
    assert_eq!(unfinished, Vec::<String>::new());
}

#[test]
fn no_file_is_a_catch_all() {
    let vague = product(|path, _| {
        path.components().any(|part| {
            CATCH_ALL
                .iter()
                .any(|name| part.as_os_str() == *name || part.as_os_str() == format!("{name}.rs").as_str())
        })
    });
    assert_eq!(vague, Vec::<String>::new());
}

#[test]
fn no_test_sleeps_on_the_real_clock() {
    let call = ["thread::", "sleep("].concat();
    let sleeping = product(|path, text| is_test(path) && text.contains(&call));
    assert_eq!(sleeping, Vec::<String>::new());
}

#[test]
fn the_compiler_does_no_io_outside_its_system() {
    let doors = ["std::fs", "std::env", "std::net", "std::thread", "SystemTime", "Instant::now"];
    let io: Vec<String> = ["syntax/src", "analysis/src"]
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|path| !is_test(path) && !path.ends_with("system/os.rs"))
        .filter(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            doors.iter().any(|door| text.contains(door))
        })
        .map(|path| relative(&path))
        .collect();
    assert_eq!(io, Vec::<String>::new());
}

fn product(wrong: impl Fn(&Path, &str) -> bool) -> Vec<String> {
    FOLDERS
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|path| wrong(path, &std::fs::read_to_string(path).unwrap()))
        .map(|path| relative(&path))
        .collect()
}

fn is_test(path: &Path) -> bool {
    let inside = path.strip_prefix(root()).unwrap();
    // A bench is none: what a quiet minute costs takes a minute.
    let is_bench = inside.starts_with("tests/benches");
    let of_tests = |part: &OsStr| part == "tests" || part == "tests.rs";
    !is_bench && inside.components().any(|part| of_tests(part.as_os_str()))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

//! `check --fix`: what stands on disk afterwards, and what is said of it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use jadpo_tests::binaries::binary;
use jadpo_tests::scratch::Scratch;

use super::{CLEAN, jadpo, run, with_error};

/// Every file of a folder, with its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn what_was_done_is_said_before_what_is_left() {
    let scratch = Scratch::with(&with_error());
    scratch.replace("app.jadpo", "quay.db\") }", "quay.db\")  keep: 9000d }");
    let ran = jadpo(scratch.path(), ["check", "--fix"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let (first, rest) = ran.out.split_once('\n').unwrap();
    assert_eq!(
        first,
        "fixed  packages/tides/provider.jadpo:3:29: write `fetch_level` [package.provider_invalid]"
    );
    assert!(!rest.contains("package.provider_invalid") && rest.contains("store.value_invalid"), "{rest}");
    let again = jadpo(scratch.path(), ["check", "--fix"]);
    assert_eq!((again.code, again.out.as_str()), (Some(1), rest));
}

#[test]
fn with_nothing_left_it_exits_with_0() {
    let scratch = Scratch::with(&with_error());
    assert_eq!(jadpo(scratch.path(), ["check", "--fix"]).code, Some(0));
    let text = fs::read_to_string(scratch.at("packages/tides/provider.jadpo")).unwrap();
    assert!(CLEAN.contains(text.trim_end()), "{text}");
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(0));
}

#[test]
fn programs_read_the_report_alone() {
    let scratch = Scratch::with(&with_error());
    let ran = jadpo(scratch.path(), ["check", "--fix", "--format", "json"]);
    assert!(ran.out.starts_with(r#"{"version":1,"ok":true"#), "{}", ran.out);
    assert!(ran.err.starts_with("fixed  packages/tides/provider.jadpo:3:29: "), "{}", ran.err);
}

#[test]
fn permissions_line_ends_and_the_byte_order_mark_stay() {
    let scratch = Scratch::empty();
    let text = "\u{feff}app quay { }\r\n\r\ntype T = Object {\r\n    a: Txet,\n    b: Int\r\n}\r\n";
    scratch.write("app.jadpo", text);
    let path = scratch.at("app.jadpo");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(jadpo(scratch.path(), ["check", "--fix"]).code, Some(0));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
    let after = text.replace("Txet,", "Text");
    // Nothing else stands there: what was written beside the file has taken its place.
    assert_eq!(files(scratch.path()), [("app.jadpo".to_owned(), after.into_bytes())]);
}

#[test]
fn a_file_that_needs_nothing_is_not_touched() {
    let scratch = Scratch::with(&with_error());
    let inode = |file: &str| fs::metadata(scratch.at(file)).unwrap().ino();
    let before = (inode("app.jadpo"), inode("packages/tides/provider.jadpo"));
    jadpo(scratch.path(), ["check", "--fix"]);
    assert_eq!(inode("app.jadpo"), before.0);
    assert_ne!(inode("packages/tides/provider.jadpo"), before.1);
}

#[test]
fn a_package_elsewhere_is_left_alone() {
    let scratch =
        Scratch::with(&with_error().replace("/packages/tides/", "/tides/").replace("//- /app", "//- /x/app"));
    scratch.replace("x/app.jadpo", "app quay { }", "app quay { packages: [\"../tides\"] }");
    let before = fs::read(scratch.at("tides/provider.jadpo")).unwrap();
    let ran = jadpo(scratch.path(), ["check", "--fix", "x"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(!ran.out.contains("fixed"), "{}", ran.out);
    assert_eq!(fs::read(scratch.at("tides/provider.jadpo")).unwrap(), before);
    assert_eq!(jadpo(scratch.path(), ["check", "--fix", "tides"]).code, Some(0));
}

#[test]
fn what_cannot_be_written_is_said_and_still_reported() {
    let scratch = Scratch::with(&with_error());
    let folder = scratch.at("packages/tides");
    let before = files(&folder);
    // No file may grow, which holds for root too; without the trap the system would end the program.
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#]);
    command.arg(binary("jadpo", "jadpo")).args(["check", "--fix"]).current_dir(scratch.path());
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: cannot write packages/tides/provider.jadpo: "), "{}", ran.err);
    assert!(!ran.out.contains("fixed") && ran.out.contains("package.provider_invalid"), "{}", ran.out);
    assert_eq!(files(&folder), before);
}

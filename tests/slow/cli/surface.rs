//! `jadpo surface`: shown, accepted, compared with a file, a directory and a revision, and what each exits with.

use std::path::Path;
use std::process::Command;

use jadpo_tests::scratch::Scratch;
use serde_json::Value;

use super::{CLEAN, command, jadpo, run, with_error};

const PROVIDER: &str = "packages/tides/provider.jadpo";

/// A project whose package has been accepted.
fn accepted() -> Scratch {
    let scratch = Scratch::with(CLEAN);
    let ran = jadpo(scratch.path(), ["surface", "accept"]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "wrote  packages/tides/surface.json\n", ""));
    scratch
}

/// Makes a break: the event's height may now be none.
fn break_it(scratch: &Scratch) {
    let text = std::fs::read_to_string(scratch.at(PROVIDER)).unwrap();
    scratch.write(PROVIDER, text.replace("height: Decimal", "height: Decimal?"));
}

#[track_caller]
fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(arguments);
    let ran = run(&mut git);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
}

#[test]
fn what_was_accepted_is_kept_and_is_what_is_shown() {
    let scratch = accepted();
    assert_eq!(jadpo(scratch.path(), ["surface", "accept"]).out, "kept   packages/tides/surface.json\n");
    let written = std::fs::read_to_string(scratch.at("packages/tides/surface.json")).unwrap();
    assert_eq!(jadpo(scratch.path(), ["surface", "show"]).out, written);
    assert_eq!(jadpo(scratch.path(), ["surface", "show", "packages/tides"]).out, written);
    let ran = jadpo(scratch.path(), ["surface", "diff"]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "nothing changed for apps\n", ""));
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(0));
}

#[test]
fn a_break_is_refused_until_the_version_says_so() {
    let scratch = accepted();
    break_it(&scratch);
    let ran = jadpo(scratch.path(), ["surface", "diff"]);
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    insta::assert_snapshot!(ran.out, @"
tides 0.1.0, in packages/tides
  breaking  field `height` of `LevelChanged` may now be missing or none: `Decimal?`, was `Decimal`
            was at packages/tides/surface.json:24:11
            is at  packages/tides/provider.jadpo:10:36
            hits   connection gauge; poll gauge.level; subscriber log_level
            Rust   refuses what takes or gives its value, since an `Option` more or less stands around it
  1 breaking change: this needs version 0.2.0 or later, and it is 0.1.0
");
    let ran = jadpo(scratch.path(), ["surface", "accept"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    insta::assert_snapshot!(ran.err, @"
error: packages/tides/surface.json: it would break apps that use `tides` 0.1.0, and the version is 0.1.0: give it version 0.2.0 or later
  field `height` of `LevelChanged` may now be missing or none: `Decimal?`, was `Decimal`
");
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(1));
    scratch.replace(PROVIDER, "    base_url", "    version: \"0.2.0\"\n    base_url");
    assert_eq!(jadpo(scratch.path(), ["surface", "diff"]).code, Some(0));
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(0));
    assert_eq!(jadpo(scratch.path(), ["check", "--deny", "warnings"]).code, Some(1));
    assert_eq!(jadpo(scratch.path(), ["surface", "accept"]).code, Some(0));
    assert_eq!(jadpo(scratch.path(), ["check", "--deny", "warnings"]).code, Some(0));
}

#[test]
fn programs_read_one_object() {
    let scratch = accepted();
    break_it(&scratch);
    let ran = jadpo(scratch.path(), ["surface", "diff", "--format", "json"]);
    assert_eq!((ran.code, &*ran.err, ran.out.lines().count()), (Some(1), "", 1));
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["version"], 1);
    assert_eq!(value["ok"], false);
    assert_eq!(value["packages"][0]["least"], "0.2.0");
    let change = &value["packages"][0]["changes"][0];
    assert_eq!(change["kind"], "presence_loosened");
    assert_eq!(change["hits"]["subscribers"][0], "log_level");
    assert_eq!(change["old"]["file"], "packages/tides/surface.json");
    let ran = jadpo(scratch.path(), ["surface", "accept", "--format", "json"]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &value["ok"], &*ran.err), (Some(1), &Value::Bool(false), ""));
    assert_eq!(value["refused"][0]["file"], "packages/tides/surface.json");
}

#[test]
fn a_file_and_a_directory_are_compared_with() {
    let (old, new) = (accepted(), Scratch::with(CLEAN));
    break_it(&new);
    let shown = jadpo(old.path(), ["surface", "show"]).out;
    new.write("old.json", shown);
    for against in [new.at("old.json"), old.path().to_owned()] {
        let against = against.to_str().unwrap();
        let ran = jadpo(new.path(), ["surface", "diff", "--against", against]);
        assert_eq!((ran.code, &*ran.err), (Some(1), ""), "{against}");
        assert!(ran.out.contains("  breaking  field `height`"), "{}", ran.out);
        assert_eq!(jadpo(old.path(), ["surface", "diff", "--against", against]).code, Some(0));
    }
}

#[test]
fn a_revision_is_compared_with() {
    let scratch = Scratch::with(CLEAN);
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-q", "-m", "first"]);
    break_it(&scratch);
    for folder in [".", "packages/tides"] {
        let ran = jadpo(scratch.path(), ["surface", "diff", folder, "--against", "git:HEAD"]);
        assert_eq!((ran.code, &*ran.err), (Some(1), ""), "{folder}");
        assert!(ran.out.contains("was at git:HEAD: "), "{}", ran.out);
    }
    git(scratch.path(), &["commit", "-q", "-a", "-m", "second"]);
    assert_eq!(jadpo(scratch.path(), ["surface", "diff", "--against", "git:HEAD"]).code, Some(0));
    assert_eq!(jadpo(scratch.path(), ["surface", "diff", "--against", "git:HEAD~1"]).code, Some(1));
}

/// A repository with the project in it, and a package that the project names outside of it.
fn with_package_outside() -> Scratch {
    let scratch = Scratch::with(&CLEAN.replace("//- /", "//- /repo/"));
    scratch.write("outside/ext/provider.jadpo", "provider ext { base_url: \"https://ext.example\" }\n");
    scratch.replace("repo/app.jadpo", "app quay { }", "app quay { packages: [\"../outside/ext\"] }");
    git(&scratch.at("repo"), &["init", "-q"]);
    git(&scratch.at("repo"), &["add", "."]);
    git(&scratch.at("repo"), &["commit", "-q", "-m", "first"]);
    scratch
}

#[test]
fn a_package_outside_of_the_repository_is_not_a_new_one() {
    let scratch = with_package_outside();
    let ran = jadpo(&scratch.at("repo"), ["surface", "diff", "--against", "git:HEAD"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    insta::assert_snapshot!(ran.out, @"
nothing changed for apps
not compared: `ext`, there is nothing to compare it with
");
}

#[test]
fn a_package_that_moved_is_found_by_its_name() {
    let scratch = Scratch::with(CLEAN);
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-q", "-m", "first"]);
    std::fs::rename(scratch.at("packages/tides"), scratch.at("packages/sea")).unwrap();
    for folder in [".", "packages/sea"] {
        let ran = jadpo(scratch.path(), ["surface", "diff", folder, "--against", "git:HEAD"]);
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "nothing changed for apps\n", ""), "{folder}");
    }
}

#[test]
fn a_revision_that_a_shallow_clone_lacks_is_said_to_be_elsewhere() {
    let scratch = Scratch::with(&CLEAN.replace("//- /", "//- /repo/"));
    let work = scratch.at("repo");
    git(&work, &["init", "-q"]);
    git(&work, &["add", "."]);
    git(&work, &["commit", "-q", "-m", "first"]);
    git(&work, &["commit", "-q", "--allow-empty", "-m", "second"]);
    let from = format!("file://{}", work.display());
    git(scratch.path(), &["clone", "-q", "--depth", "1", &from, "clone"]);
    let ran = jadpo(&scratch.at("clone"), ["surface", "diff", "--against", "git:HEAD~1"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "error: git knows no revision `HEAD~1`; this clone is shallow, and `git fetch --unshallow` gets the rest\n"
    );
}

#[test]
fn what_is_accepted_is_put_whole_into_its_place() {
    let scratch = accepted();
    let file = "packages/tides/surface.json";
    scratch.replace(PROVIDER, "    base_url", "    settings: { more: Text? }\n    base_url");
    // A link stays one, and what it leads to is written.
    #[cfg(unix)]
    {
        std::fs::rename(scratch.at(file), scratch.at("kept.json")).unwrap();
        std::os::unix::fs::symlink(scratch.at("kept.json"), scratch.at(file)).unwrap();
        assert_eq!(jadpo(scratch.path(), ["surface", "accept"]).code, Some(0));
        assert!(scratch.at(file).is_symlink());
        assert!(std::fs::read_to_string(scratch.at("kept.json")).unwrap().contains("\"more\""));
        std::fs::remove_file(scratch.at(file)).unwrap();
    }
    std::fs::create_dir(scratch.at(file)).unwrap();
    let ran = jadpo(scratch.path(), ["surface", "accept"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.starts_with("error: packages/tides/surface.json: it can't be written: "), "{}", ran.err);
    let left = std::fs::read_dir(scratch.at("packages/tides")).unwrap().count();
    assert_eq!(left, 2, "the attempt leaves nothing");
}

#[test]
fn programs_read_one_object_where_nothing_can_be_compared_too() {
    let scratch = Scratch::with(CLEAN);
    let ran = jadpo(scratch.path(), ["surface", "diff", "--format", "json"]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, &value["ok"], &value["uncompared"][0]),
        (Some(1), &Value::Bool(false), &"tides".into())
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let scratch = Scratch::with(CLEAN);
    let said = |arguments: &[&str]| {
        let ran = jadpo(scratch.path(), arguments);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{arguments:?}");
        ran.err
    };
    insta::assert_snapshot!(said(&["surface", "diff"]), @"error: `tides` has no `surface.json` to compare with; `jadpo surface accept` writes one");
    insta::assert_snapshot!(said(&["surface", "diff", "--against", "none.json"]), @"error: `none.json` can't be read: No such file or directory (os error 2)");
    insta::assert_snapshot!(said(&["surface", "diff", "--against", "app.jadpo"]), @"error: `app.jadpo` can't be read: expected value at line 1 column 1");
    git(scratch.path(), &["init", "-q"]);
    insta::assert_snapshot!(said(&["surface", "diff", "--against", "git:nowhere"]), @"error: git knows no revision `nowhere`");
    insta::assert_snapshot!(said(&["surface", "diff", "--against", "git:--all"]), @"error: git knows no revision `--all`");
    git(scratch.path(), &["commit", "-q", "--allow-empty", "-m", "nothing"]);
    insta::assert_snapshot!(said(&["surface", "diff", "--against", "git:HEAD"]), @"error: there was no package in `.` at `HEAD`");
    scratch.write("empty/x.txt", "");
    let ran = jadpo(scratch.path(), ["surface", "show", "empty"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.ends_with("error: there is no package in `empty`\n"), "{}", ran.err);
}

#[test]
fn without_git_the_reason_is_that() {
    let scratch = Scratch::with(CLEAN);
    let ran = run(command(scratch.path()).args(["surface", "diff", "--against", "git:HEAD"]).env("PATH", ""));
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err, "error: `git:` needs the program `git`, which isn't there\n");
}

#[test]
fn a_package_with_errors_has_no_surface() {
    let scratch = Scratch::with(&with_error());
    for what in ["show", "accept", "diff"] {
        let ran = jadpo(scratch.path(), ["surface", what]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{what}");
        assert!(ran.err.contains("there is no operation `fetch_levle`"), "{}", ran.err);
    }
}

//! `jadpo build`: the generated crate, written once and left alone while nothing changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use jadpo_tests::scratch::Scratch;
use jadpo_tests::{binaries, workspace};

use super::{CLEAN, jadpo, with_error};

/// Every file beneath a folder, with when it was written and what it holds.
fn written(folder: &Path) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let (path, metadata) = (entry.path(), entry.metadata().unwrap());
            if metadata.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, (metadata.modified().unwrap(), fs::read(path).unwrap()));
            }
        }
    }
    found
}

#[test]
fn a_second_build_touches_nothing() {
    let scratch = Scratch::with(CLEAN);
    let first = jadpo(scratch.path(), ["build"]);
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(first.out, @"
    built  quay: server in ./build/quay
    wrote  Cargo.toml
    wrote  plan.json
    wrote  src/lib.rs
    ");
    let before = written(&scratch.at("build"));
    let second = jadpo(scratch.path(), ["build"]);
    assert_eq!((second.code, second.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(second.out, @"
    built  quay: server in ./build/quay
    kept   Cargo.toml
    kept   plan.json
    kept   src/lib.rs
    ");
    assert_eq!(written(&scratch.at("build")), before);
    // What was generated is no part of the project.
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(0));
}

#[test]
fn only_what_changes_is_written() {
    let scratch = Scratch::with(CLEAN);
    jadpo(scratch.path(), ["build"]);
    let before = written(&scratch.at("build/quay"));
    scratch.replace("packages/tides/provider.jadpo", "every: 5m", "every: 7m");
    insta::assert_snapshot!(jadpo(scratch.path(), ["build"]).out, @"
    built  quay: server in ./build/quay
    wrote  plan.json
    kept   Cargo.toml
    kept   src/lib.rs
    ");
    let after = written(&scratch.at("build/quay"));
    let changed: Vec<_> = after.keys().filter(|name| after[*name] != before[*name]).collect();
    // The list of what was written holds a digest of each file.
    assert_eq!(changed, [".jadpo-outputs", "plan.json"]);
}

#[test]
fn verifying_tells_what_is_not_as_it_would_be_built_and_writes_nothing() {
    let scratch = Scratch::with(CLEAN);
    let none = jadpo(scratch.path(), ["build", "--verify"]);
    assert_eq!((none.code, none.err.as_str()), (Some(1), ""));
    assert!(none.out.contains("new      plan.json: it was never generated here"), "{}", none.out);
    assert!(!scratch.at("build").exists());

    jadpo(scratch.path(), ["build"]);
    let right = jadpo(scratch.path(), ["build", "--verify"]);
    assert_eq!((right.code, right.out.as_str()), (Some(0), "verified quay: 3 files in ./build/quay\n"));

    scratch.replace("packages/tides/provider.jadpo", "every: 5m", "every: 7m");
    scratch.write("build/quay/src/lib.rs", "mine");
    let before = written(&scratch.at("build"));
    let wrong = jadpo(scratch.path(), ["build", "--verify"]);
    assert_eq!((wrong.code, wrong.err.as_str()), (Some(1), ""));
    insta::assert_snapshot!(wrong.out, @"
    differs  quay: 2 of 3 files in ./build/quay
    stale    plan.json: the manifests have changed since it was generated
    edited   src/lib.rs: it was changed by hand after it was generated
    ");
    assert_eq!(written(&scratch.at("build")), before);
}

#[test]
fn the_same_manifest_gives_the_same_bytes_wherever_it_stands() {
    let bytes = |scratch: &Scratch| {
        let built =
            jadpo(Path::new("/"), ["build".as_ref(), scratch.path(), "--out".as_ref(), &scratch.at("out")]);
        assert_eq!(built.code, Some(0), "{}", built.err);
        let files = written(&scratch.at("out"));
        files.into_iter().map(|(name, (_, bytes))| (name, bytes)).collect::<BTreeMap<_, _>>()
    };
    // A directory may list its files in the order in which they were made.
    let (here, there) = (Scratch::copy_of("tests/app"), Scratch::empty());
    let app = workspace::root().join("tests/app");
    for file in workspace::files("tests/app", "jadpo").into_iter().rev() {
        there.write(file.strip_prefix(&app).unwrap(), fs::read(&file).unwrap());
    }
    let first = bytes(&here);
    assert_eq!(first, bytes(&there));
    for (name, bytes) in first {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(&*here.path().to_string_lossy()), "{name} names a folder of this machine");
    }
}

#[test]
fn what_cannot_be_built_says_so_in_a_sentence() {
    let scratch = Scratch::with(CLEAN);
    let package = jadpo(scratch.path(), ["build", "packages/tides"]);
    assert_eq!((package.code, package.out.as_str()), (Some(1), ""));
    insta::assert_snapshot!(package.err, @"error: `packages/tides` is a package: only a project with an app.jadpo can be built");

    scratch.replace("app.jadpo", "deployable server { target: native }", "");
    assert_eq!(jadpo(scratch.path(), ["check"]).code, Some(0), "an app without a deployable checks");
    let idle = jadpo(scratch.path(), ["build"]);
    assert_eq!((idle.code, idle.out.as_str()), (Some(1), ""));
    insta::assert_snapshot!(idle.err, @"error: app `quay` has nothing to build: it declares no deployable, such as `deployable server { target: native }`");
    assert!(!scratch.at("build").exists());
}

#[test]
fn with_an_error_nothing_is_written() {
    let scratch = Scratch::with(&with_error());
    let ran = jadpo(scratch.path(), ["build"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("package.provider_invalid") && ran.err.contains("1 error"), "{}", ran.err);
    assert!(!scratch.at("build").exists());
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let scratch = Scratch::with(CLEAN);
    scratch.write("taken", "a file");
    let ran = jadpo(scratch.path(), ["build", "--out", "taken/inside"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("taken/inside") && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
fn the_crate_compiles_without_a_warning_in_either_edition() {
    let scratch = Scratch::empty();
    let app = workspace::root().join("tests/app");
    let built = jadpo(scratch.path(), ["build".as_ref(), app.as_path(), "--out".as_ref(), "app".as_ref()]);
    assert_eq!(built.code, Some(0), "{}", built.err);
    scratch.write("app/Cargo.lock", fs::read(workspace::root().join("Cargo.lock")).unwrap());
    check_crate(&scratch);
    scratch.replace("app/Cargo.toml", "edition = \"2024\"", "edition = \"2021\"");
    check_crate(&scratch);
}

#[track_caller]
fn check_crate(scratch: &Scratch) {
    let runtime = workspace::root().join("runtime-shim");
    let checked = binaries::cargo()
        .args(["check", "--offline", "--quiet", "--config"])
        .arg(format!("patch.crates-io.jadpo-runtime.path = '{}'", runtime.display()))
        .arg("--target-dir")
        .arg(binaries::target())
        .current_dir(scratch.at("app"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&checked.stderr), "");
    assert!(checked.status.success());
}

#[test]
fn what_is_for_workers_is_told_and_not_built() {
    let scratch = Scratch::with(CLEAN);
    scratch.replace(
        "app.jadpo",
        "engine: sqlite(\"quay.db\")",
        "engine: { native: sqlite(\"quay.db\")  workers: d1(\"QUAY\") }",
    );
    scratch.replace("app.jadpo", "package: tides", "package: tides  max_concurrent: 4");
    scratch.replace(
        "app.jadpo",
        "deployable server { target: native }",
        "deployable server { target: native  polls: [] }\ndeployable edge { target: workers }",
    );
    let check = jadpo(scratch.path(), ["check"]);
    assert_eq!(check.code, Some(0));
    insta::assert_snapshot!(check.out, @"
checked 2 files, 10 declarations: nothing is wrong

On Workers
edge  gauge  at most 4 calls at once, on Workers, per instance
Workers runs many instances, and each counts its own calls. A provider that needs a limit for all of them
sets it on its side: its rate-limit answers make calls back off.
");
    let both = jadpo(scratch.path(), ["build"]);
    assert_eq!((both.code, both.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(both.out, @"
built  quay: server in ./build/quay
wrote  Cargo.toml
wrote  plan.json
wrote  src/lib.rs
skipped edge: this version makes no Workers program
calls  edge: gauge ≤ 4 on Workers, per instance
");
    let plan = fs::read_to_string(scratch.at("build/quay/plan.json")).unwrap();
    assert!(plan.contains("\"edge\""), "{plan}");
    assert!(!fs::read_to_string(scratch.at("build/quay/src/lib.rs")).unwrap().contains("fn edge"));

    scratch.replace("app.jadpo", "deployable server { target: native  polls: [] }", "");
    let alone = jadpo(scratch.path(), ["build"]);
    assert_eq!((alone.code, alone.out.as_str()), (Some(1), ""));
    insta::assert_snapshot!(alone.err, @"error: app `quay` has nothing to build: `edge` is for Workers, and this version makes no Workers program; a deployable with `target: native` is built");
}

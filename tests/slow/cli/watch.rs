//! `check --watch`: one report for each change, and an end when it is asked for.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use jadpo_tests::process::{Running, Stream};
use jadpo_tests::scratch::Scratch;

use super::{CLEAN, command, jadpo};

/// How long something is waited for that comes at once, on a machine that does much else.
const LIMIT: Duration = Duration::from_mins(1);

const PROVIDER: &str = "packages/tides/provider.jadpo";

fn watching(scratch: &Scratch, arguments: &[&str]) -> Running {
    Running::start(command(scratch.path()).args(["check", "--watch"]).args(arguments))
}

/// The next report, of which `said` must be a part.
#[track_caller]
fn report(running: &mut Running, said: &str) {
    let line = running.line(LIMIT, "a report", |stream, line| stream == Stream::Out && line.starts_with('{'));
    assert!(line.contains(said), "{line} has not {said}");
}

/// Writes a file at one stroke, so that there is only one change to see.
fn put(scratch: &Scratch, file: &str, text: &str) {
    scratch.write(".part", text);
    let place = scratch.at(file);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::rename(scratch.at(".part"), place).unwrap();
}

#[test]
fn each_change_gives_one_report() {
    let scratch = Scratch::with(CLEAN);
    let mut running = watching(&scratch, &["--format", "json"]);
    report(&mut running, r#""ok":true"#);
    let provider = fs::read_to_string(scratch.at(PROVIDER)).unwrap();
    put(&scratch, PROVIDER, &provider.replace("call: fetch_level", "call: fetch_levle"));
    report(&mut running, "package.provider_invalid");
    // Nothing of this changes what is checked.
    scratch.write("build/quay/stray.jadpo", "type T = X");
    scratch.write("target/stray.jadpo", "type T = X");
    scratch.write("notes.txt", "");
    File::open(scratch.at("app.jadpo")).unwrap().set_modified(SystemTime::now()).unwrap();
    put(&scratch, PROVIDER, &provider);
    report(&mut running, r#""ok":true"#);
    put(&scratch, "deep/er/types.jadpo", "type T = Txet\n");
    report(&mut running, "deep/er/types.jadpo");
    fs::rename(scratch.at("deep/er/types.jadpo"), scratch.at("deep/types.jadpo")).unwrap();
    report(&mut running, r#""file":"deep/types.jadpo""#);
    fs::remove_dir_all(scratch.at("deep")).unwrap();
    report(&mut running, r#""diagnostics":[]"#);
    running.signal("INT");
    assert_eq!(running.exit(LIMIT).code(), Some(0));
    assert_eq!(running.lines(Stream::Out).len(), 6, "{}", running.written());
    assert_eq!(running.lines(Stream::Err), Vec::<&str>::new());
}

#[test]
fn what_stands_elsewhere_is_watched_too() {
    let scratch = Scratch::with("//- /x/app.jadpo\napp quay { packages: [\"../tides\"] }\n");
    scratch.write("real.jadpo", "type A = Int\n");
    symlink("../real.jadpo", scratch.at("x/linked.jadpo")).unwrap();
    let mut running = watching(&scratch, &["x", "--format", "json"]);
    report(&mut running, r#""ok":false"#);
    put(&scratch, "tides/provider.jadpo", "provider tides { base_url: \"https://a.example\" }\n");
    report(&mut running, r#""ok":true"#);
    put(&scratch, "real.jadpo", "type A = Itn\n");
    report(&mut running, r#""file":"linked.jadpo""#);
    running.signal("TERM");
    assert_eq!(running.exit(LIMIT).code(), Some(1));
}

#[test]
fn a_project_may_come_to_be() {
    let scratch = Scratch::empty();
    let mut running = watching(&scratch, &["--format", "json"]);
    report(&mut running, "file.project_missing");
    put(&scratch, "app.jadpo", "app quay { }\n");
    report(&mut running, r#""ok":true"#);
    fs::remove_file(scratch.at("app.jadpo")).unwrap();
    report(&mut running, "file.project_missing");
    running.signal("INT");
    assert_eq!(running.exit(LIMIT).code(), Some(1));
}

#[test]
fn a_pipe_is_not_cleared() {
    let scratch = Scratch::with(CLEAN);
    let mut running = watching(&scratch, &[]);
    let sum = |stream, line: &str| stream == Stream::Out && line.starts_with("checked ");
    running.line(LIMIT, "the first sum", sum);
    let app = fs::read_to_string(scratch.at("app.jadpo")).unwrap();
    put(&scratch, "app.jadpo", &app.replace("app quay", "app quax"));
    running.line(LIMIT, "the second sum", sum);
    running.signal("INT");
    running.exit(LIMIT);
    assert!(!running.written().contains('\u{1b}'), "{}", running.written());
}

#[test]
fn a_format_of_lines_says_when_a_report_ends() {
    let scratch = Scratch::with(CLEAN);
    let mut running = watching(&scratch, &["--format", "concise"]);
    running.line(LIMIT, "the sum", |stream, line| stream == Stream::Err && line.contains("nothing is wrong"));
    put(&scratch, "new.jadpo", "type T = Txet\n");
    running.line(LIMIT, "the mistake", |stream, line| {
        stream == Stream::Out && line.starts_with("new.jadpo:1:10: ")
    });
    running.signal("INT");
    assert_eq!(running.exit(LIMIT).code(), Some(1));
}

#[test]
fn whoever_closes_the_pipe_ends_it_with_the_next_report() {
    let scratch = Scratch::with(CLEAN);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(scratch.path());
    let mut child = command.args(["check", "--watch"]).stdout(writer).spawn().unwrap();
    let ended = jadpo_tests::wait::until(LIMIT, "the end", || child.try_wait().unwrap());
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let scratch = Scratch::with(CLEAN);
    for arguments in [&["--fix"][..], &["--format", "sarif"], &["--format", "gitlab"], &["--format", "junit"]]
    {
        let ran = jadpo(scratch.path(), ["check", "--watch"].iter().chain(arguments));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains("--watch"), "{}", ran.err);
    }
}

//! The `jadpo` command as its users run it.

mod build;
mod color;
mod done_when;
mod exits;
mod file_problems;
mod fix;
mod fmt;
mod formats;
mod json;
mod surface;
mod watch;

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use jadpo_tests::binaries::binary;

/// What a run of the command said.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The command, in a folder, with an environment that colours nothing by itself.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(binary("jadpo", "jadpo"));
    command.current_dir(folder).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env_remove("GITHUB_WORKSPACE").env_remove("CI_PROJECT_DIR");
    command
}

/// Runs the command in a folder.
#[track_caller]
fn jadpo<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Ran {
    run(command(folder).args(arguments))
}

/// Runs a command to its end.
#[track_caller]
fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let ran = Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    ran
}

/// A project without mistakes.
const CLEAN: &str = r#"
//- /app.jadpo
app quay { }

store main { engine: sqlite("quay.db") }

connection gauge { package: tides }

subscriber log_level { on: tides.LevelChanged }

deployable server { target: native }
//- /packages/tides/provider.jadpo
provider tides {
    base_url: "https://api.tides.example"
    polls: { level: { call: fetch_level  every: 5m  emits: LevelChanged } }
}

operation fetch_level { method: GET  path: "/level"  output: Level }

type Level = Object { height: Decimal  trend: Text }

public type LevelChanged = Event { height: Decimal }
"#;

/// The same with one mistake.
fn with_error() -> String {
    CLEAN.replace("call: fetch_level", "call: fetch_levle")
}

/// The same with one warning: at worst three calls of a minute outlast an interval of one.
fn with_warning() -> String {
    CLEAN.replace("every: 5m", "every: 1m").replace("output: Level }", "output: Level  timeout: 60s }")
}

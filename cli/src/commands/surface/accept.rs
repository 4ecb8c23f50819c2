//! `jadpo surface accept`: writes the `surface.json` of each package, unless its version hides a break.

use jadpo_analysis::surface::{Accept, FILE_NAME};
use serde::Serialize;

use super::{fail, open, print, tell_errors};
use crate::args::{Color, SurfaceAccept, SurfaceFormat};
use crate::commands::fmt::replace::put;
use crate::exit::Exit;

/// The version of the form for programs.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Accepted {
    version: u32,
    ok: bool,
    written: Vec<String>,
    kept: Vec<String>,
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Refused {
    file: String,
    reason: String,
}

/// Accepts the surfaces of all packages beneath a path.
pub fn run(accept: &SurfaceAccept, color: Color) -> Exit {
    let (workspace, surfaces) = match open(&accept.path, color) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let mut done =
        Accepted { version: VERSION, ok: true, written: Vec::new(), kept: Vec::new(), refused: Vec::new() };
    let mut broken = false;
    for package in &surfaces {
        let file = if package.dir.is_empty() {
            FILE_NAME.to_owned()
        } else {
            format!("{}/{FILE_NAME}", package.dir)
        };
        let reason = match workspace.accept(package) {
            Accept::Kept => {
                done.kept.push(file);
                continue;
            }
            Accept::Write(text) => match put(&workspace.root().join(&file), &text) {
                Ok(()) => {
                    done.written.push(file);
                    continue;
                }
                Err(error) => format!("it can't be written: {error}"),
            },
            Accept::Unversioned { from, to, least, breaks } => format!(
                "it would break apps that use `{}` {from}, and the version is {to}: give it version {least} or later\n  {}",
                package.name,
                breaks.join("\n  "),
            ),
            Accept::Unread(why) => {
                format!(
                    "what stands there can't be read: {why}\n  take it from a commit where it was whole, or remove it"
                )
            }
            Accept::Broken => {
                broken = true;
                format!("`{}` has errors", package.name)
            }
        };
        done.ok = false;
        done.refused.push(Refused { file, reason });
    }
    if broken {
        tell_errors(&workspace, color);
    }
    told(accept.format, &done)
}

fn told(format: SurfaceFormat, done: &Accepted) -> Exit {
    if format == SurfaceFormat::Json {
        let text = serde_json::to_string(done).expect("the answer holds only texts and lists");
        print(&format!("{text}\n"));
    } else {
        let lines = |word: &str, files: &[String]| {
            files.iter().map(|file| [word, "  ", file, "\n"].concat()).collect::<String>()
        };
        print(&format!("{}{}", lines("wrote", &done.written), lines("kept ", &done.kept)));
        for refused in &done.refused {
            fail(&format!("{}: {}", refused.file, refused.reason));
        }
    }
    if done.ok { Exit::Ok } else { Exit::Failed }
}

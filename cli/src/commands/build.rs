//! `jadpo build`: checks, then writes the crate that runs the app.

use std::io::Write;
use std::path::{Path, PathBuf};

use jadpo_analysis::model::{Project, Target};

use crate::args::{Build, Color};
use crate::commands::{check, coloured};
use crate::exit::Exit;
use crate::output::workers;

/// Builds, says what was written, and whether it worked.
pub fn run(build: &Build, color: Color) -> Exit {
    let workspace = check::open(&build.path);
    let inputs = jadpo_codegen::inputs(&workspace);
    let out = build.out.clone();
    let out = out.or_else(|| Some(default_out(build, workspace.app_name()?)));
    // What is asked for with `--verify` is whether it is as it would be generated, not whether it is as it was.
    if let Some(kept) = out.filter(|_| !build.verify).and_then(|out| jadpo_codegen::kept_crate(&inputs, &out))
    {
        return say(&kept.to_string());
    }
    let report = workspace.check();
    if !report.diagnostics.is_empty() {
        let mut stderr = std::io::stderr().lock();
        let text = check::people(&workspace, &report, coloured(color, &stderr));
        let _ = stderr.write_all(text.as_bytes());
    }
    if !report.is_ok() {
        return Exit::Failed;
    }
    let Some(project) = workspace.model() else {
        return fail(&format!(
            "`{}` is a package: only a project with an app.jadpo can be built",
            build.path.display()
        ));
    };
    if project.app.deployables.is_empty() {
        return fail(&format!(
            "app `{}` has nothing to build: it declares no deployable, such as `deployable server {{ target: native }}`",
            project.app.name
        ));
    }
    let skipped = names(&project, Target::Workers);
    if names(&project, Target::Native).is_empty() {
        return fail(&format!(
            "app `{}` has nothing to build: {} for Workers, and this version makes no Workers program; a deployable with `target: native` is built",
            project.app.name,
            prose(&skipped)
        ));
    }
    let out = build.out.clone().unwrap_or_else(|| default_out(build, &project.app.name));
    let manifests = jadpo_codegen::manifests(&workspace);
    if build.verify {
        return verify(&project, &manifests, &out);
    }
    let skipped =
        skipped.iter().map(|name| format!("skipped {name}: this version makes no Workers program\n"));
    let beside = skipped.collect::<String>() + &workers::calls(&report.on_workers);
    // A build that says more than what was written has to say it each time.
    let settles = report.diagnostics.is_empty() && beside.is_empty();
    match jadpo_codegen::write_crate(&project, &manifests, settles.then_some(inputs), &out) {
        Ok(written) => say(&(written.to_string() + &beside)),
        Err(error) => fail(&error.to_string()),
    }
}

/// Where the crate of an app goes when nothing else is said.
fn default_out(build: &Build, app: &str) -> PathBuf {
    build.path.join("build").join(app)
}

fn say(text: &str) -> Exit {
    // Whoever closes the pipe early has read enough.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Exit::Ok
}

/// The names of the deployables that are built for a target.
fn names(project: &Project, target: Target) -> Vec<&str> {
    let deployables = project.app.deployables.values();
    deployables.filter(|deployable| deployable.target == target).map(|deployable| &*deployable.name).collect()
}

/// As a sentence begins: "`edge` is", "`edge`, `far` are".
fn prose(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{} {}", quoted.join(", "), if names.len() == 1 { "is" } else { "are" })
}

/// Says whether the crate is as it would be written now; writes nothing.
fn verify(project: &Project, manifests: &str, out: &Path) -> Exit {
    match jadpo_codegen::verify_crate(project, manifests, out) {
        Ok(verified) => {
            let _ = std::io::stdout().lock().write_all(verified.to_string().as_bytes());
            if verified.is_ok() { Exit::Ok } else { Exit::Failed }
        }
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(message: &str) -> Exit {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    Exit::Failed
}

//! Packages for real APIs: each checks without errors, and reads the API's answers as it says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::OsSystem;
use jadpo_runtime::codec::{Form, interpret};
use jadpo_runtime::plan::Plan;
use jadpo_tests::workspace;

#[test]
fn every_package_checks_without_errors() {
    let projects = projects();
    assert!(projects.len() >= 6, "the cases are there");
    for project in projects {
        let report = Workspace::open(Arc::new(OsSystem), &project).check();
        let found: Vec<_> =
            report.diagnostics.iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
        assert_eq!(found, Vec::<String>::new(), "{}", project.display());
    }
}

#[test]
fn every_answer_is_read_as_its_line_says() {
    let mut answers = 0;
    for project in projects() {
        let plan = plan(&project);
        let expected = std::fs::read_to_string(project.join("payloads/expect.tsv")).unwrap();
        for line in expected.lines() {
            let [file, package, operation, outcome] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{}: `{line}` has four columns", project.display());
            };
            let text = std::fs::read_to_string(project.join("payloads").join(file)).unwrap();
            let found = outcome_of(&plan, package, operation, &text);
            assert_eq!(found, outcome, "{}: {file} as {package}.{operation}", project.display());
            answers += 1;
        }
    }
    assert!(answers >= 8, "{answers}");
}

/// `decodes`, or `refused` and the first place that doesn't fit. What decodes is also written and read back.
fn outcome_of(plan: &Plan, package: &str, operation: &str, text: &str) -> String {
    let operation = &plan.packages[package].operations[operation];
    let shape = operation.output.as_ref().expect("the operation has an output");
    match interpret::read(&plan.types, shape, text, &operation.at, Form::Wire) {
        Err(error) => format!("refused {}", error.problems[0].place),
        Ok(value) => {
            let kept = interpret::write(&plan.types, shape, &value, Form::Canonical);
            let back = interpret::read(&plan.types, shape, &kept, "", Form::Canonical);
            assert_eq!(back.as_ref(), Ok(&value), "{kept}");
            "decodes".to_owned()
        }
    }
}

/// The plan that a build would embed.
fn plan(project: &Path) -> Plan {
    let model = Workspace::open(Arc::new(OsSystem), project).model().expect("the project has no errors");
    let output = jadpo_codegen::generate(&model);
    serde_json::from_str(&output.files["plan.json"]).unwrap()
}

fn projects() -> Vec<PathBuf> {
    let folder = workspace::root().join("tests/cases/apis");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut projects: Vec<_> = entries.filter(|path| path.join("app.jadpo").is_file()).collect();
    projects.sort();
    projects
}

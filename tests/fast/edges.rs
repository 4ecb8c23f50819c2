//! Who may import whom, held against what cargo resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// The jadpo crates that each crate may import.
const EDGES: &[(&str, &[&str])] = &[
    ("jadpo-syntax", &[]),
    ("jadpo-analysis", &["jadpo-syntax"]),
    ("jadpo-codegen", &["jadpo-analysis", "jadpo-runtime"]),
    ("jadpo-runtime", &[]),
    ("jadpo-lsp", &["jadpo-analysis", "jadpo-syntax"]),
    ("jadpo", &["jadpo-analysis", "jadpo-codegen", "jadpo-lsp", "jadpo-runtime", "jadpo-syntax"]),
    ("jadpo-test-app", &["jadpo-codegen", "jadpo-runtime"]),
    ("jadpo-test-desk", &["jadpo-codegen", "jadpo-runtime"]),
    ("jadpo-killed-app", &["jadpo-codegen", "jadpo-runtime"]),
    (
        "jadpo-properties",
        &["jadpo-analysis", "jadpo-codegen", "jadpo-runtime", "jadpo-syntax", "jadpo-tests"],
    ),
    (
        "jadpo-tests",
        &[
            "jadpo-analysis",
            "jadpo-codegen",
            "jadpo-properties",
            "jadpo-runtime",
            "jadpo-syntax",
            "jadpo-test-app",
        ],
    ),
    ("rates", &["jadpo-codegen", "jadpo-runtime"]),
    ("desk", &["jadpo-codegen", "jadpo-runtime"]),
    ("archive", &["jadpo-codegen", "jadpo-runtime"]),
    ("market", &["jadpo-codegen", "jadpo-runtime"]),
];

/// Outside crates that only one jadpo crate may import.
const OWNED: &[(&str, &str)] = &[
    ("logos", "jadpo-syntax"),
    ("chumsky", "jadpo-syntax"),
    ("salsa", "jadpo-analysis"),
    ("strsim", "jadpo-analysis"),
    ("ariadne", "jadpo-analysis"),
    ("tower-lsp", "jadpo-lsp"),
    ("clap", "jadpo"),
    ("quote", "jadpo-codegen"),
    ("prettyplease", "jadpo-codegen"),
    ("rusqlite", "jadpo-runtime"),
    ("reqwest", "jadpo-runtime"),
    ("hyper", "jadpo-runtime"),
];

/// The most crates that the runtime's core may bring with it.
const CORE_CRATES_MAX: usize = 75;

#[test]
fn every_crate_imports_only_what_its_row_allows() {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let mut wrong = Vec::new();
    for (package, dependencies) in direct_dependencies() {
        let row = allowed.get(package.as_str()).unwrap_or_else(|| panic!("{package} has no row in EDGES"));
        for dependency in dependencies.iter().filter(|name| allowed.contains_key(name.as_str())) {
            if !row.contains(&dependency.as_str()) {
                wrong.push(format!("{package} imports {dependency}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn an_outside_crate_with_an_owner_is_imported_by_nobody_else() {
    let mut wrong = Vec::new();
    for (package, dependencies) in direct_dependencies() {
        for (outside, owner) in OWNED {
            // Tests use a store of their own to look at what an app kept.
            let reads_stores = *outside == "rusqlite" && package == "jadpo-tests";
            if dependencies.contains(*outside) && package != *owner && !reads_stores {
                wrong.push(format!("{package} imports {outside}, which is {owner}'s"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_runtime_core_stays_small() {
    let output =
        cargo(&["tree", "-e", "normal", "-p", "jadpo-runtime", "--no-default-features", "--prefix", "none"]);
    let crates: BTreeSet<&str> = output.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.len() <= CORE_CRATES_MAX, "{} crates: {crates:?}", crates.len());
    assert!(!crates.contains("tokio"), "the core names an executor");
}

/// The direct normal and build dependencies of each workspace package, and the dev ones of the tests.
fn direct_dependencies() -> Vec<(String, BTreeSet<String>)> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--no-deps"])).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().unwrap().to_owned();
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let named = dependencies
                .filter(|dependency| dependency["kind"] != "dev" || name == "jadpo-tests")
                .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
                .collect();
            (name, named)
        })
        .collect()
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(jadpo_tests::workspace::root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

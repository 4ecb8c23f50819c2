//! Texts of the manifest in generated code: none becomes code or a sample to run, none shifts, all come back.

use std::fs;
use std::process::Command;

use jadpo_analysis::model::*;

use super::awkward::awkward;
use super::projects::*;
use crate::generate;

/// Each a documentation that some tool read as something else.
const DOCS: &[&str] = &[
    "glob **/* \"}] #![x] \\",
    "a\rb",
    "\u{202e}txet",
    "{} {0} {name}",
    "For example:\n\n    let sample = compile_error!(\"run\");\n",
    "```\ncompile_error!(\"run\");\n```",
    "~~~rust\ncompile_error!(\"run\");\n~~~",
    "-     compile_error!(\"run\");",
    ">     compile_error!(\"run\");",
    "\tcompile_error!(\"run\");",
    "1. one\n\n       compile_error!(\"run\");",
    "//! inner",
    "/ slash",
    "/** open",
    "ends in a space ",
    "[link] <html> `code`",
];

fn documented_project() -> Project {
    let mut package = package("noted", DOCS[0]);
    package.types = types(DOCS.iter().enumerate().map(|(index, doc)| {
        public(documented(
            doc,
            object(&format!("Type{index}"), vec![Field { doc: (*doc).into(), ..field("a", TEXT) }]),
        ))
    }));
    package.operations =
        operations([Operation { public: true, doc: DOCS.join("\n"), ..get("call", "/a/\"b\"/{id}") }]);
    let mut app = app("noted");
    app.doc = DOCS[4].into();
    app.connections = by_name([Connection { doc: DOCS[5].into(), ..connection("feed", "noted") }]);
    project(app, [package])
}

#[test]
fn documentation_comes_back_equal() {
    let text = &generate(&documented_project()).files["app.rs"];
    let file = syn::parse_file(text).unwrap();
    let modules = |items: &[syn::Item], name: &str| -> Vec<syn::Item> {
        items
            .iter()
            .find_map(|item| match item {
                syn::Item::Mod(module) if module.ident == name => Some(module.content.clone()?.1),
                _ => None,
            })
            .unwrap()
    };
    let package = modules(&modules(&file.items, "app"), "noted");
    for (index, doc) in DOCS.iter().enumerate() {
        let found = package.iter().find_map(|item| match item {
            syn::Item::Struct(item) if item.ident == format!("Type{index}") => Some(&item.attrs),
            _ => None,
        });
        let lines: Vec<_> = found.unwrap().iter().filter_map(doc_line).collect();
        let lines: Vec<_> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        assert_eq!(lines.join("\n"), **doc, "{text}");
    }
}

/// The text of `#[doc = "…"]`, plain or hidden from test runs.
fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    let tokens = quote::ToTokens::to_token_stream(attribute).to_string();
    if !tokens.contains("doc = ") {
        return None;
    }
    let literal = tokens.split_once("doc = ")?.1.trim_end_matches([']', ')', ' ']);
    Some(syn::parse_str::<syn::LitStr>(literal).unwrap().value())
}

#[test]
fn a_store_that_may_be_d1_opens_no_transaction() {
    let mut project = trading();
    assert!(generate(&project).files["app.rs"].contains("fn transaction"));
    let engines = &mut project.app.stores.get_mut("main").unwrap().engines;
    engines.insert(Target::Workers, Engine::D1("DB".into()));
    assert!(!generate(&project).files["app.rs"].contains("fn transaction"));
}

#[test]
fn no_documentation_is_a_test() {
    let place = tempfile::tempdir().unwrap();
    // Without the code, whose crates a test run would have to be told, the documentation is what is left.
    let text = &generate(&documented_project()).files["app.rs"];
    let documented: Vec<_> = docs_of(text)
        .into_iter()
        .enumerate()
        .map(|(index, docs)| format!("{docs}pub struct S{index};\n"))
        .collect();
    let path = place.path().join("docs.rs");
    fs::write(&path, documented.concat()).unwrap();
    let output = Command::new("rustdoc").arg("--test").arg("--edition=2024").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("running 0 tests"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

/// Each run of lines that documents something.
fn docs_of(text: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    for line in text.lines().map(str::trim_start) {
        let last = runs.last_mut().unwrap();
        if line.starts_with("///") || line.starts_with("#[cfg_attr(not(doctest), doc = ") {
            last.push_str(line);
            last.push('\n');
        } else if !last.is_empty() {
            runs.push(String::new());
        }
    }
    runs.retain(|run| !run.is_empty());
    assert!(runs.len() > DOCS.len(), "{text}");
    runs
}

#[test]
fn the_same_project_gives_the_same_bytes() {
    for project in [trading(), awkward(), documented_project()] {
        let first = generate(&project);
        for _ in 0..5 {
            assert_eq!(generate(&project), first);
        }
        for text in first.files.values() {
            assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "an absolute path");
        }
    }
}

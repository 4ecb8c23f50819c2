//! What mutations begin with: every manifest of the checkout, the catalogue's examples, their plans and surfaces, and
//! odd ends of texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::catalogue;
use jadpo_analysis::keys;
use jadpo_analysis::surface::PackageSurface;
use jadpo_analysis::system::System;
use jadpo_syntax::tree::Keyword;
use jadpo_tests::{fixture, workspace};

use crate::Target;
use crate::files::{files, system};
use crate::surface::SEPARATOR;

/// Short texts on which readers of text have failed.
const ODD: [&str; 26] = [
    "",
    "\u{feff}",
    "\u{feff}provider a {\r\n    base_url: \"https://x.example\"\r\n}\r\n",
    "\u{feff}\u{feff}type A = Text",
    "type A = Text { pattern: \"",
    "type A = Text { pattern: \"a\\",
    "type A = Text { pattern: \"\\u{",
    "type A = Text { pattern: \"\\u{110000}\\u{d800}\" }",
    "/",
    "//",
    "///",
    "/// a\n",
    "/* a",
    "type A = Text\0",
    "type \u{200b}A = Text\u{2028}type B = Te\u{301}xt",
    "operation tip { method: GET  path: \"/🪙/é/👨‍👩‍👧/tip\"\toutput: Decimaal }",
    "type A = List<List<List<A>>>?\rtype B = A?",
    "type A = A\ntype B = C\ntype C = List<B>\ntype D = Object { d: D }\ntype E = E?",
    "{ { { ] ) > } }",
    "public public type A = = Object { a : : b b: optional optional as as at \"\" }",
    "type A = Int { min: -170141183460469231731687303715884105728  max: 1e999  min: 99999999999999999999d }",
    "store s { keep: 9223372036854775807d  engine: sqlite(sqlite(sqlite(\"\"))) }",
    "app a { packages: [\"\", \"/\", \"..\", \"a/../a\", \"\\u{0}\", \"packages/*\"] }",
    "provider p { base_url: \"https://[::1]:99999/{settings.{settings.a}}?#\" }",
    "operation o { method: GET  path: \"/{input.a}{{input.b}}{}{settings.}\"  query: { \"\": \"\" } }",
    "type A = Enum { a as 1  b as \"1\"  c as other  c as other  d as 9223372036854775808 }",
];

/// The seeds of a target, sorted, without doubles.
///
/// # Panics
/// When the checkout can't be read.
pub fn seeds(target: Target) -> Vec<Vec<u8>> {
    let projects = projects();
    let mut seeds: Vec<Vec<u8>> = match target {
        Target::Lexer | Target::Parser | Target::Fmt => manifests(&projects),
        Target::Check => projects.into_iter().map(String::into_bytes).chain(odd()).collect(),
        Target::Surface => surfaces(&projects),
        Target::Plan => plans(&projects),
    };
    seeds.sort();
    seeds.dedup();
    seeds
}

/// The words of the language, for a fuzzer's dictionary.
pub fn words() -> Vec<String> {
    let keywords = Keyword::ALL.into_iter().map(Keyword::text);
    let tables = Keyword::ALL.into_iter().filter_map(keys::table);
    let keys = tables.flat_map(|table| table.rows).map(|row| row.key);
    let others = [
        "public ",
        "optional",
        " as ",
        " at ",
        "other",
        "Object {",
        "Event {",
        "Enum {",
        "List<",
        "Map<",
        "Text",
        "Int",
        "Decimal",
        "Bool",
        "Instant",
        "Date",
        "Secret",
        "Bytes",
        "Json",
        "settings.",
        "input.",
        "env(\"",
        "sqlite(\"",
        "{input.",
        "{settings.",
        "//- /",
        "\n//= \n",
        "\u{feff}",
        "\u{200b}",
        "\u{202e}",
        "\r\n",
        "/// ",
        "// ",
        "\\u{",
        "MiB",
        "ms",
        "5m",
        "wire_name: ",
        "link:",
        "surface.json",
        "provider.jadpo",
        "app.jadpo",
        "packages/",
    ];
    let mut words: Vec<String> = keywords.chain(keys).chain(others).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

fn odd() -> impl Iterator<Item = Vec<u8>> {
    let bytes: [&[u8]; 3] = [b"\xff\xfe", b"type A = \xc3\x28Text", b"//- /app.jadpo\napp a {\xf0\x9f }"];
    ODD.into_iter().map(|text| text.as_bytes().to_vec()).chain(bytes.map(<[u8]>::to_vec))
}

/// Every project of the checkout as a fixture.
fn projects() -> Vec<String> {
    let mut roots: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for file in ["examples", "tests"].iter().flat_map(|folder| workspace::files(folder, "jadpo")) {
        let folder = file.parent().unwrap();
        // The app whose package it is, or else its own folder.
        let app = folder.ancestors().skip(1).take(3).find(|above| above.join("app.jadpo").exists());
        roots.entry(app.unwrap_or(folder).to_owned()).or_default().push(file);
    }
    let folders = roots.iter().map(|(root, files)| {
        let written = files.iter().map(|file| {
            let path = file.strip_prefix(root).unwrap().display().to_string();
            format!("//- /{path}\n{}", fs::read_to_string(file).unwrap())
        });
        written.collect()
    });
    let pages = catalogue::pages().iter().flat_map(|page| [page.wrong, page.right]);
    folders.chain(pages.map(str::to_owned)).collect()
}

fn manifests(projects: &[String]) -> Vec<Vec<u8>> {
    let files = projects.iter().flat_map(|project| fixture::files(project));
    files.map(|file| file.text.into_bytes()).chain(odd()).collect()
}

/// The packages of the projects, each with itself and with the next one, and the surfaces that they have.
fn surfaces(projects: &[String]) -> Vec<Vec<u8>> {
    let packages: Vec<(&String, Workspace)> = projects
        .iter()
        .map(|project| (project, open(project)))
        .filter(|(_, it)| !it.surfaces().is_empty())
        .collect();
    let mut seeds = Vec::new();
    for (at, (project, workspace)) in packages.iter().enumerate() {
        let next = packages[(at + 1) % packages.len()].0;
        seeds.push(project.as_bytes().to_vec());
        seeds.push([project.as_bytes(), SEPARATOR, next.as_bytes()].concat());
        for text in workspace.surfaces().iter().filter_map(PackageSurface::text) {
            seeds.push(text.clone().into_bytes());
            seeds.push([text.as_bytes(), SEPARATOR, project.as_bytes()].concat());
        }
    }
    seeds
}

/// The plans of the projects that are right.
fn plans(projects: &[String]) -> Vec<Vec<u8>> {
    let models = projects.iter().filter_map(|project| open(project).model());
    let plans = models.filter_map(|model| jadpo_codegen::generate(&model).files.remove("plan.json"));
    let odd = ["", "{}", "[]", "null", "{\"version\":1}", "{\"version\":2}", "{\"version\":1,\"version\":1}"];
    plans.chain(odd.map(str::to_owned)).map(String::into_bytes).collect()
}

fn open(project: &str) -> Workspace {
    let system: Arc<dyn System> = Arc::new(system(&files(project.as_bytes())));
    Workspace::open(system, Path::new("/"))
}

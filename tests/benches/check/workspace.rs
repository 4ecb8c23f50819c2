//! Workspaces of any size, the same work in three languages: in files of 200 lines, records of eight fields, an enum of
//! six values and four operations over them, each documented. A file uses a type of the one before it, in chains of ten.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Lines of each file.
const FILE_LINES: usize = 200;

/// Files of one package, each of which uses the one before it.
const CHAIN: usize = 10;

/// The fields of a record: name, and type in manifests, Python and Protocol Buffers. The last is another record.
const FIELDS: [(&str, &str, &str, &str); 7] = [
    ("code", "Text", "str", "string"),
    ("pieces", "Int", "int", "int64"),
    ("fragile", "Bool?", "bool | None", "optional bool"),
    ("weight", "Decimal", "float", "double"),
    ("floor", "Int?", "int | None", "optional int32"),
    ("label", "Bytes", "bytes", "bytes"),
    ("marks", "List<Text>", "list[str]", "repeated string"),
];

const STATES: [&str; 6] = ["ordered", "packed", "sent", "landed", "delivered", "returned"];

/// In which language.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Manifests: an app with a connection, a poll and a subscriber for each package.
    Jadpo,
    /// Data classes, for a type checker.
    Python,
    /// Messages and services, for a linter.
    Proto,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Made {
    pub files: usize,
    pub lines: usize,
    pub bytes: usize,
    /// Of manifests only.
    pub declarations: usize,
}

/// Writes a workspace of about `lines` lines.
pub fn write(kind: Kind, folder: &Path, lines: usize) -> Made {
    let mut made = Made::default();
    let files = (lines / FILE_LINES).max(1);
    for file in 0..files {
        let (path, head, unit): (String, String, fn(usize, usize) -> String) = match kind {
            Kind::Jadpo => (manifest_path(file), manifest_head(file), manifest_unit),
            Kind::Python => (format!("parcels/part{file}.py"), python_head(file), python_unit),
            Kind::Proto => (format!("parcels/part{file}/v1/part.proto"), proto_head(file), proto_unit),
        };
        let text = filled(kind, file, head, unit);
        made.add(folder, &path, &text);
    }
    match kind {
        Kind::Jadpo => made.add(folder, "app.jadpo", &app(files.div_ceil(CHAIN))),
        Kind::Python => made.add(folder, "parcels/__init__.py", ""),
        Kind::Proto => {
            let rules = "version: v2\nlint:\n  use: [STANDARD]\n  except: [RPC_REQUEST_STANDARD_NAME, RPC_RESPONSE_STANDARD_NAME, \
                         RPC_REQUEST_RESPONSE_UNIQUE, ENUM_VALUE_PREFIX, \
                         ENUM_ZERO_VALUE_SUFFIX]\n";
            write_file(folder, "buf.yaml", rules);
        }
    }
    made
}

impl Made {
    fn add(&mut self, folder: &Path, path: &str, text: &str) {
        self.files += 1;
        self.lines += text.lines().count();
        self.bytes += text.len();
        let starts = [
            "provider ",
            "operation ",
            "public ",
            "type ",
            "app ",
            "store ",
            "connection ",
            "subscriber ",
            "deployable ",
        ];
        self.declarations +=
            text.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).count();
        write_file(folder, path, text);
    }
}

fn write_file(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    let parent = path.parent().expect("a file stands in a folder");
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(&path, text))
        .expect("temporary folders can be written");
}

/// As many units as fit into a file, and comments for the rest.
fn filled(kind: Kind, file: usize, head: String, unit: fn(usize, usize) -> String) -> String {
    let mut text = head;
    for number in 0.. {
        let next = unit(file, number);
        let lines = text.lines().count();
        if number > 0 && lines + next.lines().count() > FILE_LINES {
            let mark = if matches!(kind, Kind::Python) { "#" } else { "//" };
            (lines..FILE_LINES).for_each(|line| {
                writeln!(text, "{mark} line {line} of part {file}").expect("a string can be written")
            });
            return text;
        }
        text += &next;
    }
    text
}

/// The file that a file uses a type of, if it does.
fn before(file: usize) -> Option<usize> {
    (!file.is_multiple_of(CHAIN)).then(|| file - 1)
}

fn manifest_path(file: usize) -> String {
    let name =
        if file.is_multiple_of(CHAIN) { "provider".to_owned() } else { format!("part{}", file % CHAIN) };
    format!("packages/parcels_{}/{name}.jadpo", file / CHAIN)
}

fn manifest_head(file: usize) -> String {
    if !file.is_multiple_of(CHAIN) {
        return String::new();
    }
    let package = file / CHAIN;
    format!(
        "/// Parcels of depot {package}.\nprovider parcels_{package} {{\n    version: \"1.0.0\"\n    base_url: \"https://depot-{package}.example\"\n    \
         settings: {{\n        api_key: Secret\n    }}\n    auth: bearer(settings.api_key)\n    max_concurrent: 8\n    polls: {{\n        gate: {{\n            \
         call: read_gate_{package}\n            every: 5m\n            emits: Gate{package}Moved\n        }}\n    }}\n}}\n\n\
         /// Whether trucks may come.\noperation read_gate_{package} {{\n    method: GET\n    path: \"/gate\"\n    output: Gate{package}\n}}\n\n\
         type Gate{package} = Object {{\n    open: Bool\n    queue: Int?\n    seen_at: Instant\n}}\n\n\
         /// The gate opened or closed, or its queue has another length.\npublic type Gate{package}Moved = Event {{\n    open: Bool\n    queue: Int?\n}}\n\n"
    )
}

fn manifest_unit(file: usize, number: usize) -> String {
    let unit = format!("{file}x{number}");
    let mut text = String::new();
    let earlier = before(file).map_or_else(|| format!("State{unit}"), |file| format!("Parcel{file}x0"));
    for (name, last) in [("Parcel", earlier), ("Receipt", format!("Parcel{unit}"))] {
        text += &format!("/// {name} {number} of part {file}.\npublic type {name}{unit} = Object {{\n");
        FIELDS.iter().for_each(|(field, ty, ..)| text += &format!("    {field}: {ty}\n"));
        text += &format!("    origin: {last}\n}}\n\n");
    }
    text += &format!("/// How far parcel {number} of part {file} is.\npublic type State{unit} = Enum {{\n");
    STATES.iter().for_each(|state| text += &format!("    {state}\n"));
    text += "}\n\n";
    for (name, method) in [("read", "GET"), ("list", "GET"), ("replace", "PUT"), ("remove", "DELETE")] {
        let input = if method == "PUT" { format!("    input: Parcel{unit}\n") } else { String::new() };
        text += &format!(
            "public operation {name}_parcel_{unit} {{\n    method: {method}\n    path: \"/parcels/{unit}/{name}\"\n{input}    output: Receipt{unit}\n}}\n\n"
        );
    }
    text
}

fn app(packages: usize) -> String {
    let mut text = "app depots { }\n\nstore main { engine: sqlite(\"depots.db\") }\n\ndeployable server { target: native }\n".to_owned();
    for package in 0..packages {
        text += &format!(
            "\nconnection depot_{package} {{\n    package: parcels_{package}\n    settings: {{ api_key: env(\"DEPOT_{package}\") }}\n    \
             max_concurrent: 4\n    polls: {{ gate: 10m }}\n}}\n\nsubscriber hear_{package} {{\n    on: parcels_{package}.Gate{package}Moved\n}}\n"
        );
    }
    text
}

fn python_head(file: usize) -> String {
    let import = before(file)
        .map_or(String::new(), |file| format!("\nfrom parcels.part{file} import Parcel{file}x0\n"));
    format!(
        "from __future__ import annotations\n\nfrom dataclasses import dataclass\nfrom enum import Enum\n{import}\n"
    )
}

fn python_unit(file: usize, number: usize) -> String {
    let unit = format!("{file}x{number}");
    let mut text = String::new();
    let earlier = before(file).map_or_else(|| format!("State{unit}"), |file| format!("Parcel{file}x0"));
    for (name, last) in [("Parcel", earlier), ("Receipt", format!("Parcel{unit}"))] {
        text +=
            &format!("@dataclass\nclass {name}{unit}:\n    \"\"\"{name} {number} of part {file}.\"\"\"\n");
        FIELDS.iter().for_each(|(field, _, ty, _)| text += &format!("    {field}: {ty}\n"));
        text += &format!("    origin: {last}\n\n");
    }
    text +=
        &format!("class State{unit}(Enum):\n    \"\"\"How far parcel {number} of part {file} is.\"\"\"\n");
    STATES
        .iter()
        .enumerate()
        .for_each(|(value, state)| text += &format!("    {} = {value}\n", state.to_uppercase()));
    text += &format!("\nclass Parcels{unit}:\n    \"\"\"Operations of part {file}.\"\"\"\n");
    for (pieces, name) in ["read", "list", "replace", "remove"].iter().enumerate() {
        text += &format!(
            "    def {name}(self, it: Parcel{unit}) -> Receipt{unit}:\n        \
             return Receipt{unit}(it.code, it.pieces + {pieces}, it.fragile, it.weight, it.floor, it.label, it.marks, it)\n"
        );
    }
    text + "\n"
}

fn proto_head(file: usize) -> String {
    let import = before(file)
        .map_or(String::new(), |file| format!("import \"parcels/part{file}/v1/part.proto\";\n\n"));
    format!("syntax = \"proto3\";\n\npackage parcels.part{file}.v1;\n\n{import}")
}

fn proto_unit(file: usize, number: usize) -> String {
    let unit = format!("{file}x{number}");
    let mut text = String::new();
    let earlier = before(file)
        .map_or_else(|| format!("State{unit}"), |file| format!("parcels.part{file}.v1.Parcel{file}x0"));
    for (name, last) in [("Parcel", earlier), ("Receipt", format!("Parcel{unit}"))] {
        text += &format!("// {name} {number} of part {file}.\nmessage {name}{unit} {{\n");
        FIELDS
            .iter()
            .enumerate()
            .for_each(|(at, (field, .., ty))| text += &format!("  {ty} {field} = {};\n", at + 1));
        text += &format!("  {last} origin = 8;\n}}\n\n");
    }
    text += &format!("// How far parcel {number} of part {file} is.\nenum State{unit} {{\n");
    for (value, state) in STATES.iter().enumerate() {
        text += &format!("  PART{file}_PARCEL{number}_{} = {value};\n", state.to_uppercase());
    }
    text += &format!("}}\n\n// Operations of part {file}.\nservice Parcels{unit}Service {{\n");
    for name in ["Read", "List", "Replace", "Remove"] {
        text += &format!("  rpc {name}Parcel{unit}(Parcel{unit}) returns (Receipt{unit});\n");
    }
    text + "}\n\n"
}

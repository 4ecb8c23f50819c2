//! Names that Rust won't have, types that contain themselves, and every form of every type: Rust takes all of it,
//! without a warning, in both editions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jadpo_analysis::model::*;

use super::projects::*;
use crate::generate;

/// Fields that have names of Rust's.
const NAMES: &[&str] = &["self", "crate", "super", "type", "gen", "async", "_", "Self"];

/// Fields that have names of the codec's.
const CODEC_NAMES: &[&str] =
    &["at", "by", "fields", "index", "object", "optional", "reader", "value", "writer", "wire", "with"];

/// Types that the generated code or Rust's prelude has names for.
const TYPES: &[&str] = &[
    "Option", "String", "Vec", "Box", "Self", "Send", "Sync", "Future", "Client", "Decode", "Handlers",
    "Wire", "Field", "Some", "Ok", "Err", "Default", "Debug", "Clone", "From", "Into", "By", "Checked",
    "Each", "MapKey", "Optional", "OrNull", "Plain", "Plains", "Reader", "ToSql", "Values", "Variants",
];

/// The root of an app that forbids itself what it can, and has macros of its own by the names of the codec's.
const LIB: &str = r#"
#![deny(warnings, clippy::all, single_use_lifetimes, unused_lifetimes, unused_qualifications)]
#![deny(future_incompatible, rust_2018_idioms, trivial_casts, trivial_numeric_casts, let_underscore_drop)]
#![allow(unused_macros)]

macro_rules! text { () => { compile_error!("the app's own") } }
macro_rules! object { () => { compile_error!("the app's own") } }
macro_rules! variants { () => { compile_error!("the app's own") } }
macro_rules! newtype { () => { compile_error!("the app's own") } }

include!("app.rs");
mod handlers;
mod own;
pub use handlers::run;
"#;

/// Methods and constants that an app adds to generated types, by the names of the codec's.
const OWN: &str = include_str!("awkward_own.rs");

/// The code of an app's own over the generated names.
const HANDLERS: &str = include_str!("awkward_handlers.rs");

pub fn awkward() -> Project {
    let mut package = package("core", "glob **/* \"}] #![x] \\");
    let beside = |name: &str| [field(name, TEXT), field(&format!("{name}_x"), nullable(TEXT))];
    let fields = || NAMES.iter().flat_map(|name| beside(name)).collect();
    let mut declared: Vec<TypeDef> = TYPES.iter().map(|name| public(object(name, fields()))).collect();
    declared.push(public(texts(
        "Result",
        &[("ok", Some("C:\\new")), ("err", Some("err")), ("some", Some("\u{202e}")), ("none", Some("\r\n"))],
    )));
    declared.push(public(texts(
        "Open",
        &[("self", Some("self")), ("self_", Some("self_")), ("_", Some("_")), ("other", None)],
    )));
    declared.push(public(ints("Level", &[("low", Some(-1)), ("high", Some(i64::MAX)), ("type", None)])));
    declared.push(public(ints("Closed", &[("low", Some(0))])));
    declared
        .push(public(texts("Sent", &[("sent", Some("sent")), ("known", Some("known")), ("other", None)])));
    declared.push(public(ints("SentInt", &[("sent", Some(1)), ("known", None)])));
    declared.push(public(object("Few", CODEC_NAMES.iter().map(|name| field(name, TEXT)).collect())));
    declared.push(public(object("Many", CODEC_NAMES.iter().flat_map(|name| beside(name)).collect())));
    declared.push(public(object(
        "SomeGiven",
        CODEC_NAMES.iter().map(|name| Field { optional: true, ..field(name, TEXT) }).collect(),
    )));
    declared.extend(recursive());
    declared.extend(constrained());
    declared.push(public(event("Happened", vec![field("node", named("core", "Node")), field("type", TEXT)])));
    declared.push(public(event("Changed", fields())));
    declared.push(public(object("Empty", Vec::new())));
    package.types = types(declared);
    package.operations = operations(
        ["new", "drop", "main", "type", "self", "clone", "call", "decode"]
            .map(|name| Operation {
                public: true,
                doc: "    let sample = 1;\r\u{202e}".into(),
                input: Some(reference("core", "Option")),
                output: Some(named("core", "Result")),
                ..get(name, "/a/\"b\"/{id}")
            })
            .into_iter()
            .chain([
                Operation {
                    public: true,
                    output: Some(named("core", "Result")),
                    decode: Some("type".into()),
                    ..get("raw", "/raw")
                },
                Operation { public: true, ..get("ping", "/ping") },
            ]),
    );
    let quiet = Package {
        name: "type".into(),
        types: types([public(event("Changed", vec![field("a", INT)]))]),
        operations: operations([Operation {
            public: true,
            output: Some(INT),
            decode: Some("read".into()),
            ..get("only", "/only")
        }]),
        ..super::projects::package("type", "")
    };
    let mut app = app("awkward");
    app.types = types([
        event("Option", fields()),
        event("Handlers", vec![field("a", Type::Json)]),
        object("Result", vec![field("a", named("core", "Result"))]),
    ]);
    app.connections = by_name(["store", "self", "start_loop"].map(|name| connection(name, "core")));
    app.connections.insert("quiet".into(), connection("quiet", "type"));
    let heard =
        || vec![reference("core", "Happened"), reference("core", "Changed"), reference("type", "Changed")];
    app.subscribers = by_name([
        Subscriber {
            from: vec!["store".into(), "quiet".into()],
            uses_origin: true,
            emits: vec![own("Option"), own("Handlers")],
            ..subscriber("type", heard(), "store")
        },
        Subscriber {
            from: vec!["store".into()],
            uses_origin: true,
            uses: vec!["self".into(), "quiet".into()],
            ..subscriber("self", vec![reference("core", "Happened"), own("Option")], "store")
        },
        Subscriber {
            from: Vec::new(),
            uses: Vec::new(),
            emits: vec![own("Handlers")],
            ..subscriber("_", vec![own("Handlers")], "store")
        },
        Subscriber {
            uses: Vec::new(),
            uses_origin: true,
            ..subscriber("drop", vec![reference("core", "Changed")], "self")
        },
    ]);
    app.actions = by_name(actions());
    app.batches = by_name([batch("loop", Some(own("Result"))), batch("start_", None)]);
    app.backfills = by_name([
        backfill("where", reference("core", "Everything"), "by_open"),
        backfill("else", reference("core", "Node"), "parent"),
    ]);
    project(app, [package, quiet])
}

/// With and without an input and an output, starting and emitting nothing, one and several.
fn actions() -> [Action; 4] {
    [
        Action { doc: "```\nlet a = 1;".into(), ..action("match") },
        Action {
            input: Some(reference("core", "Empty")),
            output: Some(nullable(list(named("core", "Self")))),
            emits: vec![own("Handlers")],
            starts: ["start_".to_owned()].into(),
            ..action("super")
        },
        Action {
            input: Some(own("Result")),
            output: Some(named("core", "Result")),
            emits: vec![own("Option"), own("Handlers")],
            uses: vec!["store".into(), "quiet".into(), "start_loop".into()],
            starts: ["loop", "where", "else"].map(str::to_owned).into(),
            ..action("crate")
        },
        Action { public: true, output: Some(DECIMAL), ..action("handler") },
    ]
}

/// `Node` holds itself, two types hold one another, a tree has trees, and aliases reach themselves.
fn recursive() -> Vec<TypeDef> {
    let boxed = |field: Field| Field { boxed: true, ..field };
    let optional = |field: Field| Field { optional: true, ..field };
    let core = |name: &str| named("core", name);
    vec![
        public(object("Node", vec![field("label", TEXT), boxed(field("parent", nullable(core("Node"))))])),
        public(object("A", vec![boxed(optional(field("b", core("B"))))])),
        public(object("B", vec![boxed(optional(field("a", nullable(core("A")))))])),
        public(object("Tree", vec![field("kids", list(core("Tree")))])),
        public(alias("Forest", list(core("Forest")), true)),
        public(alias("Nested", Type::Map(Box::new(TEXT), Box::new(nullable(core("Nested")))), true)),
        public(alias("Chain", nullable(core("Chain")), true)),
        public(alias("Trees", list(core("Tree")), false)),
    ]
}

/// Every constraint and every wire form, at a use and as a newtype, alone, nullable, in a list and in a map.
fn constrained() -> Vec<TypeDef> {
    let bounds = || RangeRule { min: Some("-5".into()), max: Some("5".into()) };
    let text = || {
        Type::Text(TextRule { min_length: Some(1), max_length: None, pattern: Some("[a-z\\d]+\"".into()) })
    };
    let forms = || {
        vec![
            ("text", text()),
            ("int", Type::Int(bounds())),
            ("decimal", Type::Decimal(bounds())),
            ("unix_s", Type::Instant(InstantWire::UnixS)),
            ("unix_ms", Type::Instant(InstantWire::UnixMs)),
            ("rfc2822", Type::Instant(InstantWire::Rfc2822)),
            ("hex", Type::Bytes(BytesWire::Hex)),
            ("base64url", Type::Bytes(BytesWire::Base64Url)),
            ("list", Type::List(Box::new(text()), ItemsRule { min_items: Some(1), max_items: Some(9) })),
            ("plain_text", TEXT),
            ("plain_int", INT),
            ("plain_decimal", DECIMAL),
            ("bool", Type::Bool),
            ("instant", INSTANT),
            ("datetime", Type::DateTime),
            ("date", Type::Date),
            ("duration", Type::Duration),
            ("uuid", Type::Uuid),
            ("url", Type::Url),
            ("email", Type::Email),
            ("bytes", Type::Bytes(BytesWire::Base64)),
            ("json", Type::Json),
            ("record", named("core", "Tree")),
        ]
    };
    let map = |ty: Type| Type::Map(Box::new(TEXT), Box::new(ty));
    let mut fields = Vec::new();
    let mut declared = Vec::new();
    for (name, ty) in forms() {
        fields.push(Field { at: Some("/deep/~1er".into()), ..field(name, ty.clone()) });
        fields.push(Field { optional: true, ..field(&format!("{name}_optional"), nullable(ty.clone())) });
        fields.push(field(&format!("{name}_list"), list(nullable(ty.clone()))));
        fields.push(field(&format!("{name}_map"), map(list(ty.clone()))));
        let camel = crate::names::camel(name);
        declared.push(public(newtype(&format!("{camel}Type"), ty.clone())));
        declared.push(public(newtype(&format!("{camel}Nullable"), nullable(ty.clone()))));
        declared.push(public(newtype(&format!("{camel}Map"), map(ty))));
    }
    let core = |name: &str| named("core", name);
    declared.push(public(alias("Word", core("PlainTextType"), false)));
    declared.push(public(newtype("Named", core("TextType"))));
    declared.push(public(newtype("Worded", core("Word"))));
    declared.push(public(newtype("Levelled", core("Level"))));
    declared.push(public(newtype("Timed", core("InstantType"))));
    declared.push(public(newtype("Rooted", core("Node"))));
    for key in ["TextType", "PlainTextType", "Result", "Open", "Level", "Word", "Named", "Worded"] {
        fields.push(field(
            &format!("by_{}", key.to_lowercase()),
            Type::Map(Box::new(named("core", key)), Box::new(named("core", "Trees"))),
        ));
    }
    declared.push(public(object("Everything", fields)));
    declared
}

#[test]
fn rust_takes_awkward_names_without_a_warning() {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for edition in ["2021", "2024"] {
        write_crate(&place.path().join(format!("in{edition}")), edition, root, &awkward());
    }
    fs::write(
        place.path().join("Cargo.toml"),
        "[workspace]\nresolver = \"2\"\nmembers = [\"in2021\", \"in2024\"]\n",
    )
    .unwrap();
    // The versions that this workspace has resolved are there; others might have to be fetched.
    fs::copy(root.join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["clippy", "--offline", "-q", "-j2", "--workspace"])
        .current_dir(place.path())
        .env("CARGO_TARGET_DIR", target(root).join("generated"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

fn write_crate(directory: &Path, edition: &str, root: &Path, project: &Project) {
    let runtime = root.join("runtime-shim");
    let manifest = format!(
        "[package]\nname = \"in{edition}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\
         [dependencies]\njadpo-runtime = {{ path = {runtime:?}, default-features = false }}\n"
    );
    let mut files = generate(project).files;
    files.insert("lib.rs".to_owned(), LIB.to_owned());
    files.insert("handlers.rs".to_owned(), HANDLERS.to_owned());
    files.insert("own.rs".to_owned(), OWN.to_owned());
    for (path, text) in files {
        let path = directory.join("src").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
}

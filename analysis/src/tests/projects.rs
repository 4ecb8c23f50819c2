//! Discovery, files that can't be read, and names.

use std::path::Path;

use super::{brief, check, fixed, open};

#[test]
fn a_project_owns_what_stands_beneath_it_but_hidden_and_built_directories() {
    let workspace = open(
        "//- /app.jadpo\napp trading { }\n//- /deep/er/x.jadpo\n//- /.git/x.jadpo\n//- /build/x.jadpo\n\
         //- /target/x.jadpo\n//- /node_modules/x.jadpo\n//- /notes.txt\n//- /packages/p/provider.jadpo\n\
         provider p { base_url: \"https://p.example\" }\n//- /packages/p/types/t.jadpo\n",
    );
    assert_eq!(
        workspace.files(),
        ["app.jadpo", "deep/er/x.jadpo", "packages/p/provider.jadpo", "packages/p/types/t.jadpo"]
    );
}

#[test]
fn a_file_that_links_lead_to_twice_is_one_file_under_its_own_path() {
    let workspace = open(
        "//- /app.jadpo\napp trading { }\n//- /a.jadpo link:z/stores.jadpo\n//- /b link:z\n\
         //- /z/stores.jadpo\nstore main { engine: sqlite(\"data/trading.db\") }\n",
    );
    assert_eq!(workspace.files(), ["app.jadpo", "z/stores.jadpo"]);
    assert_eq!(workspace.check().diagnostics, []);
}

#[test]
fn a_package_elsewhere_comes_in_through_packages() {
    let system = crate::system::fixture::parse(
        "//- /shared/coinfeed/provider.jadpo\nprovider coinfeed { base_url: \"https://p.example\" }\n\
         //- /trading/app.jadpo\napp trading { packages: [\"../shared/coinfeed\", \"../shared/coinfeed/\"] }\n",
    );
    let workspace = crate::Workspace::open(std::sync::Arc::new(system), Path::new("/trading"));
    assert_eq!(workspace.files(), ["app.jadpo", "../shared/coinfeed/provider.jadpo"]);
    assert_eq!(workspace.check().diagnostics, []);
}

#[test]
fn a_link_to_above_the_root_is_a_cycle_too() {
    let system = crate::system::fixture::parse(
        "//- /home/x.jadpo\n//- /home/app/app.jadpo\napp a { }\n//- /home/app/up link:../..\n",
    );
    let workspace = crate::Workspace::open(std::sync::Arc::new(system), Path::new("/home/app"));
    assert_eq!(workspace.files(), ["app.jadpo"]);
    assert_eq!(workspace.check().diagnostics[0].code.text(), "file.link_cyclic");
}

#[test]
fn bad_bytes_say_where_they_are() {
    insta::assert_snapshot!(check("//- /app.jadpo hex:ff\napp trading { }\n"), @"
[file.encoding_invalid] error: the file is not UTF-8: byte 0xFF at offset 16
   ╭─[ app.jadpo:1:17 ]
   │
 1 │ app trading { }
   │                 │
   │                 ╰─ here
   │
   │ Help: save the file as UTF-8
───╯
");
    insta::assert_snapshot!(brief("//- /app.jadpo hex:00\napp trading { }\n"), @"app.jadpo:2:1 file.nul_invalid the file holds a NUL byte at offset 16");
    insta::assert_snapshot!(check("//- /app.jadpo size:4194305\napp trading { }\n"), @"
[file.too_large] error: the file is larger than 4 MiB
  in app.jadpo
  help: split it: the order of declarations and files means nothing
");
}

#[test]
fn a_byte_order_mark_and_crlf_change_nothing() {
    let text =
        "\u{feff}app trading { }\r\n\r\nstore main {\r\n    engine: sqlite(\"x.db\")\r\n    kep: 1d\r\n}\r\n";
    insta::assert_snapshot!(brief(&format!("//- /app.jadpo\n{text}")), @"
app.jadpo:5:5 store.key_invalid a store takes no key `kep`
  fix: write `keep`
");
}

#[test]
fn no_project_is_one_sentence() {
    insta::assert_snapshot!(check("//- /x.jadpo\nstore main { }\n"), @"
[file.project_missing] error: the directory has neither `app.jadpo` nor `provider.jadpo`
  in .
  help: run this where an `app.jadpo` or a `provider.jadpo` stands, or give that directory
");
}

#[test]
fn a_name_declared_twice_shows_both_places() {
    insta::assert_snapshot!(check(r#"
app trading { }
store main { engine: sqlite("a.db") }
//- /more.jadpo
store main { engine: sqlite("b.db") }
"#), @r#"
[name.duplicate] error: `main` is declared twice
   ╭─[ more.jadpo:1:7 ]
   │
 1 │ store main { engine: sqlite("b.db") }
   │       ──┬─
   │         ╰─── declared again here
   │
   ├─[ app.jadpo:2:7 ]
   │
 2 │ store main { engine: sqlite("a.db") }
   │       ──┬─
   │         ╰─── first declared here
───╯
"#);
}

#[test]
fn names_that_differ_in_case_or_meet_in_rust_clash() {
    insta::assert_snapshot!(brief(r#"
app trading { }
type HttpCode = Int
type HTTPCode = Int
store a_1 { engine: sqlite("a.db") }
store a1 { engine: sqlite("b.db") }
"#), @"app.jadpo:3:6 name.duplicate `HTTPCode` and `HttpCode` differ only in case");
}

#[test]
fn a_name_in_another_case_is_repaired() {
    let text = "app trading { }\nstore mainStore { engine: sqlite(\"a.db\") }\n";
    insta::assert_snapshot!(check(text), @r#"
[name.case_invalid] error: the store name `mainStore` is not lower_snake_case
   ╭─[ app.jadpo:2:7 ]
   │
 2 │ store mainStore { engine: sqlite("a.db") }
   │       ────┬────
   │           ╰────── write `main_store`
───╯
  fix: write `main_store` (a choice)
"#);
    insta::assert_snapshot!(fixed(text), @r#"
app trading { }
store main_store { engine: sqlite("a.db") }
"#);
}

#[test]
fn declarations_belong_somewhere() {
    insta::assert_snapshot!(brief(r#"
app trading { }
app other { }
operation fetch { method: GET }
//- /more.jadpo
app third { }
//- /packages/p/provider.jadpo
store main { }
action act { }
//- /packages/q/provider.jadpo
provider q { base_url: "https://q.example" }
provider q { base_url: "https://q.example" }
//- /packages/r/provider.jadpo
provider q { base_url: "https://r.example" }
"#), @"
app.jadpo:2:1 app.declaration_invalid a project has one `app`; `other` is another
app.jadpo:3:1 app.declaration_invalid an app declares no `operation` `fetch`
more.jadpo:1:1 app.declaration_invalid `app` `third` stands outside `app.jadpo`
packages/p/provider.jadpo:1:1 package.declaration_invalid `provider.jadpo` declares no `provider`
packages/p/provider.jadpo:1:1 package.declaration_invalid a package declares no `store` `main`
packages/p/provider.jadpo:2:1 package.declaration_invalid a package declares no `action` `act`
packages/q/provider.jadpo:2:1 package.declaration_invalid a package has one `provider`; `q` is another
packages/r/provider.jadpo:1:10 name.duplicate `q` is declared twice
");
}

#[test]
fn an_unsaved_text_counts_until_it_is_given_back() {
    let mut workspace = open("app trading { }\n");
    workspace.set_text(Path::new("/app.jadpo"), "app trading { x: 1 }");
    assert_eq!(workspace.check_file("app.jadpo").len(), 1);
    workspace.set_text(Path::new("/new.jadpo"), "store main { }");
    assert_eq!(workspace.check().diagnostics.len(), 2);
    workspace.remove(Path::new("/new.jadpo"));
    workspace.remove(Path::new("/app.jadpo"));
    assert_eq!(workspace.check().diagnostics, []);
}

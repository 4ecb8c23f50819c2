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
    insta::assert_snapshot!(check("//- /app.jadpo hex:ff\napp trading { }\n"), @"");
    insta::assert_snapshot!(brief("//- /app.jadpo hex:00\napp trading { }\n"), @"");
    insta::assert_snapshot!(check("//- /app.jadpo size:4194305\napp trading { }\n"), @"");
}

#[test]
fn a_byte_order_mark_and_crlf_change_nothing() {
    let text =
        "\u{feff}app trading { }\r\n\r\nstore main {\r\n    engine: sqlite(\"x.db\")\r\n    kep: 1d\r\n}\r\n";
    insta::assert_snapshot!(brief(&format!("//- /app.jadpo\n{text}")), @"");
}

#[test]
fn no_project_is_one_sentence() {
    insta::assert_snapshot!(check("//- /x.jadpo\nstore main { }\n"), @"");
}

#[test]
fn a_name_declared_twice_shows_both_places() {
    insta::assert_snapshot!(check(r#"
app trading { }
store main { engine: sqlite("a.db") }
//- /more.jadpo
store main { engine: sqlite("b.db") }
"#), @"");
}

#[test]
fn names_that_differ_in_case_or_meet_in_rust_clash() {
    insta::assert_snapshot!(brief(r#"
app trading { }
type HttpCode = Int
type HTTPCode = Int
store a_1 { engine: sqlite("a.db") }
store a1 { engine: sqlite("b.db") }
"#), @"");
}

#[test]
fn a_name_in_another_case_is_repaired() {
    let text = "app trading { }\nstore mainStore { engine: sqlite(\"a.db\") }\n";
    insta::assert_snapshot!(check(text), @"");
    insta::assert_snapshot!(fixed(text), @"");
}

#[test]
fn declarations_belong_somewhere() {
    insta::assert_snapshot!(brief(r#"
app trading { }
app other { }
operation fetch { method: GET }
action act { }
//- /more.jadpo
app third { }
//- /packages/p/provider.jadpo
store main { }
//- /packages/q/provider.jadpo
provider q { base_url: "https://q.example" }
provider q { base_url: "https://q.example" }
//- /packages/r/provider.jadpo
provider q { base_url: "https://r.example" }
"#), @"");
}

#[test]
fn an_unsaved_text_counts_until_it_is_given_back() {
    let mut workspace = open("app trading { }\n");
    workspace.set_text(Path::new("/app.jadpo"), "app trading { x: 1 }");
    assert_eq!(workspace.diagnostics_of("app.jadpo").len(), 1);
    workspace.set_text(Path::new("/new.jadpo"), "store main { }");
    assert_eq!(workspace.check().diagnostics.len(), 2);
    workspace.remove(Path::new("/new.jadpo"));
    workspace.remove(Path::new("/app.jadpo"));
    assert_eq!(workspace.check().diagnostics, []);
}

//! `store` and `app`.

use super::{brief, check, fixed, open};

#[test]
fn a_store_has_a_file_and_keeps_thirty_days() {
    let model =
        open("app trading { }\n/// Where all is kept.\nstore main { engine: sqlite(\"data/x.db\") }\n")
            .model();
    let model = model.unwrap();
    let store = &model.app.stores["main"];
    assert_eq!(
        (&*store.sqlite, store.keep_ms, &*store.doc),
        ("data/x.db", 30 * 86_400_000, "Where all is kept.")
    );
}

#[test]
fn an_unknown_key_offers_the_nearest() {
    let text = "app trading { }\nstore main { engin: sqlite(\"x.db\") }\n";
    insta::assert_snapshot!(check(text), @"");
    insta::assert_snapshot!(fixed(text), @"");
}

#[test]
fn a_store_needs_its_engine() {
    insta::assert_snapshot!(check("app trading { }\nstore main { }\n"), @"");
}

#[test]
fn each_wrong_value_is_one_finding() {
    insta::assert_snapshot!(brief(r#"
app trading { }
store a { engine: postgres(env("DB")) }
store b { engine: { native: sqlite("x.db") } }
store c { engine: sqlite("") }
store d { engine: sqlite() }
store e { engine: sqlite(x) }
store f { engine: sqlte("x.db") }
store g { engine: sqlite("x.db") keep: 10s }
store h { engine: sqlite("x.db") keep: 9999d }
store i { engine: sqlite("x.db") keep: 30 }
store j { engine: sqlite("x.db") keep: }
store k { engine: sqlite("x.db") keep: 1d keep: 2d }
store l { engine: }
"#), @"");
}

#[test]
fn a_broken_block_misses_nothing() {
    insta::assert_snapshot!(brief("app trading { }\nstore main { engine sqlite(\"x.db\") }\n"), @"");
}

#[test]
fn a_path_of_packages_leads_to_a_package() {
    insta::assert_snapshot!(check("app trading { packages: [\"shared/x\", 3] }\n"), @"");
}

//! `store` and `app`.

use super::{brief, check, fixed, open};
use crate::model::{Engine, Target};

#[test]
fn a_store_has_a_file_and_keeps_thirty_days() {
    let model =
        open("app trading { }\n/// Where all is kept.\nstore main { engine: sqlite(\"data/x.db\") }\n")
            .model();
    let model = model.unwrap();
    let store = &model.app.stores["main"];
    assert_eq!(
        (store.engines.get(&Target::Native), store.keep_ms, &*store.doc),
        (Some(&Engine::Sqlite("data/x.db".into())), 30 * 86_400_000, "Where all is kept.")
    );
}

#[test]
fn an_unknown_key_offers_the_nearest() {
    let text = "app trading { }\nstore main { engin: sqlite(\"x.db\") }\n";
    insta::assert_snapshot!(check(text), @r#"
[store.key_invalid] error: a store takes no key `engin`
   ╭─[ app.jadpo:2:14 ]
   │
 2 │ store main { engin: sqlite("x.db") }
   │              ──┬──
   │                ╰──── did you mean `engine`?
───╯
  fix: write `engine`
"#);
    insta::assert_snapshot!(fixed(text), @r#"
app trading { }
store main { engine: sqlite("x.db") }
"#);
}

#[test]
fn a_store_needs_its_engine() {
    insta::assert_snapshot!(check("app trading { }\nstore main { }\n"), @r#"
[store.key_missing] error: a store needs `engine`
   ╭─[ app.jadpo:2:7 ]
   │
 2 │ store main { }
   │       ──┬─
   │         ╰─── here
   │
   │ Help: The database that keeps the app's events and records.
   │       write `engine: sqlite("data/app.db")`
───╯
"#);
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
"#), @r#"
app.jadpo:2:19 store.value_invalid `engine` takes `sqlite("…")`, not `postgres(…)`
app.jadpo:3:19 store.value_invalid `engine` takes `sqlite("…")`, not a block
app.jadpo:4:26 store.value_invalid `sqlite` needs the path of a file, such as "data/app.db"
app.jadpo:5:19 store.value_invalid `sqlite` is written `sqlite("…")`
app.jadpo:6:26 store.value_invalid `sqlite` takes a string here
app.jadpo:7:19 store.value_invalid `engine` takes `sqlite("…")`, not `sqlte(…)`
  fix: write `sqlite`
app.jadpo:8:40 store.value_invalid `keep` is a duration of a minute or more; `10s` is shorter
  fix: write `1m` (a choice)
app.jadpo:9:40 store.value_invalid `keep` is a duration of a minute or more; `9999d` is longer
  fix: write `3650d` (a choice)
app.jadpo:10:40 store.value_invalid `keep` takes a duration of a minute or more, not `30`
app.jadpo:11:34 store.value_invalid `keep` has no value: it takes a duration of a minute or more
app.jadpo:12:43 store.key_duplicate `keep` is given twice
app.jadpo:13:11 store.value_invalid `engine` has no value: it takes `sqlite("…")`
"#);
}

#[test]
fn a_broken_block_misses_nothing() {
    insta::assert_snapshot!(brief("app trading { }\nstore main { engine sqlite(\"x.db\") }\n"), @"
app.jadpo:2:21 syntax.expected expected `:`, found `sqlite`
  fix: write `:`
");
}

#[test]
fn a_path_of_packages_leads_to_a_package() {
    insta::assert_snapshot!(check("app trading { packages: [\"shared/x\", 3] }\n"), @r#"
[app.value_invalid] error: there is no package at `shared/x`
   ╭─[ app.jadpo:1:26 ]
   │
 1 │ app trading { packages: ["shared/x", 3] }
   │                          ─────┬────
   │                               ╰────── here
   │
   │ Help: a package is a directory with a `provider.jadpo`; the path starts at the app's directory
───╯
[app.value_invalid] error: `packages` takes a list of strings, not `3`
   ╭─[ app.jadpo:1:38 ]
   │
 1 │ app trading { packages: ["shared/x", 3] }
   │                                      ┬
   │                                      ╰── here
───╯
"#);
}

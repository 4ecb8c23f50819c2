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
store c { engine: sqlite("") }
store d { engine: sqlite() }
store e { engine: sqlite(x) }
store f { engine: sqlte("x.db") }
store g { engine: sqlite("g.db") keep: 10s }
store h { engine: sqlite("h.db") keep: 9999d }
store i { engine: sqlite("i.db") keep: 30 }
store j { engine: sqlite("j.db") keep: }
store k { engine: sqlite("k.db") keep: 1d keep: 2d }
store l { engine: }
store m { engine: sqlite("data/") }
"#), @r#"
app.jadpo:2:26 store.value_invalid `sqlite` needs the path of a file, such as "data/app.db"
app.jadpo:3:19 store.value_invalid `sqlite` is written `sqlite("…")`
app.jadpo:4:26 store.value_invalid `sqlite` takes a string here
app.jadpo:5:19 store.value_invalid `engine` takes `sqlite("…")`, `postgres(env("…"))`, `d1("…")`, or a block of `native` and `workers`, not `sqlte(…)`
  fix: write `sqlite`
app.jadpo:6:40 store.value_invalid `keep` is a duration of a minute or more; `10s` is shorter
  fix: write `1m` (a choice)
app.jadpo:7:40 store.value_invalid `keep` is at most `3650d`; `9999d` is longer
  fix: write `3650d` (a choice)
app.jadpo:8:40 store.value_invalid `keep` takes a duration of a minute or more, not `30`
app.jadpo:9:34 store.value_invalid `keep` has no value: it takes a duration of a minute or more
app.jadpo:10:43 store.key_duplicate `keep` is given twice
app.jadpo:11:11 store.value_invalid `engine` has no value: it takes `sqlite("…")`, `postgres(env("…"))`, `d1("…")`, or a block of `native` and `workers`
app.jadpo:12:26 store.value_invalid `sqlite` needs the path of a file, and "data/" is a directory's
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

#[test]
fn a_store_may_have_a_database_for_each_target() {
    let engines = |engine: &str| {
        let model = open(&format!("app trading {{ }}\nstore main {{ engine: {engine} }}\n")).model().unwrap();
        model.app.stores["main"].engines.clone().into_iter().collect::<Vec<_>>()
    };
    let postgres = (Target::Native, Engine::Postgres("DATABASE_URL".into()));
    let d1 = (Target::Workers, Engine::D1("TRADING".into()));
    assert_eq!(engines("postgres(env(\"DATABASE_URL\"))"), std::slice::from_ref(&postgres));
    assert_eq!(engines("d1(\"TRADING\")"), std::slice::from_ref(&d1));
    assert_eq!(
        engines("{ native: postgres(env(\"DATABASE_URL\"))  workers: d1(\"TRADING\") }"),
        [postgres, d1]
    );
    assert_eq!(engines("{ native: sqlite(\"x.db\") }"), [(Target::Native, Engine::Sqlite("x.db".into()))]);
}

#[test]
fn each_wrong_engine_is_one_finding() {
    insta::assert_snapshot!(brief(r#"
app trading { }
store a { engine: { } }
store b { engine: { native: d1("B") } }
store c { engine: { workers: sqlite("c.db") } }
store d { engine: { nativ: sqlite("d.db") } }
store e { engine: postgres("postgres://localhost/e") }
store f { engine: postgres(env("")) }
store g { engine: postgres(DATABASE_URL) }
store h { engine: d1("my-db") }
store i { engine: { native: sqlite("i.db")  native: sqlite("j.db") } }
store k { engine: [sqlite("k.db")] }
store l { engine: { native: } }
store m { engine: sqlite }
"#), @r#"
app.jadpo:2:19 store.value_invalid `engine` gives no target a database
app.jadpo:3:29 store.value_invalid `native` takes `sqlite("…")` or `postgres(env("…"))`, not `d1(…)`
app.jadpo:4:30 store.value_invalid `workers` takes `d1("…")`, not `sqlite(…)`
app.jadpo:5:21 store.key_invalid an `engine` takes no key `nativ`
  fix: write `native`
app.jadpo:6:28 store.value_invalid `postgres` takes `env("NAME")`, the name of an environment variable
app.jadpo:7:32 store.value_invalid no environment variable can be called ""
app.jadpo:8:28 store.value_invalid `postgres` takes `env("NAME")`, the name of an environment variable
  fix: write `env("DATABASE_URL")` (a choice)
app.jadpo:9:22 store.value_invalid no binding can be called "my-db": it has letters, digits and `_`
app.jadpo:10:45 store.key_duplicate `native` is given twice
app.jadpo:11:19 store.value_invalid `engine` takes `sqlite("…")`, `postgres(env("…"))`, `d1("…")`, or a block of `native` and `workers`, not a list
app.jadpo:12:21 store.value_invalid `native` has no value: it takes `sqlite("…")` or `postgres(env("…"))`
app.jadpo:13:19 store.value_invalid `engine` takes `sqlite("…")`, `postgres(env("…"))`, `d1("…")`, or a block of `native` and `workers`, not `sqlite`
"#);
}

#[test]
fn a_database_is_one_stores() {
    insta::assert_snapshot!(check(r#"
app trading { }
store main { engine: sqlite("data/app.db") }
store other { engine: { native: sqlite("./data//app.db")  workers: d1("APP") } }
"#), @r#"
[store.value_invalid] error: `sqlite("./data//app.db")` is the database of store `main` too
   ╭─[ app.jadpo:3:33 ]
   │
 2 │ store main { engine: sqlite("data/app.db") }
   │              ───┬──
   │                 ╰──── `main` is in it
 3 │ store other { engine: { native: sqlite("./data//app.db")  workers: d1("APP") } }
   │                                 ────────────┬───────────
   │                                             ╰───────────── the same database
   │
   │ Help: each store has a database of its own; what belongs together is one store
───╯
"#);
    insta::assert_snapshot!(brief(r#"
app trading { }
store main { engine: { native: postgres(env("DATABASE_URL"))  workers: d1("APP") } }
store other { engine: { native: postgres(env("DATABASE_URL"))  workers: d1("APP") } }
store third { engine: sqlite("x/../a.db") }
store fourth { engine: sqlite("a.db") }
store fifth { engine: sqlite("/a.db") }
"#), @r#"
app.jadpo:3:33 store.value_invalid `postgres(env("DATABASE_URL"))` is the database of store `main` too
app.jadpo:3:73 store.value_invalid `d1("APP")` is the database of store `main` too
app.jadpo:5:24 store.value_invalid `sqlite("a.db")` is the database of store `third` too
"#);
}

#[test]
fn a_path_is_that_of_a_file() {
    insta::assert_snapshot!(brief("app trading { }\nstore a { engine: sqlite(\":memory:\") }\nstore b { engine: sqlite(\"file:b.db?mode=ro\") }\nstore c { engine: sqlite(\"sqlite://c.db\") }\n"), @r#"
app.jadpo:2:26 store.value_invalid `sqlite` needs the path of a file, and ":memory:" is none
app.jadpo:3:26 store.value_invalid `sqlite` needs the path of a file, and "file:b.db?mode=ro" is none
app.jadpo:4:26 store.value_invalid `sqlite` needs the path of a file, and "sqlite://c.db" is none
"#);
}

#[test]
fn a_database_under_the_wrong_target_is_one_mistake() {
    insta::assert_snapshot!(brief("app trading { }\nstore main { engine: { native: d1(\"MAIN\") } }\npublic action take { }\nroute take_it { method: POST  path: \"/take\"  run: take  auth: none }\ndeployable server { target: native }\n"), @r#"app.jadpo:2:32 store.value_invalid `native` takes `sqlite("…")` or `postgres(env("…"))`, not `d1(…)`"#);
}

//! Targets and the databases that each can run.

use super::super::packages::PACKAGES;
use super::{brief, check, fixed, open};
use crate::model::Target;

const PARTS: &str = r"
connection feed { package: coinfeed }
subscriber update { on: coinfeed.PricesChanged }
";

fn app(store: &str, deployables: &str) -> String {
    format!("app trading {{ }}\nstore main {{ engine: {store} }}\n{deployables}\n{PARTS}{PACKAGES}")
}

#[test]
fn a_deployable_for_workers_has_no_host() {
    let model = open(&app("d1(\"MAIN\")", "deployable edge { target: workers }")).model().unwrap();
    let edge = &model.app.deployables["edge"];
    assert_eq!((edge.target, edge.host.clone()), (Target::Workers, None));
    assert_eq!(edge.subscribers, ["update"]);
}

#[test]
fn a_store_that_is_reached_has_a_database_for_the_target() {
    let text = app("sqlite(\"x.db\")", "deployable edge { target: workers }");
    insta::assert_snapshot!(check(&text), @r#"
[deployable.value_invalid] error: `edge` runs on Workers, where store `main` has no database: subscriber `update` writes it
   ╭─[ app.jadpo:3:27 ]
   │
 2 │ store main { engine: sqlite("x.db") }
   │                      ───────┬──────
   │                             ╰──────── only `sqlite("x.db")`, which runs natively
 3 │ deployable edge { target: workers }
   │                           ───┬───
   │                              ╰───── no database of `main` here
   │
 6 │ subscriber update { on: coinfeed.PricesChanged }
   │            ───┬──
   │               ╰──── subscriber `update` writes it
   │
   │ Help: give `main` one for each: `engine: { native: sqlite("x.db")  workers: d1("MAIN") }`
───╯
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    assert_eq!(brief(&format!("//- /app.jadpo\n{}{PACKAGES}", fixed(&text))), "clean");
    insta::assert_snapshot!(brief(&app("d1(\"X\")", "deployable server { target: native }")), @r#"
app.jadpo:3:29 deployable.value_invalid `server` runs natively, where store `main` has no database: subscriber `update` writes it
  fix: write `engine: { native: sqlite("data/main.db")  workers: d1("X") }` (a choice)
"#);
    // What brings it in is what its list names, unless something else is taken in anyway.
    insta::assert_snapshot!(check(&app("{ native: sqlite(\"x.db\") }", "deployable edge { target: workers  subscribers: [update]  polls: [] }")), @r#"
[deployable.value_invalid] error: `edge` runs on Workers, where store `main` has no database: subscriber `update` writes it
   ╭─[ app.jadpo:3:50 ]
   │
 2 │ store main { engine: { native: sqlite("x.db") } }
   │                      ─────────────┬────────────
   │                                   ╰────────────── only `sqlite("x.db")`, which runs natively
 3 │ deployable edge { target: workers  subscribers: [update]  polls: [] }
   │                                                  ───┬──
   │                                                     ╰──── no database of `main` here
   │
 6 │ subscriber update { on: coinfeed.PricesChanged }
   │            ───┬──
   │               ╰──── subscriber `update` writes it
   │
   │ Help: give `main` one with `workers: d1("MAIN")` in its `engine`
───╯
"#);
    insta::assert_snapshot!(brief(&app("sqlite(\"x.db\")", "deployable edge { target: workers  subscribers: [update] }")), @r#"
app.jadpo:3:27 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: poll `feed.prices` keeps its events in it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    insta::assert_snapshot!(brief(&app("sqlite(\"x.db\")", "deployable edge { target: workers  subscribers: []  polls: [feed.prices] }")), @r#"
app.jadpo:3:61 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: poll `feed.prices` keeps its events in it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    assert_eq!(
        brief(&app("sqlite(\"x.db\")", "deployable edge { target: workers  subscribers: []  polls: [] }")),
        "clean",
        "it reaches no store"
    );
    let wrong = brief(&app("sqlit(\"x.db\")", "deployable edge { target: workers }"));
    assert_eq!(wrong.matches("deployable").count(), 0, "{wrong}");
}

#[test]
fn what_runs_actions_and_batches_reaches_their_stores() {
    let with = |body: &str| {
        brief(&format!(
            r#"app trading {{ }}
store main {{ engine: sqlite("x.db") }}
public action take {{ }}
route take_one {{ method: POST  path: "/take"  run: take  auth: none }}
schedule nightly {{ daily_at: "03:00"  zone: "Europe/London"  run: take }}
batch rescore {{ store: main }}
type Kept = Object {{ rank: Int }}
backfill ranks {{ store: main  record: Kept  field: rank }}
deployable edge {{ target: workers  {body} }}
"#
        ))
    };
    insta::assert_snapshot!(with(""), @r#"
app.jadpo:9:27 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: action `take` of route `take_one` writes it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    insta::assert_snapshot!(with("routes: []  batches: []"), @r#"
app.jadpo:9:27 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: action `take` of schedule `nightly` writes it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    insta::assert_snapshot!(with("routes: []  schedules: []  batches: [ranks]"), @r#"
app.jadpo:9:73 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: backfill `ranks` keeps its runs in it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    insta::assert_snapshot!(with("routes: [take_one]  schedules: []  batches: []"), @r#"
app.jadpo:9:45 deployable.value_invalid `edge` runs on Workers, where store `main` has no database: action `take` of route `take_one` writes it
  fix: write `engine: { native: sqlite("x.db")  workers: d1("MAIN") }` (a choice)
"#);
    assert_eq!(with("routes: []  schedules: []  batches: []"), "clean");
}

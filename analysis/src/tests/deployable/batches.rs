//! Batches that are started are run.

use super::{brief, check, fixed};

const PARTS: &str = r#"
store main { engine: { native: sqlite("x.db")  workers: d1("MAIN") } }
public action close { starts: [close_all, rate] }
schedule nightly { every: 1h  run: close }
batch close_all { }
backfill rate { record: Ticket  field: priority }
type Ticket = Object { priority: Int }
"#;

fn with(deployables: &str) -> String {
    format!("app desk {{ }}\n{deployables}\n{PARTS}")
}

#[test]
fn what_is_started_is_run_where_it_is_kept() {
    assert_eq!(brief(&with("deployable server { target: native }")), "clean");
    let text = with(
        "deployable server { target: native  schedules: [] }\ndeployable edge { target: workers  batches: [rate] }",
    );
    insta::assert_snapshot!(check(&text), @"
[deployable.value_invalid] error: `close_all` is started on Workers, where no deployable runs it: action `close` of schedule `nightly` starts it
   ╭─[ app.jadpo:3:45 ]
   │
 2 │ deployable server { target: native  schedules: [] }
   │            ───┬──
   │               ╰──── `server` runs `close_all`, over another database
 3 │ deployable edge { target: workers  batches: [rate] }
   │                                             ───┬──
   │                                                ╰──── without `close_all`
   │
 6 │ public action close { starts: [close_all, rate] }
   │               ──┬──
   │                 ╰──── starts `close_all`
   │
   │ Help: each target has a database of its own: what is started in one is never run from the other
───╯
  fix: add `close_all` (a choice)
");
    insta::assert_snapshot!(fixed(&text).lines().nth(2).unwrap().to_owned(), @"deployable edge { target: workers  batches: [rate, close_all] }");
    insta::assert_snapshot!(brief(&with("deployable server { target: native  batches: [] }")), @"
app.jadpo:2:46 deployable.value_invalid `close_all` is started natively, where no deployable runs it: action `close` of schedule `nightly` starts it
  fix: add `close_all` (a choice)
app.jadpo:2:46 deployable.value_invalid `rate` is started natively, where no deployable runs it: action `close` of schedule `nightly` starts it
  fix: add `rate` (a choice)
");
    let control = "deployable server { target: native  schedules: []  batches: [rate]  host: { control: \"127.0.0.1:9000\" } }";
    insta::assert_snapshot!(brief(&with(control)), @"
app.jadpo:2:61 deployable.value_invalid `close_all` is started natively, where no deployable runs it: action `close` starts it
  fix: add `close_all` (a choice)
");
}

#[test]
fn deployables_of_one_target_share_the_runs() {
    let text = with(
        "deployable one { target: native  batches: [] }\ndeployable two { target: native  schedules: [] }",
    );
    assert_eq!(brief(&text), "clean");
    assert_eq!(brief(&with("deployable one { target: native  schedules: []  batches: [] }")), "clean");
}

#[test]
fn a_name_that_is_not_there_may_have_been_meant() {
    insta::assert_snapshot!(brief(&with("deployable server { target: native  batches: [rate, close_al] }")), @"
app.jadpo:2:53 name.unknown there is no batch or backfill `close_al`
  fix: write `close_all`
");
}

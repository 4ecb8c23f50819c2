//! Events that reach whoever hears them, and polls that run once.

use super::super::packages::PACKAGES;
use super::{brief, check, fixed};

const PARTS: &str = r#"
store main { engine: { native: sqlite("x.db")  workers: d1("MAIN") } }
connection feed { package: coinfeed }
type Booked = Event { amount: Int }
subscriber update { on: coinfeed.PricesChanged  from: [feed]  emits: [Booked] }
subscriber archive { on: coinfeed.PricesChanged  from: [feed] }
subscriber book { on: Booked }
"#;

fn with(deployables: &str) -> String {
    format!("app trading {{ }}\n{deployables}\n{PARTS}{PACKAGES}")
}

#[test]
fn what_is_emitted_is_read_where_its_subscriber_runs() {
    assert_eq!(brief(&with("deployable server { target: native }")), "clean");
    let text = with(
        "deployable server { target: native  polls: []  subscribers: [archive, book] }\ndeployable edge { target: workers  subscribers: [update, book] }",
    );
    insta::assert_snapshot!(check(&text), @"
[deployable.event_unheard] error: `coinfeed.PricesChanged` is emitted on Workers, where no deployable runs its subscriber `archive`: poll `feed.prices` emits it
   ╭─[ app.jadpo:3:49 ]
   │
 2 │ deployable server { target: native  polls: []  subscribers: [archive, book] }
   │            ───┬──
   │               ╰──── `server` runs `archive`, over another database
 3 │ deployable edge { target: workers  subscribers: [update, book] }
   │                                                 ───────┬──────
   │                                                        ╰──────── without `archive`
   │
 6 │ connection feed { package: coinfeed }
   │            ──┬─
   │              ╰─── emits `coinfeed.PricesChanged`
   │
 9 │ subscriber archive { on: coinfeed.PricesChanged  from: [feed] }
   │            ───┬───
   │               ╰───── hears it
   │
   │ Help: each target has a database of its own: what is emitted into one is never read from the other
───╯
  fix: add `archive` (a choice)
");
    insta::assert_snapshot!(fixed(&text).lines().nth(2).unwrap().to_owned(), @"deployable edge { target: workers  subscribers: [update, book, archive] }");
    let text = with(
        "deployable server { target: native  polls: []  subscribers: [book] }\ndeployable edge { target: workers  subscribers: [update, archive] }",
    );
    insta::assert_snapshot!(brief(&text), @"
app.jadpo:3:49 deployable.event_unheard `Booked` is emitted on Workers, where no deployable runs its subscriber `book`: subscriber `update` emits it
  fix: add `book` (a choice)
");
}

#[test]
fn a_subscriber_that_nobody_runs_is_noticed_once() {
    let text = with(
        "deployable one { target: native  subscribers: [update, book] }\ndeployable two { target: native  subscribers: [] }",
    );
    insta::assert_snapshot!(check(&text), @"
[deployable.event_unheard] error: `coinfeed.PricesChanged` is emitted natively, where no deployable runs its subscriber `archive`: poll `feed.prices` emits it
   ╭─[ app.jadpo:2:47 ]
   │
 2 │ deployable one { target: native  subscribers: [update, book] }
   │                                               ───────┬──────
   │                                                      ╰──────── without `archive`
   │
 6 │ connection feed { package: coinfeed }
   │            ──┬─
   │              ╰─── emits `coinfeed.PricesChanged`
   │
 9 │ subscriber archive { on: coinfeed.PricesChanged  from: [feed] }
   │            ───┬───
   │               ╰───── hears it
   │
   │ Help: a delivery waits in the store until a deployable runs its subscriber
───╯
  fix: add `archive` (a choice)
");
    // A name that isn't there may have been meant for the one that is missing.
    insta::assert_snapshot!(brief(&with("deployable server { target: native  subscribers: [update, book, archiv] }")), @"
app.jadpo:2:65 name.unknown there is no subscriber `archiv`
  fix: write `archive`
");
}

#[test]
fn deployables_of_one_target_share_the_work() {
    let text = with(
        "deployable one { target: native  subscribers: [] }\ndeployable two { target: native  polls: [] }",
    );
    assert_eq!(brief(&text), "clean");
}

#[test]
fn a_poll_runs_over_one_database() {
    let text = with(
        "deployable server { target: native }\ndeployable edge { target: workers  polls: [feed.prices] }",
    );
    insta::assert_snapshot!(check(&text), @"
[deployable.poll_doubled] warning: poll `feed.prices` runs in `edge` and in `server`, over different databases
   ╭─[ app.jadpo:3:44 ]
   │
 2 │ deployable server { target: native }
   │            ───┬──
   │               ╰──── runs here too
 3 │ deployable edge { target: workers  polls: [feed.prices] }
   │                                            ─────┬─────
   │                                                 ╰─────── runs twice
   │
   │ Help: both call the provider, and each database keeps events of its own: let one of the two run it, by `polls: […]`
───╯
");
    insta::assert_snapshot!(brief(&with("deployable edge { target: workers  polls: [feed.prices] }\ndeployable server { target: native }")), @"app.jadpo:2:44 deployable.poll_doubled poll `feed.prices` runs in `edge` and in `server`, over different databases");
    insta::assert_snapshot!(brief(&with("deployable server { target: native }\ndeployable edge { target: workers }")), @"app.jadpo:3:27 deployable.poll_doubled poll `feed.prices` runs in `edge` and in `server`, over different databases");
    insta::assert_snapshot!(brief(&with("deployable server { target: native }\ndeployable edge { target: workers  polls: all }")), @"app.jadpo:3:43 deployable.poll_doubled poll `feed.prices` runs in `edge` and in `server`, over different databases");
    assert_eq!(
        brief(&with("deployable server { target: native }\ndeployable edge { target: workers  polls: [] }")),
        "clean"
    );
}

/// An action that emits, and what runs it.
const ACTION: &str = r#"
store main { engine: { native: sqlite("x.db")  workers: d1("MAIN") } }
type Booked = Event { amount: Int }
public action take { emits: [Booked] }
subscriber book { on: Booked }
route take_one { method: POST  path: "/take"  run: take  auth: none }
schedule nightly { daily_at: "03:00"  zone: "Europe/London"  run: take }
"#;

#[test]
fn an_action_emits_where_its_routes_and_schedules_run() {
    let with = |deployables: &str| brief(&format!("app trading {{ }}\n{deployables}\n{ACTION}"));
    let server = "deployable server { target: native  routes: []  schedules: [] }";
    assert_eq!(with(server), "clean");
    insta::assert_snapshot!(with(&format!("{server}\ndeployable edge {{ target: workers  subscribers: []  schedules: [] }}")), @"
app.jadpo:3:49 deployable.event_unheard `Booked` is emitted on Workers, where no deployable runs its subscriber `book`: action `take` of route `take_one` emits it
  fix: add `book` (a choice)
");
    insta::assert_snapshot!(with(&format!("{server}\ndeployable edge {{ target: workers  subscribers: []  routes: [] }}")), @"
app.jadpo:3:49 deployable.event_unheard `Booked` is emitted on Workers, where no deployable runs its subscriber `book`: action `take` of schedule `nightly` emits it
  fix: add `book` (a choice)
");
    assert_eq!(
        with(&format!(
            "{server}\ndeployable edge {{ target: workers  subscribers: []  routes: []  schedules: [] }}"
        )),
        "clean"
    );
    // The control port calls public actions.
    let edge = "deployable edge { target: workers  routes: []  schedules: [] }";
    insta::assert_snapshot!(with(&format!("{edge}\ndeployable server {{ target: native  subscribers: []  routes: []  schedules: []  host: {{ control: \"127.0.0.1:9000\" }} }}")), @"
app.jadpo:3:50 deployable.event_unheard `Booked` is emitted natively, where no deployable runs its subscriber `book`: action `take` emits it
  fix: add `book` (a choice)
");
}

//! The app over a PostgreSQL database: made ready, and left to work off what is due there.

use std::sync::Arc;

use jadpo_runtime::App;
use jadpo_runtime::native::NativeHost;
use jadpo_runtime::start::{Ready, Surroundings, start};
use tokio::runtime::Runtime;

use super::Work;
use super::app::{self, Code, Counts, EVENT, Hands, executor};
use super::database::{execute, number, put_to_rest};

/// The plan of an app that keeps all in one database: `server` does all, `front` only emits.
pub fn plan(workers: u32) -> String {
    app::plan(&format!(
        r#"store main {{ engine: postgres(env("BOARD_MAIN")) }}
route post_tell {{ method: POST  path: "/tell"  run: tell  auth: none }}
deployable server {{ target: native  routes: []  runner: {{ workers: {workers} }} }}
deployable front {{ target: native  subscribers: []  host: {{ listen: "127.0.0.1:0" }} }}
"#
    ))
}

/// One of its programs, ready to be served.
pub fn ready<H: Hands>(executor: &Runtime, plan: &str, deployable: &str, url: &str, hands: &Arc<H>) -> Ready {
    let app = App::new(plan, deployable, Code(hands.clone())).env("BOARD_MAIN", url);
    let host = Arc::new(NativeHost::new(executor.handle().clone()).expect("the native host starts"));
    start(app, &Surroundings::new(host)).expect("the app starts")
}

/// Deliveries a second, from the loop's start to its end, each done.
pub fn burn_down(url: &str, work: Work) -> f64 {
    let plan = plan(work.in_flight);
    let executor = executor();
    let counts = Counts::new(work.due);
    drop(ready(&executor, &plan, "server", url, &counts));
    fill(url, work.due);
    let ready = ready(&executor, &plan, "server", url, &counts);
    let passed = executor.block_on(counts.served(ready));
    assert_eq!(counts.heard(), work.due, "each is heard once");
    let done = number(url, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done' AND attempts = 1");
    assert_eq!(done, i64::from(work.due), "each is done");
    f64::from(work.due) / passed.as_secs_f64()
}

/// An event of its own for each delivery, with a payload of 100 bytes.
fn fill(url: &str, due: u32) {
    let sql = format!(
        r#"WITH kept AS (
            INSERT INTO jadpo_events (name, occurred_at_ms, payload, trace, created_at_ms)
            SELECT '{EVENT}', now.ms, '{{"text":"' || repeat('x', 89) || '"}}',
                   '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', now.ms
            FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now, generate_series(1, {due})
            RETURNING id, created_at_ms)
        INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
        SELECT id, 'hear', 'pending', 0, created_at_ms - {due} + id, created_at_ms + 86400000 FROM kept"#
    );
    execute(url, &sql);
    put_to_rest(url);
}

//! Whole instances over one database, their clocks minutes apart: the provider counts their calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{block_on, connect, database};
use crate::app::App;
use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use crate::native::NativeHost;
use crate::plan::StoreEngine;
use crate::serve::serve;
use crate::start::{StartError, Surroundings, start};
use crate::status::Count;
use crate::trial::{Bodies, Body, base_plan, fine};

/// How long it may take until every instance has ticked, which it does once a minute, and all is delivered.
const SETTLED_MAX: Duration = Duration::from_mins(3);

/// A real host whose wall clock is wrong, in front of a provider that counts.
struct Skewed {
    host: NativeHost,
    ahead_ms: i64,
    calls: Arc<AtomicU64>,
}

impl Host for Skewed {
    fn wall_ms(&self) -> i64 {
        self.host.wall_ms() + self.ahead_ms
    }

    fn monotonic_us(&self) -> u64 {
        self.host.monotonic_us()
    }

    fn boot_ms(&self) -> u64 {
        self.host.boot_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.host.sleep(ms)
    }

    fn random(&self) -> u64 {
        self.host.random()
    }

    fn http(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let body = br#"{"btc":1,"eth":2}"#.to_vec();
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Box::pin(async { Ok(HttpResponse { status: 200, headers, body }) })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.host.spawn(task);
    }
}

/// The app of the trials over a database, with this body for its subscribers and no poll that is due.
pub fn app_of(url: &str, body: impl Body) -> App {
    let mut plan = base_plan();
    plan.stores.get_mut("main").unwrap().native = Some(StoreEngine::Postgres("DATABASE_URL".to_owned()));
    plan.deployables.get_mut("server").unwrap().polls.clear();
    let app = App::new(&serde_json::to_string(&plan).unwrap(), "server", Bodies(body));
    app.env("DATABASE_URL", url)
}

fn app(url: Option<&str>) -> App {
    let mut plan = base_plan();
    plan.stores.get_mut("main").unwrap().native = Some(StoreEngine::Postgres("DATABASE_URL".to_owned()));
    plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = 60_000;
    let app = App::new(&serde_json::to_string(&plan).unwrap(), "server", Bodies(fine));
    url.into_iter().fold(app, |app, url| app.env("DATABASE_URL", url))
}

#[test]
fn instances_whose_clocks_differ_call_once_and_deliver_once() {
    let Some(url) = database() else { return };
    let calls = Arc::new(AtomicU64::new(0));
    let executor =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let minute = || {
        block_on(async {
            let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) / 60)::bigint";
            connect(&url).await.query_one(sql, &[]).await.unwrap().get::<_, i64>(0)
        })
    };
    let first_minute = minute();
    let engines: Vec<_> = [0, 240_000, -240_000]
        .into_iter()
        .map(|ahead_ms| {
            let host = NativeHost::new(executor.handle().clone()).unwrap();
            let host = Arc::new(Skewed { host, ahead_ms, calls: calls.clone() });
            let ready = start(app(Some(&url)), &Surroundings::new(host)).unwrap();
            let engine = ready.engine.clone();
            (engine, executor.spawn(serve(ready)))
        })
        .collect();
    let done = |engines: &[(Arc<crate::engine::Engine>, _)]| -> u64 {
        engines.iter().map(|(engine, _)| engine.tally.get(Count::DeliveriesDone)).sum()
    };
    executor.block_on(async {
        let all_ticked = || engines.iter().all(|(engine, _)| engine.tally.get(Count::Ticks) > 0);
        let begun = Instant::now();
        while !all_ticked() || done(&engines) == 0 {
            assert!(begun.elapsed() < SETTLED_MAX, "not all have ticked, or nothing was delivered");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    for (engine, _) in &engines {
        let apart_ms = engine.now_ms() - engines[0].0.now_ms();
        assert!(apart_ms.abs() < 1_000, "{apart_ms} ms apart");
    }
    for (engine, _) in &engines {
        engine.stop.ask();
    }
    executor.block_on(async {
        for (_, serving) in engines {
            assert_eq!(serving.await.unwrap().dropped, 0);
        }
    });
    // Each was at work until it had ended, and may have ticked in a minute that began meanwhile.
    let minutes = u64::try_from(minute() - first_minute + 1).unwrap();
    let calls = calls.load(Ordering::SeqCst);
    assert!((1..=minutes).contains(&calls), "{calls} calls in {minutes} minutes");
    let events = block_on(async {
        connect(&url)
            .await
            .query_one("SELECT count(*) FROM jadpo_events", &[])
            .await
            .unwrap()
            .get::<_, i64>(0)
    });
    assert_eq!(events, 1, "the answers are the same");
}

#[test]
fn a_url_that_is_missing_or_wrong_is_named_before_anything_starts() {
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let host = Arc::new(NativeHost::new(executor.handle().clone()).unwrap());
    let problems = |url| match start(app(url), &Surroundings::new(host.clone())) {
        Err(StartError::Plan(problems)) => problems.join("\n"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it has no database"),
    };
    insta::assert_snapshot!(problems(None), @"store main: the environment variable DATABASE_URL is missing, the URL of its database");
    insta::assert_snapshot!(problems(Some("mysql://me:s3cret@db/app")), @"store main: the environment variable DATABASE_URL is no URL of a database: it is no URL that begins with postgres://");
}

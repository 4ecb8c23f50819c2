//! Schedules, batch runs, follow-on work that its commit claims, and what operators ask for.

use crate::sql::SqlValue;
use crate::store::sqlite::{OpenOptions, SqliteStore};
use crate::store::{
    Boundary, BoundaryEnd, ClaimOwn, ClaimRun, ClaimSchedule, Fence, Held, Lag, NewDelivery, NewEvent,
    NewRun, OutlookAsked, ReplayDelivery, ScheduleClaim, SetOff, Skipped, Store,
};

const SILENT_MS: i64 = 30_000;

fn opened() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = OpenOptions::new("main", directory.path().join("store.db")).open().unwrap();
    (directory, store)
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

async fn column(store: &SqliteStore, sql: &str) -> String {
    let rows = store.query(sql.to_owned(), Vec::<SqlValue>::new()).await.unwrap().unwrap();
    rows.iter().map(|row| row.get::<String>(0).unwrap()).collect::<Vec<_>>().join(" ")
}

/// Every hour from 0; `at` is both the tick and now.
fn hourly(at_ms: i64, token: i64, instance: i64) -> ClaimSchedule {
    ClaimSchedule {
        name: "nightly".to_owned(),
        tick_ms: at_ms,
        now_ms: at_ms,
        next_due_ms: (at_ms / 3_600_000 + 1) * 3_600_000,
        spec: "every 3600000".to_owned(),
        token,
        instance,
        until_ms: at_ms + 600_000,
        silent_ms: SILENT_MS,
    }
}

fn first_try(token: i64) -> ScheduleClaim {
    ScheduleClaim { token, lost_before: false }
}

fn schedule_fence(token: i64) -> Fence {
    Fence::Schedule { name: "nightly".to_owned(), token }
}

#[test]
fn a_schedule_waits_for_its_first_time_and_then_one_instance_runs_it() {
    let (_directory, store) = opened();
    block_on(async {
        assert_eq!(store.claim_schedule(hourly(0, 1, 1)).await.unwrap(), None);
        assert_eq!(store.claim_schedule(hourly(3_540_000, 2, 1)).await.unwrap(), None);
        assert_eq!(store.claim_schedule(hourly(3_600_000, 3, 1)).await.unwrap(), Some(first_try(3)));
        assert_eq!(store.claim_schedule(hourly(3_600_000, 4, 2)).await.unwrap(), None);
        let ended = store.commit(Boundary::empty(schedule_fence(3), 3_601_000)).await.unwrap();
        assert_eq!(ended, BoundaryEnd::Done(Vec::new()));
        let again = store.commit(Boundary::empty(schedule_fence(3), 3_602_000)).await.unwrap();
        assert_eq!(again, BoundaryEnd::Fenced);
        let state = store.schedule_states().await.unwrap().remove(0);
        assert_eq!(
            (state.next_due_ms, state.last_run_ms, state.running),
            (7_200_000, Some(3_601_000), false)
        );
        // Hours that nobody was there for are one run.
        assert_eq!(store.claim_schedule(hourly(18_000_000, 5, 1)).await.unwrap(), Some(first_try(5)));
        assert!(store.fail_schedule("nightly".to_owned(), 5, 18_000_500, "no".to_owned()).await.unwrap());
        let state = store.schedule_states().await.unwrap().remove(0);
        assert_eq!((state.next_due_ms, state.last_error.as_deref()), (21_600_000, Some("no")));
    });
}

#[test]
fn a_run_of_a_schedule_that_was_lost_runs_again_and_another_spec_is_due_anew() {
    let (_directory, store) = opened();
    block_on(async {
        store.claim_schedule(hourly(0, 1, 1)).await.unwrap();
        store.claim_schedule(hourly(3_600_000, 2, 1)).await.unwrap();
        // Instance 1 is heard from at its claim, and then no more.
        assert_eq!(store.claim_schedule(hourly(3_620_000, 3, 2)).await.unwrap(), None);
        let taken = store.claim_schedule(hourly(3_660_000, 4, 2)).await.unwrap();
        assert_eq!(taken, Some(ScheduleClaim { token: 4, lost_before: true }));
        assert!(!store.fail_schedule("nightly".to_owned(), 2, 3_660_001, "late".to_owned()).await.unwrap());
        assert!(store.give_back_schedule("nightly".to_owned(), 4, 3_600_000).await.unwrap());
        assert_eq!(store.claim_schedule(hourly(3_720_000, 5, 2)).await.unwrap(), Some(first_try(5)));
        store.commit(Boundary::empty(schedule_fence(5), 3_720_001)).await.unwrap();
        let daily = |at_ms, token| ClaimSchedule {
            spec: "daily 03:00 Europe/London".to_owned(),
            next_due_ms: 9_000_000,
            ..hourly(at_ms, token, 1)
        };
        assert_eq!(store.claim_schedule(daily(7_200_000, 6)).await.unwrap(), None);
        assert_eq!(store.schedule_rows().await.unwrap()[0].next_due_ms, 9_000_000);
        assert_eq!(store.claim_schedule(daily(9_000_000, 7)).await.unwrap(), Some(first_try(7)));
    });
}

fn run_of(batch: &str, created_at_ms: i64) -> NewRun {
    NewRun { batch: batch.to_owned(), input: Some("{}".to_owned()), trace: None, created_at_ms }
}

fn claim_run(now_ms: i64, token: i64, instance: i64) -> ClaimRun {
    ClaimRun {
        now_ms,
        token,
        instance,
        until_ms: now_ms + 600_000,
        silent_ms: SILENT_MS,
        batches: vec!["recount".to_owned()],
        running: Vec::new(),
    }
}

fn step(held: Held, before: u64, cursor: Option<&str>) -> Boundary {
    let skipped = vec![Skipped { key: "k".to_owned(), problem: "text".to_owned() }];
    Boundary::empty(Fence::Step { held, before, cursor: cursor.map(str::to_owned), skipped }, 5_000)
}

#[test]
fn a_batch_run_goes_on_after_its_last_committed_step() {
    let (_directory, store) = opened();
    block_on(async {
        store.start_run(run_of("other", 0)).await.unwrap();
        let id = store.start_run(run_of("recount", 1_000)).await.unwrap();
        assert_eq!(store.claim_run(claim_run(999, 1, 1)).await.unwrap(), None);
        let first = store.claim_run(claim_run(1_000, 2, 1)).await.unwrap().unwrap();
        assert_eq!((first.id, first.attempts, first.cursor.as_deref()), (id, 1, None));
        assert_eq!(
            store.commit(step(first.held(), 0, Some("a"))).await.unwrap(),
            BoundaryEnd::Done(Vec::new())
        );
        assert!(store.renew_run(first.held(), 900_000).await.unwrap());
        assert!(store.retry_run(first.held(), 2_000, "no".to_owned()).await.unwrap());
        assert_eq!(store.commit(step(first.held(), 1, None)).await.unwrap(), BoundaryEnd::Fenced);
        let second = store.claim_run(claim_run(2_000, 3, 1)).await.unwrap().unwrap();
        assert_eq!((second.attempts, second.steps, second.cursor.as_deref()), (2, 1, Some("a")));
        assert!(store.give_back_run(second.held(), 3_000).await.unwrap());
        let third = store.claim_run(claim_run(3_000, 4, 1)).await.unwrap().unwrap();
        assert_eq!(third.attempts, 2);
        // Its process died: another takes it, and the lost attempt counts.
        assert_eq!(store.claim_run(claim_run(4_000, 5, 2)).await.unwrap(), None);
        let fourth = store.claim_run(claim_run(3_000 + SILENT_MS, 6, 2)).await.unwrap().unwrap();
        assert_eq!((fourth.id, fourth.attempts), (id, 3));
        store.commit(step(fourth.held(), 1, None)).await.unwrap();
        let shown = "SELECT state || steps || skipped || last_skipped FROM jadpo_batch_runs WHERE id = 2";
        assert_eq!(column(&store, shown).await, r#"done22["k","text"]"#);
        let counts = store.run_counts().await.unwrap();
        assert_eq!((counts.pending, counts.done), (1, 1));
    });
}

#[test]
fn a_failed_run_is_shown_discarded_and_made_again() {
    let (_directory, store) = opened();
    block_on(async {
        let id = store.start_run(run_of("recount", 0)).await.unwrap();
        let claimed = store.claim_run(claim_run(0, 1, 1)).await.unwrap().unwrap();
        assert!(!store.discard_run(id, 1).await.unwrap(), "it runs");
        assert!(store.fail_run(claimed.held(), 10, "no".to_owned()).await.unwrap());
        assert_eq!(store.failed_runs(9).await.unwrap()[0].error, "no");
        assert!(store.discard_run(id, 11).await.unwrap());
        assert_eq!(
            store.replay_run(id, 12).await.unwrap(),
            Some(SetOff::Run { id, batch: "recount".to_owned(), claimed: None })
        );
        assert_eq!(store.lag(20).await.unwrap(), Lag { deliveries_ms: None, runs_ms: Some(8) });
    });
}

#[test]
fn the_outlook_tells_when_a_run_can_be_claimed_or_counts_as_lost() {
    let (_directory, store) = opened();
    let asked = |running_runs: &[i64]| OutlookAsked {
        now_ms: 0,
        subscribers: Vec::new(),
        instance: 2,
        silent_ms: SILENT_MS,
        running: Vec::new(),
        batches: vec!["recount".to_owned()],
        running_runs: running_runs.to_vec(),
    };
    block_on(async {
        store.start_run(run_of("other", 0)).await.unwrap();
        let id = store.start_run(run_of("recount", 7)).await.unwrap();
        assert_eq!(store.outlook(asked(&[])).await.unwrap().run_due_ms, Some(7));
        store.claim_run(claim_run(10, 1, 1)).await.unwrap().unwrap();
        assert_eq!(store.outlook(asked(&[])).await.unwrap().run_due_ms, Some(10 + SILENT_MS));
        assert_eq!(store.outlook(asked(&[id])).await.unwrap().run_due_ms, None);
    });
}

fn event() -> NewEvent {
    let hears = |name: &str| NewDelivery { subscriber: name.to_owned(), give_up_ms: 1_000 };
    NewEvent {
        name: "app.Opened".to_owned(),
        source: None,
        external_id: None,
        occurred_at_ms: 5,
        payload: "{}".to_owned(),
        trace: None,
        created_at_ms: 5,
        deliveries: vec![hears("ours"), hears("theirs")],
    }
}

#[test]
fn a_commit_claims_what_it_sets_off_where_it_is_asked_to() {
    let (_directory, store) = opened();
    block_on(async {
        let claim = ClaimOwn {
            token: 9,
            instance: 1,
            until_ms: 100,
            subscribers: vec!["ours".to_owned()],
            batches: vec!["recount".to_owned()],
        };
        let runs = vec![run_of("recount", 5), run_of("other", 5)];
        let boundary =
            Boundary { events: vec![event()], runs, claim: Some(claim), ..Boundary::empty(Fence::Free, 5) };
        let BoundaryEnd::Done(set_off) = store.commit(boundary).await.unwrap() else { panic!("not done") };
        let claimed = set_off.iter().map(|one| match one {
            SetOff::Delivery { claimed, .. } => claimed.as_ref().map(|claimed| claimed.held()),
            SetOff::Run { claimed, .. } => claimed.as_ref().map(|claimed| claimed.held()),
        });
        let first = Held { id: 1, token: 9 };
        assert_eq!(claimed.collect::<Vec<_>>(), [Some(first), None, Some(first), None]);
        assert_eq!(
            store.commit(Boundary::empty(Fence::Delivery(first), 6)).await.unwrap(),
            BoundaryEnd::Done(Vec::new())
        );
        assert!(store.fail_run(first, 7, "no".to_owned()).await.unwrap());
    });
}

#[test]
fn a_delivery_kept_elsewhere_is_received_once_and_finished_there() {
    let (_directory, store) = opened();
    block_on(async {
        let received = || Fence::Received { store: "other".to_owned(), delivery: 1 };
        let boundary = || Boundary { events: vec![event()], ..Boundary::empty(received(), 5) };
        assert!(matches!(store.commit(boundary()).await.unwrap(), BoundaryEnd::Done(_)));
        assert_eq!(store.commit(boundary()).await.unwrap(), BoundaryEnd::Received);
        assert_eq!(store.commit(Boundary::empty(received(), 5)).await.unwrap(), BoundaryEnd::Received);
        assert_eq!(store.delivery_counts().await.unwrap().pending, 2);
        assert!(!store.finish_delivery(Held { id: 1, token: 1 }, 6).await.unwrap());
    });
}

#[test]
fn an_operator_discards_a_delivery_and_has_it_made_again() {
    let (_directory, store) = opened();
    block_on(async {
        let boundary = Boundary { events: vec![event()], ..Boundary::empty(Fence::Free, 5) };
        store.commit(boundary).await.unwrap();
        assert_eq!(store.lag(25).await.unwrap(), Lag { deliveries_ms: Some(20), runs_ms: None });
        for id in [1, 2] {
            assert!(store.discard_delivery(id, 30).await.unwrap());
            assert!(!store.discard_delivery(id, 30).await.unwrap());
        }
        let within_ms = vec![("ours".to_owned(), 600)];
        let replay = |id| ReplayDelivery { id, now_ms: 40, within_ms: within_ms.clone() };
        let due = SetOff::Delivery {
            id: 1,
            subscriber: "ours".to_owned(),
            due_ms: 40,
            give_up_ms: 640,
            claimed: None,
        };
        assert_eq!(store.replay_delivery(replay(1)).await.unwrap(), Some(due));
        assert_eq!(store.replay_delivery(replay(1)).await.unwrap(), None);
        assert_eq!(store.replay_delivery(replay(2)).await.unwrap(), None, "nobody makes it");
        assert!(!store.poll_now("poll a.b".to_owned(), 50).await.unwrap());
    });
}

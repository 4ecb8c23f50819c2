//! Schedules and batch runs: claimed by one, resumed after the last step that was kept, taken over when lost.

use super::{ME, NOW, on_each};
use crate::store::{
    Boundary, BoundaryEnd, ClaimRun, ClaimSchedule, Fence, Held, NewRun, ScheduleClaim, Skipped,
};

const EVERY: i64 = 3_600_000;

fn schedule(tick_ms: i64, token: i64, instance: i64) -> ClaimSchedule {
    ClaimSchedule {
        name: "nightly".to_owned(),
        tick_ms,
        now_ms: tick_ms + 1,
        next_due_ms: tick_ms + EVERY,
        spec: "every 3600000".to_owned(),
        token,
        instance,
        until_ms: tick_ms + 120_000,
        silent_ms: 30_000,
    }
}

fn run(now_ms: i64, token: i64, instance: i64) -> ClaimRun {
    ClaimRun {
        now_ms,
        token,
        instance,
        until_ms: now_ms + 120_000,
        silent_ms: 30_000,
        batches: vec!["recount".to_owned()],
        running: Vec::new(),
    }
}

fn new_run(batch: &str, at_ms: i64) -> NewRun {
    NewRun { batch: batch.to_owned(), input: Some("{}".to_owned()), trace: None, created_at_ms: at_ms }
}

#[test]
fn a_schedule_whose_claim_had_no_answer_is_due_again() {
    on_each(async |subject| {
        let store = &subject.store;
        store.claim_schedule(schedule(NOW, 1, ME)).await.unwrap();
        let due = NOW + EVERY;
        store.claim_schedule(schedule(due, 2, ME)).await.unwrap().unwrap();
        let given = store.give_back_unstarted(vec![2], due + 5).await.unwrap();
        assert_eq!((given.schedules, given.deliveries, given.runs), (1, 0, 0));
        let state = store.schedule_states().await.unwrap().remove(0);
        assert_eq!((state.running, state.next_due_ms), (false, due + 5));
        let again = store.claim_schedule(schedule(due + 60_000, 3, ME)).await.unwrap();
        assert_eq!(again, Some(ScheduleClaim { token: 3, lost_before: false }));
    });
}

#[test]
fn a_schedule_runs_at_its_time_on_one_instance() {
    on_each(async |subject| {
        let store = &subject.store;
        assert_eq!(store.claim_schedule(schedule(NOW, 1, ME)).await.unwrap(), None, "it is counted from now");
        assert_eq!(store.claim_schedule(schedule(NOW + EVERY - 60_000, 2, ME)).await.unwrap(), None);
        let due = NOW + EVERY;
        let claim = store.claim_schedule(schedule(due, 3, ME)).await.unwrap();
        assert_eq!(claim, Some(ScheduleClaim { token: 3, lost_before: false }));
        assert_eq!(store.claim_schedule(schedule(due, 4, 8)).await.unwrap(), None);
        let fence = |token| Fence::Schedule { name: "nightly".to_owned(), token };
        assert_eq!(subject.commit(Boundary::empty(fence(4), due + 5)).await, BoundaryEnd::Fenced);
        assert_eq!(subject.commit(Boundary::empty(fence(3), due + 5)).await, BoundaryEnd::Done(Vec::new()));
        let state = store.schedule_states().await.unwrap().remove(0);
        assert_eq!(
            (state.next_due_ms, state.running, state.last_run_ms),
            (due + EVERY, false, Some(due + 5))
        );
        assert_eq!(store.claim_schedule(schedule(due, 5, ME)).await.unwrap(), None, "once for each time");
    });
}

#[test]
fn a_lost_run_is_owed_and_a_failed_one_waits() {
    on_each(async |subject| {
        let store = &subject.store;
        store.claim_schedule(schedule(NOW, 1, ME)).await.unwrap();
        let due = NOW + EVERY;
        store.claim_schedule(schedule(due, 2, ME)).await.unwrap().unwrap();
        assert_eq!(store.claim_schedule(schedule(due + 20_000, 3, 8)).await.unwrap(), None);
        let taken = store.claim_schedule(schedule(due + 60_000, 3, 8)).await.unwrap();
        assert_eq!(taken, Some(ScheduleClaim { token: 3, lost_before: true }));
        let name = || "nightly".to_owned();
        assert!(!store.fail_schedule(name(), 2, due, "x".to_owned()).await.unwrap());
        assert!(store.fail_schedule(name(), 3, due + 61_000, "it broke".to_owned()).await.unwrap());
        let state = store.schedule_states().await.unwrap().remove(0);
        assert_eq!((state.last_error.as_deref(), state.failed_at_ms), (Some("it broke"), Some(due + 61_000)));
        assert_eq!(store.claim_schedule(schedule(due + 120_000, 4, ME)).await.unwrap(), None);
        let again = store.claim_schedule(schedule(due + 60_000 + EVERY, 5, ME)).await.unwrap();
        assert_eq!(again, Some(ScheduleClaim { token: 5, lost_before: false }));
        assert!(store.give_back_schedule(name(), 5, NOW).await.unwrap());
        let row = store.schedule_rows().await.unwrap().remove(0);
        assert_eq!((row.next_due_ms, row.claimed_until_ms), (NOW, None));
    });
}

#[test]
fn another_time_is_counted_anew_and_not_run() {
    on_each(async |subject| {
        let store = &subject.store;
        store.claim_schedule(schedule(NOW, 1, ME)).await.unwrap();
        let other = ClaimSchedule { spec: "every 60000".to_owned(), ..schedule(NOW + 60_000, 2, ME) };
        assert_eq!(store.claim_schedule(other).await.unwrap(), None);
        let row = store.schedule_rows().await.unwrap().remove(0);
        assert_eq!((row.next_due_ms, &*row.spec), (NOW + 60_000 + EVERY, "every 60000"));
    });
}

#[test]
fn a_run_goes_on_where_its_last_step_ended() {
    on_each(async |subject| {
        let store = &subject.store;
        let id = store.start_run(new_run("recount", NOW)).await.unwrap();
        store.start_run(new_run("other", NOW - 5)).await.unwrap();
        assert_eq!(store.claim_run(run(NOW - 1, 1, ME)).await.unwrap(), None);
        let claimed = store.claim_run(run(NOW, 2, ME)).await.unwrap().unwrap();
        assert_eq!(
            (claimed.id, claimed.attempts, claimed.steps, claimed.cursor.as_deref()),
            (id, 1, 0, None)
        );
        assert_eq!(store.claim_run(run(NOW, 3, 8)).await.unwrap(), None);
        let step = |token, before, cursor: Option<&str>| Fence::Step {
            held: Held { id, token },
            before,
            cursor: cursor.map(str::to_owned),
            skipped: vec![Skipped { key: "k".to_owned(), problem: "too long".to_owned() }],
        };
        let done = BoundaryEnd::Done(Vec::new());
        assert_eq!(subject.commit(Boundary::empty(step(2, 0, Some("40")), NOW)).await, done);
        let again = subject.commit(Boundary::empty(step(2, 0, Some("40")), NOW)).await;
        assert_eq!(again, BoundaryEnd::Fenced, "a commit whose answer was lost is not made again");
        assert_eq!(subject.commit(Boundary::empty(step(2, 0, None), NOW)).await, BoundaryEnd::Fenced);
        assert_eq!(subject.commit(Boundary::empty(step(9, 1, Some("80")), NOW)).await, BoundaryEnd::Fenced);
        assert!(store.renew_run(Held { id, token: 2 }, NOW + 150_000).await.unwrap());
        assert_eq!(store.claim_run(run(NOW + 29_999, 4, 8)).await.unwrap(), None);
        let taken = store.claim_run(run(NOW + 30_000, 4, 8)).await.unwrap().unwrap();
        assert_eq!(
            (taken.cursor.as_deref(), taken.steps, taken.attempts),
            (Some("40"), 1, 2),
            "lost to silence"
        );
        assert_eq!(subject.commit(Boundary::empty(step(2, 1, None), NOW)).await, BoundaryEnd::Fenced);
        assert_eq!(subject.commit(Boundary::empty(step(4, 1, None), NOW)).await, done);
        assert_eq!(store.run_counts().await.unwrap().done, 1);
    });
}

#[test]
fn a_step_that_fails_comes_again_until_it_is_given_up() {
    on_each(async |subject| {
        let store = &subject.store;
        let id = store.start_run(new_run("recount", NOW)).await.unwrap();
        let held = store.claim_run(run(NOW, 1, ME)).await.unwrap().unwrap().held();
        assert!(store.retry_run(held, NOW + 10, "it failed".to_owned()).await.unwrap());
        assert!(!store.renew_run(held, NOW).await.unwrap());
        let again = store.claim_run(run(NOW + 10, 2, ME)).await.unwrap().unwrap();
        assert_eq!(again.attempts, 2);
        assert!(store.give_back_run(again.held(), NOW + 20).await.unwrap());
        let again = store.claim_run(run(NOW + 20, 3, ME)).await.unwrap().unwrap();
        assert_eq!(again.attempts, 2, "a give-back counts no attempt");
        assert!(store.fail_run(again.held(), NOW + 30, "for good".to_owned()).await.unwrap());
        let failed = store.failed_runs(9).await.unwrap();
        assert_eq!((failed[0].id, failed[0].attempts, &*failed[0].error), (id, 2, "for good"));
        assert_eq!(store.run_counts().await.unwrap().failed, 1);
    });
}

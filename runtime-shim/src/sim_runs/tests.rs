//! Runs in which one thing goes wrong, which some seed once found.

use super::checks;
use super::faults::Fault;
use super::scenario::chosen;
use super::world::World;
use crate::store::NewRun;

#[test]
fn a_step_whose_answer_is_lost_is_kept_once_and_its_run_goes_on_at_once() {
    chosen(false, async |world| {
        world.start();
        world.timers.sleep(1_000).await;
        world.faults.only("commit", Fault::Unanswered);
        let input = r#"{"btc":"1"}"#.to_owned();
        world.record.facts().runs.push(input.clone());
        let created_at_ms = world.timers.wall_ms();
        let run = NewRun { batch: "recount".to_owned(), input: Some(input), trace: None, created_at_ms };
        world.live[0].stores["main"].start_run(run).await.expect("the store answers");
        world.timers.sleep(20_000).await;
        assert!(checks::nothing_is_left(world).await, "{}", checks::left(world).await);
    });
}

/// Loses the answer to the next statement of this name, and lets so much time pass: what it took has ended by then, though
/// nobody else could take it over and its lease goes on for a quarter of an hour.
fn loses(what: &'static str, then: &impl AsyncFn(&mut World<'_>), within_ms: u64) {
    for files in [false, true] {
        chosen(files, async |world| {
            world.faults.only(what, Fault::Unanswered);
            world.start();
            then(world).await;
            world.timers.sleep(within_ms).await;
            assert!(!world.faults.is_chosen(), "{what} was never asked");
            assert!(checks::nothing_is_left(world).await, "{what}: {}", checks::left(world).await);
        });
    }
}

#[test]
fn what_was_claimed_without_an_answer_is_taken_again_at_once() {
    // The first tick keeps a price, which two subscribers hear.
    loses("claim_deliveries", &async |_: &mut World<'_>| {}, 10_000);
}

#[test]
fn a_batch_run_that_was_claimed_without_an_answer_goes_on_at_once() {
    let starts = async |world: &mut World<'_>| {
        let input = r#"{"btc":"1"}"#.to_owned();
        world.record.facts().runs.push(input.clone());
        let created_at_ms = world.timers.wall_ms();
        let run = NewRun { batch: "recount".to_owned(), input: Some(input), trace: None, created_at_ms };
        world.live[0].stores["main"].start_run(run).await.expect("the store answers");
    };
    loses("claim_run", &starts, 10_000);
}

#[test]
fn a_schedule_that_was_claimed_without_an_answer_runs_at_the_next_tick() {
    let first_tick = async |world: &mut World<'_>| {
        world.faults.heal();
        world.timers.sleep(1_000).await;
        world.faults.only("claim_schedule", Fault::Unanswered);
    };
    loses("claim_schedule", &first_tick, 130_000);
}

#[test]
fn what_a_waiting_request_s_commit_set_off_is_taken_again_at_once() {
    let asks = async |world: &mut World<'_>| {
        world.faults.heal();
        world.timers.sleep(1_000).await;
        world.faults.only("commit", Fault::Unanswered);
        world.transfer();
    };
    loses("commit", &asks, 10_000);
}

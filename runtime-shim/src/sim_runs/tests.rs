//! Runs in which one thing goes wrong, which some seed once found.

use super::checks;
use super::faults::Fault;
use super::scenario::chosen;
use crate::store::NewRun;

#[test]
fn a_step_whose_answer_is_lost_is_kept_once_and_its_run_goes_on_at_once() {
    chosen(async |world| {
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

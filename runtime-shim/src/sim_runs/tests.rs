//! Runs in which one thing goes wrong, which some seed once found.

use super::checks;
use super::faults::Fault;
use super::scenario::chosen;

#[test]
fn a_step_whose_answer_is_lost_is_kept_once_and_its_run_goes_on_at_once() {
    chosen(async |world| {
        world.start();
        world.timers.sleep(1_000).await;
        // The first number starts a run; its commit is the second from now, and the first of a step.
        world.transfer();
        world.timers.sleep(0).await;
        world.faults.only("commit", Fault::Unanswered);
        world.timers.sleep(20_000).await;
        assert!(checks::nothing_is_left(world).await, "{}", checks::left(world).await);
    });
}

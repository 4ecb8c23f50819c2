//! The claim's statement and the rule in Rust say the same.

use proptest::prelude::*;

use crate::poll::is_due;
use crate::store::{ClaimPoll, PollRow};
use crate::trial::{Trial, fine};

const MINUTE_MS: i64 = 60_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_claim_takes_exactly_what_is_due(
        next in -5_i64..15,
        off_ms in -1_i64..=1,
        every_was in proptest::option::of(1_i64..8),
        every in 1_i64..8,
    ) {
        // One world for all cases: making a file for each would take longer than all of them together.
        thread_local!(static TRIAL: (Trial, crate::trial::Instance) = {
            let trial = Trial::new(|_| {});
            let instance = trial.start(0, fine);
            (trial, instance)
        });
        TRIAL.with(|(trial, instance)| {
            let row = PollRow {
                name: "p".to_owned(),
                next_due_ms: next * MINUTE_MS + off_ms,
                every_ms: every_was.map(|every| every * MINUTE_MS),
            };
            let every_was = row.every_ms.map_or("NULL".to_owned(), |every_ms| every_ms.to_string());
            trial.execute(&format!(
                "DELETE FROM jadpo_polls; INSERT INTO jadpo_polls (name, next_due_ms, every_ms, claim_no)
                 VALUES ('p', {}, {every_was}, 1)", row.next_due_ms
            ));
            let claim = ClaimPoll { name: "p".to_owned(), tick_ms: 0, every_ms: every * MINUTE_MS, keep_ms: 1 << 40 };
            let store = instance.open().store;
            let claimed = trial.sim.run(store.claim_poll(claim)).unwrap();
            prop_assert_eq!(claimed.is_some(), is_due(Some(&row), 0, every * MINUTE_MS));
            let rows = trial.sim.run(store.poll_rows()).unwrap();
            if claimed.is_some() {
                prop_assert_eq!(rows[0].next_due_ms, every * MINUTE_MS);
                prop_assert!(!is_due(Some(&rows[0]), 0, every * MINUTE_MS), "taken once");
            } else {
                prop_assert_eq!(&rows[0], &row);
            }
            Ok(())
        })?;
    }
}

#[test]
fn a_poll_that_never_ran_is_due() {
    assert!(is_due(None, i64::MIN, 60_000));
}

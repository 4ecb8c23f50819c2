//! The compiler warns by the sums that the runtime waits by, though neither may import the other.

use std::sync::Arc;

use jadpo_analysis::{model, worst_case};
use jadpo_runtime::budget::Budget;
use jadpo_runtime::call::retry;
use jadpo_runtime::plan;
use jadpo_runtime::sim::{Script, Sim};

#[test]
fn the_compiler_and_the_runtime_wait_alike() {
    for attempts in [1, 2, 3, 8, 10, 50, 63, 64, 65, 200] {
        for initial_ms in [100, 200, 5_000, 60_000, u64::MAX / 3] {
            for max_ms in [100, 5_000, 3_600_000, u64::MAX] {
                let warned = model::Retry { attempts, initial_ms, max_ms };
                let waited = plan::Retry { attempts, initial_ms, max_ms };
                for failed in 1..=attempts {
                    let (one, other) = (
                        worst_case::longest_wait_ms(&warned, failed),
                        retry::longest_wait_ms(&waited, failed),
                    );
                    assert_eq!(one, other, "{warned:?} after {failed}");
                }
                assert_eq!(
                    worst_case::longest_waits_ms(&warned),
                    retry::longest_waits_ms(&waited),
                    "{warned:?}"
                );
                for timeout_ms in [100, 10_000, 60_000] {
                    let (one, other) = (
                        worst_case::worst_call_ms(&warned, timeout_ms),
                        retry::worst_case_ms(&waited, timeout_ms),
                    );
                    assert_eq!(one, other, "{warned:?} and {timeout_ms}");
                }
            }
        }
    }
}

#[test]
fn the_compiler_and_the_runtime_keep_the_same_of_an_invocation_back() {
    let sim = Sim::new(0, 0, Arc::new(Script::new()));
    let host = sim.host(0);
    for budget_ms in [10, 999, 1_000, worst_case::WORKERS_BUDGET_MS, 49_999, 50_000, 60_000, 15 * 60_000] {
        let limit_ms = Budget::begin(&*host, budget_ms).run_limit_ms(0);
        assert_eq!(Some(worst_case::usable_ms(budget_ms)), limit_ms, "{budget_ms}");
    }
    assert_eq!(worst_case::usable_ms(worst_case::WORKERS_BUDGET_MS), 27_000);
}

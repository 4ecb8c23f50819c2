//! The compiler warns by the sums that the runtime waits by, though neither may import the other.

use jadpo_analysis::{model, worst_case};
use jadpo_runtime::call::retry;
use jadpo_runtime::plan;

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

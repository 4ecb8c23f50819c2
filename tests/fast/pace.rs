//! Whatever loop `check` accepts can sleep: with no worker freed and nothing that wakes it, two looks are apart.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::limits::LOOKS_APART_MS_MIN;
use jadpo_runtime::plan::{self, Plan};
use jadpo_runtime::runner::pause::Pace;
use proptest::prelude::*;

/// A time as it may be written, and in milliseconds; `None`: it isn't written.
type Written = Option<(String, u64)>;

/// One loop.
#[derive(Clone, Debug)]
struct Loop {
    poll_interval: Written,
    heartbeat: Written,
    initial: Written,
    max: Written,
    sleep_detection: Written,
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn a_loop_that_check_accepts_never_spins(
        configured in configured(),
        next in proptest::collection::vec(proptest::option::of(0_u64..5_000), 20),
        behind_us in proptest::collection::vec(0_u64..300_000, 20),
    ) {
        let accepted = plan_of(&configured);
        prop_assert_eq!(accepted.is_some(), can_sleep(&configured), "{}", manifest(&configured));
        if let Some(runner) = accepted {
            looks_are_apart(&runner, &next, &behind_us)?;
        }
    }
}

/// Every look of a loop without a free worker that nothing wakes is at least the least distance after the last, whatever is
/// due and however long a look takes.
fn looks_are_apart(
    runner: &plan::Runner,
    next: &[Option<u64>],
    took_us: &[u64],
) -> Result<(), TestCaseError> {
    let (mut pace, mut now_us) = (Pace::default(), 0);
    pace.look(now_us, true);
    for (next_ms, took_us) in next.iter().zip(took_us) {
        let looked_us = now_us;
        now_us += took_us;
        now_us += 1_000 * pace.pause_ms(runner, 0, *next_ms, now_us);
        // A clock of whole milliseconds may be one short.
        prop_assert!(
            now_us - looked_us >= (LOOKS_APART_MS_MIN - 1) * 1_000,
            "{runner:?} {next_ms:?} {took_us}"
        );
        pace.look(now_us, false);
    }
    Ok(())
}

/// The rules of the language page, said once more and otherwise.
fn can_sleep(configured: &Loop) -> bool {
    let ms = |written: &Written, default_ms| written.as_ref().map_or(default_ms, |(_, ms)| *ms);
    let sleeps = [ms(&configured.poll_interval, 1_000), ms(&configured.heartbeat, 10_000)];
    let (initial, max) = (ms(&configured.initial, 1_000), ms(&configured.max, 60_000));
    let detection = ms(&configured.sleep_detection, 180_000);
    sleeps.iter().any(|sleep| *sleep > 0)
        && sleeps.iter().all(|sleep| *sleep == 0 || (100..=60_000).contains(sleep))
        && initial >= 100
        && initial <= max
        && [max, sleeps[0], sleeps[1]].iter().all(|sleep| *sleep < detection)
}

fn configured() -> impl Strategy<Value = Loop> {
    let parts = (written(true), written(true), written(false), written(false), written(false));
    parts.prop_map(|(poll_interval, heartbeat, initial, max, sleep_detection)| Loop {
        poll_interval,
        heartbeat,
        initial,
        max,
        sleep_detection,
    })
}

/// Times about the bounds and between them, in every unit.
fn written(may_be_off: bool) -> impl Strategy<Value = Written> {
    let off = Just(Some(("0".to_owned(), 0))).prop_filter("it has no off", move |_| may_be_off);
    let times = prop_oneof![
        (1_u64..250).prop_map(|ms| (format!("{ms}ms"), ms)),
        (59_000_u64..61_001).prop_map(|ms| (format!("{ms}ms"), ms)),
        (1_u64..70).prop_map(|s| (format!("{s}s"), s * 1_000)),
        (1_u64..6).prop_map(|m| (format!("{m}m"), m * 60_000)),
    ];
    let times = times.prop_map(Some);
    if may_be_off {
        prop_oneof![2 => Just(None), 2 => off, 5 => times].boxed()
    } else {
        prop_oneof![4 => Just(None), 5 => times].boxed()
    }
}

/// The loop as the runtime reads it; `None` where `check` refuses it.
fn plan_of(configured: &Loop) -> Option<plan::Runner> {
    let mut system = MemorySystem::new();
    system.write("/project/app.jadpo", &*manifest(configured));
    let model = Workspace::open(Arc::new(system), Path::new("/project")).model()?;
    let output = jadpo_codegen::generate(&model);
    let plan: Plan = serde_json::from_str(&output.files["plan.json"]).unwrap();
    Some(plan.deployables["server"].runner)
}

fn manifest(configured: &Loop) -> String {
    let key = |key: &str, written: &Written| {
        written.as_ref().map(|(text, _)| format!("{key}: {text}  ")).unwrap_or_default()
    };
    format!(
        "app trading {{ }}\ndeployable server {{ target: native  runner: {{ at_capacity: {{ {}{}}}  backoff: {{ {}{}}}  {}}} }}\n",
        key("poll_interval", &configured.poll_interval),
        key("heartbeat", &configured.heartbeat),
        key("initial", &configured.initial),
        key("max", &configured.max),
        key("sleep_detection", &configured.sleep_detection),
    )
}

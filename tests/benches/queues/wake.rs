//! How soon a committed event's handler is entered: in the process that committed it, and in another one over the same
//! database; alone, at a thousand a second, and at half the rate at which one process can both commit events and make their
//! deliveries.

use std::io::Write;
use std::sync::Arc;

use jadpo_runtime::serve::serve;

use super::app::{executor, served};
use super::board;
use super::cluster::Cluster;
use super::database::{execute, fresh, number};
use super::medians::Medians;
use super::paced::{ALONE, FLOOD, Noted, Pace};
use super::tell;

/// Workers of the program that delivers.
const WORKERS: u32 = 256;

/// Measures each kind of wake, round by round.
pub fn measure(out: &mut impl Write, cluster: &Cluster, rounds: u32) {
    let plan = board::plan(WORKERS);
    let (mut medians, mut names) = (Medians::default(), Vec::new());
    for round in 1..=rounds {
        let most = run(&fresh(cluster, "board"), &plan, FLOOD, false).rate();
        tell(out, &format!("{round}: {most:.0} events/s are committed and delivered at most"));
        for (pace, called) in
            [(ALONE, "alone"), (Pace::of(1_000.0), "1,000 a second"), (Pace::of(most / 2.0), "half")]
        {
            for across in [false, true] {
                let waits = run(&fresh(cluster, "board"), &plan, pace, across).waits();
                let name = format!("{called}, {}", if across { "across instances" } else { "in process" });
                tell(out, &format!("{round}: wake-up, {name}, {:.0} events/s: {waits}", pace.rate()));
                medians.add(&format!("{name}, 50"), waits.below_ms(50));
                medians.add(&format!("{name}, 99"), waits.below_ms(99));
                if round == 1 {
                    names.push(name);
                }
            }
        }
    }
    for name in names {
        let [half, most] = [50, 99].map(|of_hundred| medians.of(&format!("{name}, {of_hundred}")));
        tell(out, &format!("wake-up, {name}: median {half:.2} ms, 99 of 100 below {most:.2} ms"));
    }
}

fn run(url: &str, plan: &str, pace: Pace, across: bool) -> Arc<Noted> {
    let executor = executor();
    let noted = Arc::new(Noted::new(pace));
    let server = board::ready(&executor, plan, "server", url, &noted);
    let front = across.then(|| board::ready(&executor, plan, "front", url, &noted));
    execute(url, "VACUUM (ANALYZE)");
    let emitter = front.as_ref().map_or(&server.engine, |front| &front.engine).clone();
    executor.block_on(async {
        let front = front.map(|front| (front.engine.clone(), tokio::spawn(serve(front))));
        served(server, noted.emitted(&emitter, pace)).await;
        if let Some((engine, serving)) = front {
            engine.stop.ask();
            assert_eq!(serving.await.expect("it ends").dropped, 0);
        }
    });
    let done = number(url, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done' AND attempts = 1");
    assert_eq!(done, i64::from(pace.events), "each is done");
    noted
}

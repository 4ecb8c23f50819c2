//! What the app of these tests means.

use super::DESK;
use crate::model::{Segment, Type, TypeRef, When};
use crate::tests::open;

fn own(name: &str) -> TypeRef {
    TypeRef { package: None, name: name.to_owned() }
}

#[test]
fn an_action_is_given_answers_and_does_what_it_says() {
    let model = open(DESK).model().unwrap();
    let app = &model.app;
    let action = &app.actions["open_ticket"];
    assert!(action.public && action.doc == "Takes in a ticket.");
    assert_eq!((action.store.as_str(), &action.input), ("main", &Some(own("NewTicket"))));
    assert_eq!(action.output, Some(Type::Named(own("Ticket"))));
    assert_eq!((&action.emits[..], &action.uses[..]), (&[own("TicketOpened")][..], &["post".to_owned()][..]));
    let stale = &app.actions["close_stale"];
    assert!(!stale.public && stale.input.is_none() && stale.output.is_none());
    assert_eq!(stale.starts.iter().map(String::as_str).collect::<Vec<_>>(), ["close_all", "rate_tickets"]);
}

#[test]
fn a_route_has_its_segments_and_its_defaults() {
    let model = open(DESK).model().unwrap();
    let app = &model.app;
    let text = |text: &str| Segment::Text(text.to_owned());
    let put = &app.routes["put_closing"];
    assert_eq!(put.path, [text("tickets"), Segment::Input("id".to_owned()), text("closing")]);
    assert_eq!((put.method.as_str(), put.action.as_str()), ("PUT", "close_ticket"));
    assert_eq!((put.settle, put.within_ms, put.bearer.as_deref()), (false, 30_000, Some("DESK_TOKEN")));
    let post = &app.routes["post_ticket"];
    assert_eq!((post.settle, post.within_ms, &post.path[..]), (true, 10_000, &[text("tickets")][..]));
    assert_eq!(app.routes["get_tickets"].bearer, None);
}

#[test]
fn a_schedule_runs_at_an_interval_or_a_time_of_day() {
    let model = open(DESK).model().unwrap();
    let app = &model.app;
    let daily = When::Daily { hour: 3, minute: 0, zone: "Europe/London".to_owned() };
    assert_eq!(app.schedules["close_stale_daily"].when, daily);
    let often = &app.schedules["close_stale_often"];
    assert_eq!((&often.when, often.action.as_str()), (&When::Every { ms: 300_000 }, "close_stale"));
}

#[test]
fn batches_and_backfills_have_steps_in_a_store() {
    let model = open(DESK).model().unwrap();
    let app = &model.app;
    let batch = &app.batches["close_all"];
    assert_eq!((batch.store.as_str(), &batch.input, batch.size), ("main", &Some(own("CloseAll")), 50));
    let backfill = &app.backfills["rate_tickets"];
    assert_eq!((&backfill.record, backfill.field.as_str(), backfill.size), (&own("Ticket"), "priority", 20));
}

#[test]
fn a_package_that_only_an_action_names_is_part_of_the_app() {
    let text = DESK
        .replace(
            "connection post {\n    package: letters\n    settings: { token: env(\"LETTERS_TOKEN\") }\n}\n",
            "",
        )
        .replace("  uses: [post]", "")
        .replace("    uses: [post]\n", "")
        .replace("  stamp: letters.Stamp optional", "")
        .replace("output: List<Ticket>", "output: List<letters.Stamp>");
    let model = open(&text).model().unwrap();
    assert!(model.packages.contains_key("letters"));
    let renamed = text.replace("input: NewTicket", "input: Given\n    store: main") + "\n";
    let renamed = renamed.replace("type NewTicket = ", "type Given = NewTicket\n\ntype NewTicket = ");
    assert_eq!(open(&renamed).model().unwrap().app.actions["open_ticket"].input, Some(own("NewTicket")));
}

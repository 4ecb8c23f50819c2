//! What is run again for names, stores and packages, a fixture and an edit a case. The test's name is the promise.

use super::incremental::{APP, Logged, app};
use super::packages::with_entries;

/// What one edit of a file re-runs.
#[track_caller]
fn edit(fixture: &str, path: &str, from: &str, to: &str) -> String {
    Logged::open(fixture).edit(path, from, to)
}

/// What one edit of a package re-runs, with these entries in the provider of `coinfeed`.
#[track_caller]
fn package(entries: &str, from: &str, to: &str) -> String {
    edit(&format!("{APP}{}", with_entries(entries)), "packages/coinfeed/provider.jadpo", from, to)
}

#[test]
fn a_connections_name_is_looked_up_anew() {
    insta::assert_snapshot!(edit(&app(), "app.jadpo", "connection twin", "connection twice"), @"check x3, clashes, connection_signature, connections, databases, doubled_polls, events_store, file_decls, file_diagnostics, file_items, has_declaration, heard_connections x2, listeners, live_polls, lookup x5, on_workers, owner, package_name, parse, scope_index, short_calls, stores, unheard_events, unrun_batches, what_runs");
}

#[test]
fn blank_lines_and_comments_recheck_nothing() {
    insta::assert_snapshot!(edit(&app(), "app.jadpo", "\nsubscriber update {", "\n\n// Now.\n\nsubscriber update {"), @"file_items");
    insta::assert_snapshot!(edit(&app(), "packages/weather/provider.jadpo", "\ntype Now", "\n\n// Now.\ntype Now"), @"file_items");
}

#[test]
fn a_packages_name_is_compared_with_those_of_the_others() {
    insta::assert_snapshot!(edit(&app(), "packages/weather/provider.jadpo", "provider weather", "provider coinfeed"), @"check x7, clashes, connections, doubled_polls, file_decls, file_diagnostics x3, file_items, has_package, heard_connections x2, is_broken, line_index x3, listeners, live_polls x3, lookup x3, on_workers, owner, package_clashes, packages, parse, parts, provider_signature, scope_index, short_calls, type_graph, unheard_events, unrun_batches, what_runs");
}

#[test]
fn what_names_an_unknown_package_waits_for_one_without_a_name() {
    let unknown = app().replace("package: weather", "package: whether");
    insta::assert_snapshot!(edit(&unknown, "packages/weather/provider.jadpo", "provider weather", "provider"), @"cases, check x7, clashes, connections, file_decls, file_diagnostics x2, file_items, has_package, is_broken, line_index, listeners, live_polls x3, lookup x4, owner, package_clashes, packages, parse, provider_signature, scope_index, type_graph");
}

#[test]
fn what_names_an_unknown_connection_waits_for_one_without_a_name() {
    let unknown = app().replace("uses: [feed]", "uses: [feet]");
    insta::assert_snapshot!(edit(&unknown, "app.jadpo", "connection twin {", "connection {"), @"check x5, clashes, connection_signature, connections, databases, doubled_polls, events_store, file_decls, file_diagnostics, file_items, has_declaration, line_index, listeners, live_polls x3, lookup x6, may_be, on_workers, owner, package_name, parse, scope_index, short_calls, stores, unheard_events, unrun_batches, what_runs");
}

#[test]
fn names_that_differ_in_case_are_compared_anew() {
    let alike = app().replace("connection twin", "connection Feed");
    insta::assert_snapshot!(edit(&alike, "app.jadpo", "connection Feed", "connection FEED"), @"cased, check x3, clashes, connection_signature, connections, databases, differs_in_case, doubled_polls, events_store, file_decls, file_diagnostics, file_items, has_declaration, heard_connections x2, line_index, listeners, live_polls, lookup x5, on_workers, owner, package_name, parse, scope_index, short_calls, stores, unheard_events, unrun_batches, what_runs");
}

#[test]
fn another_store_asks_where_everything_is_kept() {
    insta::assert_snapshot!(edit(&app(), "app.jadpo", "store main", "store first"), @"check x7, clashes, connections, databases, doubled_polls, events_store x3, file_decls, file_diagnostics, file_items, first_in, has_declaration, is_broken, listeners, lookup x5, on_workers, owner, parse, parts, scope_index, short_calls, store_signature, stores, unheard_events, unrun_batches, what_runs, written_store x2");
}

#[test]
fn a_store_that_is_gone_asks_who_needs_one() {
    insta::assert_snapshot!(edit(&app(), "app.jadpo", "store main { engine: sqlite(\"data/trading.db\") }", ""), @"check x6, clashes, connections, doubled_polls, events_store x3, file_decls, file_diagnostics, file_items, has_declaration, line_index, listeners, lookup x4, on_workers, owner, parts, scope_index, short_calls, stores, unheard_events, unrun_batches, what_runs, written_store x2");
}

#[test]
fn the_name_of_an_event_on_the_wire_is_compared_with_the_others() {
    let named = app().replace("type Hidden = Event {", "type Hidden = Event { wire_name: \"hidden\" ");
    insta::assert_snapshot!(edit(&named, "packages/coinfeed/provider.jadpo", "\"hidden\"", "\"seen\""), @"check, file_items, first_events, links, parse, same_wire_name, type_signature");
}

#[test]
fn a_decoder_is_compared_with_the_others() {
    let decoded = app().replace("path: \"/v1/note\"", "path: \"/v1/note\"  decode: read_note");
    insta::assert_snapshot!(edit(&decoded, "packages/coinfeed/provider.jadpo", "read_note", "note_of"), @"check, file_items, first_decoded, is_broken, operation_signature, parse, same_decoder, type_graph");
}

#[test]
fn a_setting_that_is_added_rechecks_who_gives_settings() {
    insta::assert_snapshot!(package("settings: { depth: Int { default: 10 } }", "{ depth:", "{ level: Int { default: 1 }  depth:"), @"cases, check x3, facts, file_items, is_broken, live_polls x2, parse, poll_names, provider_signature");
}

#[test]
fn settings_that_cant_be_read_ask_who_gives_some() {
    let settings = "settings: { depth: Int { default: 10 } }";
    let unknown = app().replace("\"/v1/note\"", "\"/v1/note/{settings.level}\"");
    insta::assert_snapshot!(edit(&unknown, "packages/coinfeed/provider.jadpo", settings, "settings: 7"), @"cases, check x4, facts, file_diagnostics, file_items, is_broken, line_index, live_polls x2, parse, poll_names, provider_signature, settings, settings_known");
}

#[test]
fn polls_that_cant_be_read_ask_who_names_some() {
    insta::assert_snapshot!(package("", "        prices: {\n", "        prices: 7\n"), @"cases, check x4, doubled_polls, facts, file_diagnostics x2, file_items, is_broken, line_index, live_polls x2, on_workers, parse, parts, poll_names, polls_known, provider_signature, short_calls, unheard_events, unrun_batches, what_runs");
}

#[test]
fn the_header_that_authenticates_rechecks_the_operations_of_its_package() {
    let auth = "settings: { key: Secret }  auth: header(\"X-Key\", settings.key)";
    let fixture = format!("{APP}{}", with_entries(auth))
        .replace("\"/v1/note\"", "\"/v1/note\"  headers: { \"X-A\": 1 }");
    insta::assert_snapshot!(edit(&fixture, "packages/coinfeed/provider.jadpo", "X-Key", "X-Token"), @"auth_headers, check x4, file_diagnostics, file_items, is_broken, line_index, parse, provider_signature");
    insta::assert_snapshot!(package(auth, "X-Key", "X-Token"), @"check x3, file_diagnostics, file_items, is_broken, line_index, parse, provider_signature");
}

#[test]
fn which_poll_emits_an_event_rechecks_that_event() {
    insta::assert_snapshot!(package("", "emits: PricesChanged", "emits: Hidden"), @"cases, check x4, doubled_polls, facts, file_diagnostics x2, file_items, is_broken x2, line_index, live_polls x2, lookup, on_workers, parse, parts, poll_names, provider_signature, short_calls, unheard_events, unrun_batches, what_runs");
}

#[test]
fn an_event_with_a_clock_asks_which_poll_emits_it() {
    let clock = app().replace("PricesChanged = Event { ", "PricesChanged = Event { as_of: Int  ");
    insta::assert_snapshot!(edit(&clock, "packages/coinfeed/provider.jadpo", "emits: PricesChanged", "emits: Hidden"), @"cases, check x5, doubled_polls, emitting_poll, facts, file_diagnostics, file_items, is_broken x2, line_index, live_polls x2, lookup, on_workers, parse, parts, poll_names, provider_signature, short_calls, unheard_events, unrun_batches, what_runs");
}

#[test]
fn without_a_store_one_writer_says_it_for_all() {
    let none = r"
//- /app.jadpo
app office { }

action open { }

action shut { }
";
    insta::assert_snapshot!(edit(none, "app.jadpo", "action open", "action begin"), @"action_signature, check x2, clashes, file_decls, file_diagnostics, file_items, first_writer, has_declaration, is_broken, line_index, on_workers, owner, parse, stores, unkept, written_store");
}

#[test]
fn an_operation_that_is_hidden_asks_who_calls_its_package() {
    insta::assert_snapshot!(package("", "public operation fetch_note", "operation fetch_note"), @"check x2, file_diagnostics, file_items, is_broken, line_index, may_be_called, parse, type_graph");
}

#[test]
fn where_an_event_of_the_app_is_kept_is_asked_by_who_hears_it() {
    let two = r#"
//- /app.jadpo
app office { }

store one { engine: sqlite("one.db") }

store two { engine: sqlite("two.db") }

type Opened = Event { id: Int }

action open { store: one  emits: [Opened] }

subscriber told { on: Opened  store: one }

subscriber untold { on: Opened }
"#;
    insta::assert_snapshot!(edit(two, "app.jadpo", "open { store: one", "open { store: two"), @"action_signature, check x2, emitted, file_diagnostics, file_items, is_broken, line_index, lookup, parse, written_store");
}

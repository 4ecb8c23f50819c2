//! Rules of `action`.

use super::{DESK, said};
use crate::tests::{brief, check};

#[test]
fn an_input_is_an_object() {
    insta::assert_snapshot!(said(&[
        ("input: Search", "input: Serch"),
        ("input: Search", "input: Status"),
        ("input: Search", "input: Search?"),
        ("input: Search", "input: List<Search>"),
        ("input: Search", "input: Map<Text, Search>"),
        ("input: Search", "input: Map<Int, Search>"),
        ("input: Search", "input: Text"),
        ("input: Search", "input: Text { max_length: 5 }"),
        ("input: Search", "input: TicketOpened"),
        ("input: Search", "input: \"Search\""),
        ("input: Search", "input: letters.Stamp"),
        ("input: Search", "input: letters.Stmp"),
        ("input: Search", "input: leters.Stamp"),
        ("input: Search", "input: Secret"),
        ("input: Search", "input:"),
        ("input: Search", "input: 5"),
    ]), @r#"
input: Search → input: Serch
app.jadpo:19:30 type.unknown there is no type `Serch`
  fix: write `Search`

input: Search → input: Status
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `Status`, which is an Enum

input: Search → input: Search?
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `Search?`, which may be null

input: Search → input: List<Search>
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `List<Search>`

input: Search → input: Map<Text, Search>
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `Map<Text, Search>`

input: Search → input: Map<Int, Search>
app.jadpo:19:34 type.value_invalid `Int` can't be the key of a `Map`

input: Search → input: Text
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `Text`

input: Search → input: Text { max_length: 5 }
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `Text { max_length: 5 }`

input: Search → input: TicketOpened
app.jadpo:19:30 action.value_invalid `input` takes an Object, not `TicketOpened`, which is an Event

input: Search → input: "Search"
app.jadpo:19:30 action.value_invalid `input` takes a type, not a string
  fix: write the name without quotes

input: Search → input: letters.Stamp
clean

input: Search → input: letters.Stmp
app.jadpo:19:38 type.unknown package `letters` has no type `Stmp`
  fix: write `Stamp`

input: Search → input: leters.Stamp
app.jadpo:19:30 type.unknown there is no package `leters`
  fix: write `letters`

input: Search → input: Secret
app.jadpo:19:30 type.value_invalid a `Secret` stands in a provider's `settings:` only

input: Search → input:
app.jadpo:19:23 action.value_invalid `input` has no value: it takes a type

input: Search → input: 5
app.jadpo:19:30 action.value_invalid `input` takes a type, not `5`
"#);
}

#[test]
fn an_input_can_be_written() {
    let reading = DESK.replace(
        "public type Stamp = Object {",
        "public type Stamp = Object { kind: Text at \"/meta/kind\" ",
    );
    insta::assert_snapshot!(brief(&reading), @"app.jadpo:13:12 action.value_invalid `NewTicket` holds `Stamp`, which can only be read, so it is no input");
    let alone = reading
        .replace("  stamp: letters.Stamp optional", "")
        .replace("input: Search", "input: letters.Stamp");
    insta::assert_snapshot!(brief(&alone), @"app.jadpo:19:30 action.value_invalid `Stamp` can only be read, so it is no input");
}

#[test]
fn an_output_is_any_type_but_a_secret() {
    insta::assert_snapshot!(said(&[
        ("output: List<Ticket>", "output: Json"),
        ("output: List<Ticket>", "output: Int?"),
        ("output: List<Ticket>", "output: TicketOpened"),
        ("output: List<Ticket>", "output: letters.Stamp"),
        ("output: List<Ticket>", "output: Secret"),
        ("output: List<Ticket>", "output: List<Tiket>"),
        ("output: List<Ticket>", "output: List"),
        ("output: List<Ticket>", "output: Object { id: Int }"),
    ]), @"
output: List<Ticket> → output: Json
clean

output: List<Ticket> → output: Int?
clean

output: List<Ticket> → output: TicketOpened
clean

output: List<Ticket> → output: letters.Stamp
clean

output: List<Ticket> → output: Secret
app.jadpo:19:46 type.value_invalid a `Secret` stands in a provider's `settings:` only

output: List<Ticket> → output: List<Tiket>
app.jadpo:19:51 type.unknown there is no type `Tiket`
  fix: write `Ticket`

output: List<Ticket> → output: List
app.jadpo:19:46 type.value_invalid `List` is written `List<T>`

output: List<Ticket> → output: Object { id: Int }
app.jadpo:19:46 syntax.inline_shape `Object` opens the body of a type declaration and nothing else
");
}

#[test]
fn what_an_action_emits_starts_and_calls_is_there() {
    insta::assert_snapshot!(said(&[
        ("emits: [TicketClosed]  starts", "emits: [TicketClosd]  starts"),
        ("emits: [TicketClosed]  starts", "emits: [Ticket]  starts"),
        ("emits: [TicketClosed]  starts", "emits: [TicketClosed, TicketClosed]  starts"),
        ("emits: [TicketClosed]  starts", "emits: TicketClosed  starts"),
        ("starts: [close_all] }", "starts: [close_al] }"),
        ("starts: [close_all] }", "starts: [rate_ticket] }"),
        ("starts: [close_all] }", "starts: [close_stale] }"),
        ("starts: [close_all] }", "starts: close_all }"),
        ("uses: [post]\n", "uses: [pots]\n"),
        ("uses: [post]\n", "uses: [letters]\n"),
        ("uses: [post]\n", "uses: [origin]\n"),
        ("public operation send", "operation send"),
    ]), @"
emits: [TicketClosed]  starts → emits: [TicketClosd]  starts
app.jadpo:21:47 name.unknown the app has no event `TicketClosd`
  fix: write `TicketClosed`

emits: [TicketClosed]  starts → emits: [Ticket]  starts
app.jadpo:21:47 action.value_invalid `Ticket` is an Object, and only an Event is heard or emitted

emits: [TicketClosed]  starts → emits: [TicketClosed, TicketClosed]  starts
app.jadpo:21:61 action.value_invalid `TicketClosed` stands twice in `emits`

emits: [TicketClosed]  starts → emits: TicketClosed  starts
app.jadpo:21:46 action.value_invalid `emits` takes a list of events of the app, not `TicketClosed`
  fix: write `[TicketClosed]`

starts: [close_all] } → starts: [close_al] }
app.jadpo:21:71 name.unknown there is no batch or backfill `close_al`
  fix: write `close_all`

starts: [close_all] } → starts: [rate_ticket] }
app.jadpo:21:71 name.unknown there is no batch or backfill `rate_ticket`
  fix: write `rate_tickets`

starts: [close_all] } → starts: [close_stale] }
app.jadpo:21:71 name.unknown there is no batch or backfill `close_stale`
  fix: write `close_all`

starts: [close_all] } → starts: close_all }
app.jadpo:21:70 action.value_invalid `starts` takes a list of batches and backfills, not `close_all`
  fix: write `[close_all]`

uses: [post]
 → uses: [pots]

app.jadpo:15:12 name.unknown there is no connection `pots`
  fix: write `post`

uses: [post]
 → uses: [letters]

app.jadpo:15:12 name.unknown there is no connection `letters`
  fix: write `post`

uses: [post]
 → uses: [origin]

app.jadpo:15:12 action.value_invalid `origin` is the connection that an event came through, and an action runs without one

public operation send → operation send
app.jadpo:15:12 uses.nothing_callable `post` has nothing to call: package `letters` has no public operation
app.jadpo:51:62 uses.nothing_callable `post` has nothing to call: package `letters` has no public operation
");
    let sent =
        DESK.replace("type TicketOpened = Event {", "type TicketOpened = Event { wire_name: \"opened\"");
    insta::assert_snapshot!(brief(&sent), @"app.jadpo:16:13 action.value_invalid `TicketOpened` has a `wire_name`, so a provider sends it and no app emits it");
}

#[test]
fn an_action_says_which_of_several_stores_it_writes() {
    insta::assert_snapshot!(said(&[
        ("store main { engine: sqlite(\"desk.db\") }", "store main { engine: sqlite(\"desk.db\") }\nstore more { engine: sqlite(\"more.db\") }"),
        ("store main { engine: sqlite(\"desk.db\") }", ""),
    ]), @r#"
store main { engine: sqlite("desk.db") } → store main { engine: sqlite("desk.db") }
store more { engine: sqlite("more.db") }
app.jadpo:13:15 action.store_required `open_ticket` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:20:8 action.store_required `list_tickets` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:22:8 action.store_required `close_ticket` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:24:8 action.store_required `close_stale` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:48:7 batch.key_missing `close_all` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:50:10 backfill.key_missing `rate_tickets` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)
app.jadpo:52:12 subscriber.store_required `answer` does not say in which store it writes
  fix: write `store: main` (a choice)
  fix: write `store: more` (a choice)

store main { engine: sqlite("desk.db") } → 
app.jadpo:12:15 action.store_required `open_ticket` needs a store, and the app has none
"#);
}

#[test]
fn keys_of_an_action_are_its_own() {
    insta::assert_snapshot!(said(&[
        ("input: Search", "inptu: Search"),
        ("input: Search", "within: 5s"),
        ("public action open_ticket", "public route open_ticket"),
        ("public action open_ticket", "action openTicket"),
        ("action close_stale {", "acton close_stale {"),
    ]), @"
input: Search → inptu: Search
app.jadpo:19:23 action.key_invalid an action takes no key `inptu`
  fix: write `input`

input: Search → within: 5s
app.jadpo:19:23 action.key_invalid an action takes no key `within`

public action open_ticket → public route open_ticket
app.jadpo:12:1 syntax.public_misplaced a route can't be public
  fix: remove `public`
app.jadpo:13:5 route.key_invalid a route takes no key `input`
app.jadpo:14:5 route.key_invalid a route takes no key `output`
app.jadpo:15:5 route.key_invalid a route takes no key `uses`
app.jadpo:16:5 route.key_invalid a route takes no key `emits`
app.jadpo:28:10 name.unknown there is no action `open_ticket`
  fix: write `close_ticket`

public action open_ticket → action openTicket
app.jadpo:12:8 name.case_invalid the action name `openTicket` is not lower_snake_case
  fix: write `open_ticket` (a choice)
app.jadpo:28:10 name.unknown there is no action `open_ticket`
  fix: write `openTicket`

action close_stale { → acton close_stale {
app.jadpo:23:1 syntax.keyword_unknown `acton` begins no declaration
  fix: write `action`
");
}

#[test]
fn a_name_that_a_backfill_needs_is_taken() {
    insta::assert_snapshot!(said(&[
        ("action list_tickets", "action keep_rate_tickets"),
        ("batch close_all", "batch open_ticket"),
        ("subscriber answer", "subscriber open_Ticket"),
    ]), @"
action list_tickets → action keep_rate_tickets
app.jadpo:19:8 name.duplicate `keep_rate_tickets` is already the function that keeps what a backfill has worked out
app.jadpo:34:57 name.unknown there is no action `list_tickets`
  fix: write `close_ticket`

batch close_all → batch open_ticket
app.jadpo:21:71 name.unknown there is no batch or backfill `close_all`
app.jadpo:23:31 name.unknown there is no batch or backfill `close_all`
app.jadpo:47:7 name.duplicate `open_ticket` is declared twice

subscriber answer → subscriber open_Ticket
app.jadpo:51:12 name.case_invalid the subscriber name `open_Ticket` is not lower_snake_case
  fix: write `open_ticket` (a choice)
");
    let twice = DESK.replace(
        "backfill rate_tickets",
        "backfill keep_rate_tickets { record: Ticket  field: title }\nbackfill rate_tickets",
    );
    insta::assert_snapshot!(brief(&twice), @"app.jadpo:49:10 name.duplicate `keep_rate_tickets` is already the function that keeps what a backfill has worked out");
}

#[test]
fn what_an_action_starts_is_kept_where_it_writes() {
    let two = DESK
        .replace(
            "store main { engine: sqlite(\"desk.db\") }",
            "store main { engine: sqlite(\"desk.db\") }\nstore other { engine: sqlite(\"other.db\") }",
        )
        .replace("action open_ticket {", "action open_ticket { store: main")
        .replace("action list_tickets {", "action list_tickets { store: main")
        .replace("action close_ticket {", "action close_ticket { store: main")
        .replace("action close_stale {", "action close_stale { store: other")
        .replace("batch close_all {", "batch close_all { store: main")
        .replace("backfill rate_tickets {", "backfill rate_tickets { store: other")
        .replace("subscriber answer {", "subscriber answer { store: main");
    insta::assert_snapshot!(check(&two), @"
[action.value_invalid] error: `close_stale` writes store `other`, and `close_all` is kept in store `main`
    ╭─[ app.jadpo:24:44 ]
    │
 24 │ action close_stale { store: other starts: [close_all, rate_tickets] }
    │                                            ────┬────
    │                                                ╰────── kept in another store
    │
 48 │ batch close_all { store: main input: CloseAll  size: 50 }
    │                   ──┬──
    │                     ╰──── where its runs are kept
    │
    │ Help: a run starts in the commit of its action, so both are of one store
────╯
");
    assert_eq!(brief(&two.replace("{ store: other", "{ store: main")), "clean");
    insta::assert_snapshot!(brief(&two.replace("batch close_all { store: main", "batch close_all { store: mian")), @"
app.jadpo:48:26 name.unknown there is no store `mian`
  fix: write `main`
");
}

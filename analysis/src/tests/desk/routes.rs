//! Rules of `route`.

use super::{DESK, said};
use crate::tests::{brief, check};

#[test]
fn a_path_is_made_of_whole_segments() {
    const PATH: &str = "\"/tickets/{input.id}/closing\"";
    insta::assert_snapshot!(said(&[
        (PATH, "\"tickets/{input.id}\""),
        (PATH, "\"https://desk.example/tickets/{input.id}\""),
        (PATH, "\"/tickets/no-{input.id}\""),
        (PATH, "\"/tickets/{input.id}.json\""),
        (PATH, "\"/tickets/{input.id}{input.reason}\""),
        (PATH, "\"/tickets/{input.id}/{input.id}\""),
        (PATH, "\"/tickets/{input.id}/\""),
        (PATH, "\"/tickets//{input.id}\""),
        (PATH, "\"/tickets/../{input.id}\""),
        (PATH, "\"/tickets/{input.id}?close=true\""),
        (PATH, "\"/tickets/{input.id}#close\""),
        (PATH, "\"/tickets%20/{input.id}\""),
        (PATH, "\"/tickets/:id\""),
        (PATH, "\"/tickets/{id}\""),
        (PATH, "\"/tickets/{input.idd}\""),
        (PATH, "\"/tickets/{settings.id}\""),
        (PATH, "\"/tickets/{input.id\""),
        (PATH, "\"/tickets/{}\""),
        (PATH, "\"\""),
        (PATH, "\"/readyz\""),
        (PATH, "\"/\""),
        (PATH, "\"/büro/{input.id}\""),
    ]), @r#"
"/tickets/{input.id}/closing" → "tickets/{input.id}"
app.jadpo:38:11 route.value_invalid a path starts with `/`
  fix: write "/tickets/{input.id}"

"/tickets/{input.id}/closing" → "https://desk.example/tickets/{input.id}"
app.jadpo:38:11 route.value_invalid a route's path has no scheme and no host

"/tickets/{input.id}/closing" → "/tickets/no-{input.id}"
app.jadpo:38:24 route.value_invalid `{input.id}` is a part of a segment, and it can only be a whole one

"/tickets/{input.id}/closing" → "/tickets/{input.id}.json"
app.jadpo:38:21 route.value_invalid `{input.id}` is a part of a segment, and it can only be a whole one

"/tickets/{input.id}/closing" → "/tickets/{input.id}{input.reason}"
app.jadpo:38:21 route.value_invalid `{input.id}` is a part of a segment, and it can only be a whole one

"/tickets/{input.id}/closing" → "/tickets/{input.id}/{input.id}"
app.jadpo:38:32 route.value_invalid `input.id` stands twice in the path

"/tickets/{input.id}/closing" → "/tickets/{input.id}/"
app.jadpo:38:11 route.value_invalid a path has no empty segment
  fix: write "/tickets/{input.id}"

"/tickets/{input.id}/closing" → "/tickets//{input.id}"
app.jadpo:38:11 route.value_invalid a path has no empty segment
  fix: write "/tickets/{input.id}"

"/tickets/{input.id}/closing" → "/tickets/../{input.id}"
app.jadpo:38:11 route.value_invalid a path has no segment `.` or `..`, which clients take out

"/tickets/{input.id}/closing" → "/tickets/{input.id}?close=true"
app.jadpo:38:11 route.value_invalid a path has no `?`

"/tickets/{input.id}/closing" → "/tickets/{input.id}#close"
app.jadpo:38:11 route.value_invalid a path has no `#`

"/tickets/{input.id}/closing" → "/tickets%20/{input.id}"
app.jadpo:38:11 route.value_invalid a path is written as it reads, not percent-encoded

"/tickets/{input.id}/closing" → "/tickets/:id"
app.jadpo:38:21 route.value_invalid `:id` stands for these very letters
  fix: write `{input.id}`

"/tickets/{input.id}/closing" → "/tickets/{id}"
app.jadpo:38:21 route.value_invalid `{id}` is no hole of a route's path
  fix: write `{input.id}`

"/tickets/{input.id}/closing" → "/tickets/{input.idd}"
app.jadpo:38:28 name.unknown the input `Closing` has no field `idd`
  fix: write `id`

"/tickets/{input.id}/closing" → "/tickets/{settings.id}"
app.jadpo:38:21 route.value_invalid `{settings.id}` is no hole of a route's path
  fix: write `{input.id}`

"/tickets/{input.id}/closing" → "/tickets/{input.id"
app.jadpo:38:21 route.value_invalid a brace in the path is without its other one
  fix: write `{input.id}`

"/tickets/{input.id}/closing" → "/tickets/{}"
app.jadpo:38:21 route.value_invalid `{}` is no hole of a route's path

"/tickets/{input.id}/closing" → ""
app.jadpo:38:11 route.value_invalid a path starts with `/`
  fix: write "/"

"/tickets/{input.id}/closing" → "/readyz"
app.jadpo:38:11 route.value_invalid the host answers this path itself, with whether it is well

"/tickets/{input.id}/closing" → "/"
clean

"/tickets/{input.id}/closing" → "/büro/{input.id}"
clean
"#);
}

#[test]
fn a_segment_fills_one_scalar() {
    const FIELD: &str = "type Closing = Object { id: Int";
    insta::assert_snapshot!(said(&[
        (FIELD, "type Closing = Object { id: Status"),
        (FIELD, "type Closing = Object { id: Int optional"),
        (FIELD, "type Closing = Object { id: Int?"),
        (FIELD, "type Closing = Object { id: List<Int>"),
        (FIELD, "type Closing = Object { id: Ticket"),
        (FIELD, "type Closing = Object { id: Json"),
        ("action close_ticket { input: Closing", "action close_ticket {"),
    ]), @"
type Closing = Object { id: Int → type Closing = Object { id: Status
clean

type Closing = Object { id: Int → type Closing = Object { id: Int optional
app.jadpo:38:21 route.value_invalid `input.id` is `optional`, and a path can't do without it

type Closing = Object { id: Int → type Closing = Object { id: Int?
app.jadpo:38:21 route.value_invalid `input.id` may be null, and a segment always holds a value

type Closing = Object { id: Int → type Closing = Object { id: List<Int>
app.jadpo:38:21 route.value_invalid `input.id` is a `List`, and a segment holds one scalar

type Closing = Object { id: Int → type Closing = Object { id: Ticket
app.jadpo:38:21 route.value_invalid `input.id` is an Object, and a segment holds one scalar

type Closing = Object { id: Int → type Closing = Object { id: Json
app.jadpo:38:21 route.value_invalid `input.id` is `Json`, and a segment holds one scalar

action close_ticket { input: Closing → action close_ticket {
app.jadpo:38:21 route.value_invalid `input.id` is filled, and action `close_ticket` has no `input:`
");
}

#[test]
fn what_has_no_body_is_filled_by_path_and_query() {
    const FIELD: &str = "words: List<Text>";
    insta::assert_snapshot!(said(&[
        (FIELD, "words: Text"),
        (FIELD, "words: Ticket"),
        (FIELD, "words: Ticket optional"),
        (FIELD, "words: Ticket?"),
        (FIELD, "words: List<Ticket>"),
        (FIELD, "words: List<Text?>"),
        (FIELD, "words: Map<Text, Text>"),
        (FIELD, "words: Json"),
    ]), @"
words: List<Text> → words: Text
clean

words: List<Text> → words: Ticket
app.jadpo:34:29 route.value_invalid a GET has no body, and no query can give `words` of `Search`
  fix: write `POST` (a choice)

words: List<Text> → words: Ticket optional
clean

words: List<Text> → words: Ticket?
clean

words: List<Text> → words: List<Ticket>
app.jadpo:34:29 route.value_invalid a GET has no body, and no query can give `words` of `Search`
  fix: write `POST` (a choice)

words: List<Text> → words: List<Text?>
app.jadpo:34:29 route.value_invalid a GET has no body, and no query can give `words` of `Search`
  fix: write `POST` (a choice)

words: List<Text> → words: Map<Text, Text>
app.jadpo:34:29 route.value_invalid a GET has no body, and no query can give `words` of `Search`
  fix: write `POST` (a choice)

words: List<Text> → words: Json
app.jadpo:34:29 route.value_invalid a GET has no body, and no query can give `words` of `Search`
  fix: write `POST` (a choice)
");
    let deleted = DESK.replace("words: List<Text>", "words: Ticket").replace("method: GET", "method: DELETE");
    insta::assert_snapshot!(check(&deleted), @r#"
[route.value_invalid] error: a DELETE has no body, and no query can give `words` of `Search`
    ╭─[ app.jadpo:34:29 ]
    │
 34 │ route get_tickets { method: DELETE  path: "/tickets"  run: list_tickets  auth: none }
    │                             ───┬──
    │                                ╰──── write `POST`
    │
 57 │ type Search = Object { status: Status optional  words: Ticket  before: Date? }
    │                                                 ──────┬──────
    │                                                       ╰──────── it is `Ticket`
    │
    │ Help: a query gives scalars and lists of them, and what may be left out
────╯
  fix: write `POST` (a choice)
"#);
    let posted = deleted.replace("method: DELETE", "method: PATCH");
    assert_eq!(brief(&posted), "clean");
}

#[test]
fn two_routes_never_answer_the_same_request() {
    let doubled = |path: &str, method: &str| {
        let second = format!(
            "route again {{ method: {method}  path: {path}  run: close_ticket  auth: none }}\n\nroute put_closing"
        );
        check(&DESK.replace("route put_closing", &second))
    };
    insta::assert_snapshot!(doubled("\"/tickets/{input.reason}/closing\"", "PUT"), @r#"
[route.value_invalid] error: `put_closing` answers the same requests as `again`
    ╭─[ app.jadpo:40:11 ]
    │
 36 │ route again { method: PUT  path: "/tickets/{input.reason}/closing"  run: close_ticket  auth: none }
    │                            ──┬─
    │                              ╰─── the same method and the same shape of path
    │
 40 │     path: "/tickets/{input.id}/closing"
    │           ──────────────┬──────────────
    │                         ╰──────────────── here
    │
    │ Help: what tells two paths of a method apart is their text and where their holes stand
────╯
"#);
    assert_eq!(doubled("\"/tickets/{input.reason}/closing\"", "POST"), "clean");
    assert_eq!(doubled("\"/tickets/closed/closing\"", "PUT"), "clean");
}

#[test]
fn who_may_call_a_route_is_said() {
    const AUTH: &str = "auth: none";
    insta::assert_snapshot!(said(&[
        (AUTH, ""),
        (AUTH, "auth: nne"),
        (AUTH, "auth: bearer"),
        (AUTH, "auth: bearer(\"s3cret\")"),
        (AUTH, "auth: bearer(DESK_TOKEN)"),
        (AUTH, "auth: bearer(evn(\"DESK_TOKEN\"))"),
        (AUTH, "auth: bearer(env(DESK_TOKEN))"),
        (AUTH, "auth: bearer(env(\"\"))"),
        (AUTH, "auth: bearer(env(\"A\"), env(\"B\"))"),
        (AUTH, "auth: baerer(env(\"A\"))"),
        (AUTH, "auth: basic(env(\"A\"))"),
        (AUTH, "auth: env(\"A\")"),
    ]), @r#"
auth: none → 
app.jadpo:34:7 route.key_missing a route needs `auth`

auth: none → auth: nne
app.jadpo:34:77 route.value_invalid `auth` takes `bearer(env("…"))` or `none`, not `nne`
  fix: write `none`

auth: none → auth: bearer
app.jadpo:34:77 route.value_invalid `auth` takes `bearer(env("…"))` or `none`, not `bearer`

auth: none → auth: bearer("s3cret")
app.jadpo:34:84 route.value_invalid `bearer` takes `env("NAME")`, the name of an environment variable

auth: none → auth: bearer(DESK_TOKEN)
app.jadpo:34:84 route.value_invalid `bearer` takes `env("NAME")`, the name of an environment variable
  fix: write `env("DESK_TOKEN")` (a choice)

auth: none → auth: bearer(evn("DESK_TOKEN"))
app.jadpo:34:84 route.value_invalid `bearer` takes `env("NAME")`, not `evn(…)`
  fix: write `env`

auth: none → auth: bearer(env(DESK_TOKEN))
app.jadpo:34:84 route.value_invalid `bearer` takes `env("NAME")`, the name of an environment variable
  fix: write `env("DESK_TOKEN")` (a choice)

auth: none → auth: bearer(env(""))
app.jadpo:34:88 route.value_invalid no environment variable can be called ""

auth: none → auth: bearer(env("A"), env("B"))
app.jadpo:34:94 route.value_invalid `bearer` is written `bearer(env("…"))`

auth: none → auth: baerer(env("A"))
app.jadpo:34:77 route.value_invalid `auth` takes `bearer(env("…"))` or `none`, not `baerer(…)`
  fix: write `bearer`

auth: none → auth: basic(env("A"))
app.jadpo:34:77 route.value_invalid `auth` takes `bearer(env("…"))` or `none`, not `basic(…)`

auth: none → auth: env("A")
app.jadpo:34:77 route.value_invalid `auth` takes `bearer(env("…"))` or `none`, not `env(…)`
"#);
}

#[test]
fn the_other_keys_of_a_route_have_forms() {
    insta::assert_snapshot!(said(&[
        ("method: GET", "method: get"),
        ("method: GET", "method: OPTIONS"),
        ("run: list_tickets", "run: list_ticket"),
        ("run: list_tickets", "run: close_all"),
        ("run: list_tickets", ""),
        ("settle: true", "settle: yes"),
        ("within: 10s", "within: 2m"),
        ("within: 10s", "within: 10ms"),
        ("within: 10s", "within: 10"),
        ("within: 10s", "witihn: 10s"),
        ("within: 10s", "within: 10s  settle: false"),
    ]), @"
method: GET → method: get
app.jadpo:34:29 route.value_invalid `method` takes `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`, not `get`
  fix: write `GET`

method: GET → method: OPTIONS
app.jadpo:34:29 route.value_invalid `method` takes `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`, not `OPTIONS`

run: list_tickets → run: list_ticket
app.jadpo:34:57 name.unknown there is no action `list_ticket`
  fix: write `list_tickets`

run: list_tickets → run: close_all
app.jadpo:34:57 name.unknown there is no action `close_all`
  fix: write `close_stale`

run: list_tickets → 
app.jadpo:34:7 route.key_missing a route needs `run`

settle: true → settle: yes
app.jadpo:30:13 route.value_invalid `settle` takes `true` or `false`, not `yes`

within: 10s → within: 2m
app.jadpo:31:13 route.value_invalid `within` is a duration from `100ms` to `1m`; `2m` is longer
  fix: write `1m` (a choice)

within: 10s → within: 10ms
app.jadpo:31:13 route.value_invalid `within` is a duration from `100ms` to `1m`; `10ms` is shorter
  fix: write `100ms` (a choice)

within: 10s → within: 10
app.jadpo:31:13 route.value_invalid `within` takes a duration from `100ms` to `1m`, not `10`

within: 10s → witihn: 10s
app.jadpo:31:5 route.key_invalid a route takes no key `witihn`
  fix: write `within`

within: 10s → within: 10s  settle: false
app.jadpo:31:18 route.key_duplicate `settle` is given twice
");
}

#[test]
fn a_value_that_has_changed_places_with_the_next_key_is_one_mistake() {
    insta::assert_snapshot!(said(&[
        ("method: GET  path: \"/tickets\"", "method: path  GET: \"/tickets\""),
        ("path: \"/tickets\"  run: list_tickets", "path: run  \"/tickets\": list_tickets"),
    ]), @r#"
method: GET  path: "/tickets" → method: path  GET: "/tickets"
app.jadpo:34:29 route.key_invalid `path` and `GET` have changed places
  fix: put each in its place

path: "/tickets"  run: list_tickets → path: run  "/tickets": list_tickets
app.jadpo:34:40 route.key_invalid `run` and `"/tickets"` have changed places
  fix: put each in its place
"#);
}

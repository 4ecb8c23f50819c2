//! `operation`: path, query, headers, input, output and what goes with them.

mod model;

use super::{brief, check, fixed};

const PROVIDER: &str = r#"
//- /provider.jadpo
provider coinfeed {
    base_url: "https://api.coinfeed.example"
    settings: { api_key: Secret  currency: Text { default: "usd" }  office: Text?  region: Text? { default: "eu" } }
    auth: bearer(settings.api_key)
}
public type Query = Object { id: Text  day: Date  page: Int optional  tags: List<Text> optional  note: Text?  rows: List<Row> optional }
public type Row = Object { at: Instant }
public type Deep = Object { value: Int at "/a/b" }
public type Outer = Object { deep: List<Deep> }
public type Other = Query
public type Maybe = Query?
public type Told = Event { value: Int }
"#;

/// The diagnostics of an operation in a package with a provider and some types.
fn operation(entries: &str) -> String {
    brief(&format!("{PROVIDER}//- /operation.jadpo\npublic operation fetch {{\n{entries}\n}}\n"))
}

/// The same for entries after a right method and path.
fn get(entries: &str) -> String {
    operation(&format!("    method: GET\n    path: \"/v1\"\n{entries}"))
}

#[test]
fn a_path_starts_with_a_slash_and_leads_where_it_says() {
    let path = |path: &str| operation(&format!("    method: POST\n    path: {path}\n    input: Query"));
    let paths = [
        r#""v1/prices""#,
        r#""https://x.example/v1""#,
        r#""/v1?x=1""#,
        r#""/a/../b""#,
        r#""/a\nb""#,
        r#""/v1/{input.id}/{settings.currency}.json""#,
        r#""/🪙/é/tip""#,
        r#""/v1/{input.page}""#,
        r#""/v1/{input.note}""#,
        r#""/v1/{input.tags}""#,
        r#""/v1/{settings.office}""#,
        r#""/v1/{settings.region}""#,
        r#""/v1/{settings.api_key}""#,
        r#""/v1/{input.idd}""#,
        r#""/v1/{settings.curency}""#,
        r#""/v1/{id}""#,
        r#""/v1/{ input.id }""#,
        r#""/v1/{input.id""#,
        r#""/v1/}""#,
        r#""{input.id}/v1""#,
        "input.id",
    ];
    let found: Vec<_> = paths.iter().map(|text| format!("{text}\n{}", path(text))).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
"v1/prices"
operation.jadpo:3:11 package.operation_invalid a path starts with `/`
  fix: write "/v1/prices"
"https://x.example/v1"
operation.jadpo:3:11 package.operation_invalid a path starts with `/`
"/v1?x=1"
operation.jadpo:3:15 package.operation_invalid a path has no `?`
"/a/../b"
operation.jadpo:3:11 package.operation_invalid a path's segment `.` or `..` would lead to another path than the one that is written
"/a\nb"
operation.jadpo:3:11 package.operation_invalid a path has no `\` and no control characters
"/v1/{input.id}/{settings.currency}.json"
clean
"/🪙/é/tip"
clean
"/v1/{input.page}"
operation.jadpo:3:16 package.operation_invalid `input.page` is `optional`, and a path can't do without it
"/v1/{input.note}"
operation.jadpo:3:16 package.operation_invalid `input.note` may be null, and a path can't do without it
"/v1/{input.tags}"
operation.jadpo:3:16 package.operation_invalid `input.tags` is a `List`, which can't stand in a path
"/v1/{settings.office}"
operation.jadpo:3:16 package.operation_invalid `settings.office` may be none, and a path can't do without it
"/v1/{settings.region}"
clean
"/v1/{settings.api_key}"
operation.jadpo:3:16 package.secret_exposed `settings.api_key` is a secret, which can't stand in a path
"/v1/{input.idd}"
operation.jadpo:3:23 name.unknown the input `Query` has no field `idd`
  fix: write `id`
"/v1/{settings.curency}"
operation.jadpo:3:26 name.unknown there is no setting `curency`
  fix: write `currency`
"/v1/{id}"
operation.jadpo:3:16 package.operation_invalid `{id}` is no hole of a path
  fix: write `{input.id}`
"/v1/{ input.id }"
operation.jadpo:3:16 package.operation_invalid `{ input.id }` is no hole of a path
  fix: write `{input.id}`
"/v1/{input.id"
operation.jadpo:3:16 package.operation_invalid a brace in a path is without its other one
  fix: write `{input.id}`
"/v1/}"
operation.jadpo:3:16 package.operation_invalid a brace in a path is without its other one
"{input.id}/v1"
operation.jadpo:3:11 package.operation_invalid a path starts with `/`
input.id
operation.jadpo:3:11 package.operation_invalid `path` takes a string, not `input.id`
"#);
}

#[test]
fn a_query_takes_scalars_and_repeats_lists() {
    insta::assert_snapshot!(get(r#"
    input: Query
    query: {
        id: input.id
        day: "d-{input.day}"
        page: input.page
        tags: input.tags
        more: "x{input.tags}"
        rows: input.rows
        note: input.note
        per_page: 100
        share: 0.50
        all: true
        vs: settings.currency
        key: settings.api_key
        "filter[a]": "x"
        a: currency
        b: id
        c: word
        d: 5m
        e: [1]
        f:
        id: "again"
        "": "x"
        g: input.nme
    }"#), @r#"
operation.jadpo:11:17 package.operation_invalid `input.tags` is a `List`, which stands alone in a query
operation.jadpo:12:15 package.operation_invalid `input.rows` is a list of what no text holds: an Object
operation.jadpo:18:14 package.secret_exposed `settings.api_key` is a secret, which can't stand in a query
operation.jadpo:20:12 package.operation_invalid `a` takes a string, a number, `true`, `false`, `settings.name` or `input.name`, not `currency`
  fix: write `settings.currency`
operation.jadpo:21:12 package.operation_invalid `b` takes a string, a number, `true`, `false`, `settings.name` or `input.name`, not `id`
  fix: write `input.id`
operation.jadpo:22:12 package.operation_invalid `c` takes a string, a number, `true`, `false`, `settings.name` or `input.name`, not `word`
  fix: write "word" (a choice)
operation.jadpo:23:12 package.operation_invalid `d` takes a string, a number, `true`, `false`, `settings.name` or `input.name`, not `5m`
operation.jadpo:24:12 package.operation_invalid `e` takes a string, a number, `true`, `false`, `settings.name` or `input.name`, not a list
operation.jadpo:25:9 package.operation_invalid `f` has no value
operation.jadpo:26:9 package.operation_invalid `id` is given twice
operation.jadpo:27:9 package.operation_invalid a query key has a name
operation.jadpo:28:18 name.unknown the input `Query` has no field `nme`
  fix: write `note`
"#);
}

#[test]
fn headers_are_those_of_the_call() {
    insta::assert_snapshot!(operation(r#"
    method: POST
    path: "/v1"
    input: Query
    idempotency_key: header("Idempotency-Key")
    headers: {
        "X-Id": input.id
        "X-Tags": input.tags
        "X-Key": settings.api_key
        "idempotency-key": "x"
        "authorization": input.id
        "content-length": 3
    }"#), @"
operation.jadpo:9:19 package.operation_invalid `input.tags` is a `List`, which can't stand in a header
operation.jadpo:11:9 package.operation_invalid the header `idempotency-key` is sent by `idempotency_key` already
operation.jadpo:12:9 package.operation_invalid the header `authorization` is sent by `auth` already
operation.jadpo:13:9 package.operation_invalid the header `content-length` is set by the client itself
");
    insta::assert_snapshot!(operation("    method: POST\n    path: \"/v1\"\n    idempotency_key: header(\"Host\")"), @"operation.jadpo:4:29 package.operation_invalid the header `Host` is set by the client itself");
}

#[test]
fn an_input_is_an_object_that_can_be_written() {
    let input = |input: &str| operation(&format!("    method: POST\n    path: \"/v1\"\n    input: {input}"));
    let inputs = [
        "Query",
        "Other",
        "Qeury",
        "Text",
        "Told",
        "Maybe",
        "Deep",
        "Outer",
        "List<Query>",
        "\"Query\"",
        "Query { }",
    ];
    let found: Vec<_> = inputs.iter().map(|text| format!("{text}\n{}", input(text))).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
Query
clean
Other
clean
Qeury
operation.jadpo:4:12 type.unknown there is no type `Qeury`
  fix: write `Query`
Text
operation.jadpo:4:12 package.operation_invalid `input` takes an Object, not `Text`
Told
operation.jadpo:4:12 package.operation_invalid `input` takes an Object, and `Told` is an Event
Maybe
operation.jadpo:4:12 package.operation_invalid `input` takes an Object, and `Maybe` may be null
Deep
operation.jadpo:4:12 package.operation_invalid `Deep` can only be read, so it is no input
Outer
operation.jadpo:4:12 package.operation_invalid `Outer` holds `Deep`, which can only be read, so it is no input
List<Query>
operation.jadpo:4:12 package.operation_invalid `input` takes the name of an `Object` type, not `List<Query>`
"Query"
operation.jadpo:4:12 package.operation_invalid `input` takes the name of an `Object` type, not a string
  fix: write the name without quotes
Query { }
operation.jadpo:4:12 package.operation_invalid `input` takes the name of an `Object` type, not `Query { … }`
"#);
    insta::assert_snapshot!(check(&format!("{PROVIDER}public operation fetch {{ method: POST  path: \"/v1\"  input: Outer }}\n")), @r#"
[package.operation_invalid] error: `Outer` holds `Deep`, which can only be read, so it is no input
    ╭─[ provider.jadpo:13:60 ]
    │
  8 │ public type Deep = Object { value: Int at "/a/b" }
    │                             ──────────┬─────────
    │                                       ╰─────────── read by `at`
    │
 13 │ public operation fetch { method: POST  path: "/v1"  input: Outer }
    │                                                            ──┬──
    │                                                              ╰──── here
    │
    │ Help: `at` says where a field is read in an answer; nothing says how it would be written
────╯
"#);
}

#[test]
fn a_get_sends_every_field_somewhere() {
    insta::assert_snapshot!(check(&format!(
        "{PROVIDER}public operation fetch {{\n    method: GET\n    path: \"/v1/{{input.id}}\"\n    input: Query\n    query: {{ day: input.day }}\n}}\n"
    )), @"
[package.operation_invalid] error: `page`, `tags`, `note` and `rows` of `Query` are in no path, query or header, and a GET has no body
    ╭─[ provider.jadpo:16:12 ]
    │
  6 │ public type Query = Object { id: Text  day: Date  page: Int optional  tags: List<Text> optional  note: Text?  rows: List<Row> optional }
    │                                                   ─────────┬────────
    │                                                            ╰────────── `page` is declared here
    │
 16 │     input: Query
    │            ──┬──
    │              ╰──── here
    │
    │ Help: write `query: { page: input.page }`, or take them out of `Query`
────╯
");
    insta::assert_snapshot!(operation("    method: HEAD\n    path: \"/v1/{input.at}\"\n    input: Row"), @"clean");
    insta::assert_snapshot!(operation("    method: GET\n    path: \"/v1/{input.att}\"\n    input: Row"), @"
operation.jadpo:3:23 name.unknown the input `Row` has no field `att`
  fix: write `at`
");
    insta::assert_snapshot!(operation("    method: DELETE\n    path: \"/v1\"\n    input: Row"), @"clean");
    insta::assert_snapshot!(get("    query: { id: input.id }"), @"operation.jadpo:4:18 package.operation_invalid `input.id` is used, but the operation has no `input:`");
}

#[test]
fn what_is_read_fits_together() {
    insta::assert_snapshot!(get("    output: Decimaal"), @"
operation.jadpo:4:13 type.unknown there is no type `Decimaal`
  fix: write `Decimal`
");
    insta::assert_snapshot!(get("    output: List<Row> { max_items: 3 }\n    at: \"rows\""), @r#"
operation.jadpo:5:9 package.operation_invalid "rows" is no JSON Pointer
  fix: write "/rows"
"#);
    insta::assert_snapshot!(get("    at: \"/rows\""), @"operation.jadpo:4:5 package.operation_invalid `at` says where the `output:` stands, and there is none");
    insta::assert_snapshot!(get("    decode: read_rows"), @"operation.jadpo:4:5 package.operation_invalid `decode` needs an `output:`, which is what it makes of an answer");
    insta::assert_snapshot!(get("    output: Row\n    at: \"/rows\"\n    decode: ReadRows"), @"
operation.jadpo:5:5 package.operation_invalid `at` says nothing where `decode` reads the whole answer
operation.jadpo:6:13 name.case_invalid the function name `ReadRows` is not lower_snake_case
  fix: write `read_rows` (a choice)
");
    insta::assert_snapshot!(operation("    method: HEAD\n    path: \"/v1\"\n    output: Row"), @"operation.jadpo:4:5 package.operation_invalid the answer to a HEAD has no body, so nothing is read of it");
    insta::assert_snapshot!(operation("    method: HEAD\n    path: \"/v1\"\n    output: Row\n    decode: read_head"), @"clean");
    insta::assert_snapshot!(get("    output: Secret"), @"operation.jadpo:4:13 type.value_invalid a `Secret` stands in a provider's `settings:` only");
}

#[test]
fn a_misspelt_field_is_repaired_in_place() {
    let text = "public operation fetch { method: POST  path: \"/v1/{input.idd}\"  input: Query }\n";
    insta::assert_snapshot!(fixed(&format!("{PROVIDER}//- /app2.jadpo\n{text}")), @r#"public operation fetch { method: POST  path: "/v1/{input.id}"  input: Query }"#);
}

#[test]
fn a_decoder_gives_one_output() {
    let package = |output| {
        brief(&format!(
            r#"
//- /provider.jadpo
provider coinfeed {{ base_url: "https://api.coinfeed.example" }}
public operation first {{ method: GET  path: "/a"  output: List<Price>  decode: table }}
public operation again {{ method: GET  path: "/b"  output: {output}  decode: table }}
public type Price = Object {{ btc: Decimal }}
public type Prices = List<Price>
"#
        ))
    };
    insta::assert_snapshot!(package("Prices"), @"clean");
    insta::assert_snapshot!(package("Price"), @"provider.jadpo:3:74 package.operation_invalid `table` gives `List<Price>` for `first`, so it can't give `Price` here");
    insta::assert_snapshot!(package("Pricce"), @"
provider.jadpo:3:59 type.unknown there is no type `Pricce`
  fix: write `Price`
");
}

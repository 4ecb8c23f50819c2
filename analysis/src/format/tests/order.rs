//! The order of entries.

use insta::assert_snapshot;

use super::formatted;

#[test]
fn the_catalogue_orders_keys_on_every_level() {
    assert_snapshot!(formatted(
        "deployable d { runner: { sleep_detection: 3m  at_capacity: { heartbeat: 1s  poll_interval: 2s }  workers: 2 }\n\
         target: native }\n\
         provider p { polls: { z: { emits: E  call: c  every: 5m }  a: { every: 5m  call: c  emits: E } }\n\
         settings: { b: Text { default: \"x\"  pattern: \"y\"  min_length: 1 }  a: Int? { default: 1  max: 2 } }\n\
         base_url: \"https://x\"  version: \"1.0.0\" }\n\
         operation o { output: List<A> { max_items: 3  min_items: 2 }  query: { z: 1  a: 2 }  path: \"/\"  method: GET }\n\
         type T = Text { pattern: \"x\"  max_length: 2 }\n\
         type O = Object { z: Text { pattern: \"x\"  max_length: 2 }  a: Int { max: 2  min: 1 } }"
    ), @r#"
deployable d {
    target: native
    runner: { workers: 2  at_capacity: { poll_interval: 2s  heartbeat: 1s }  sleep_detection: 3m }
}

provider p {
    version: "1.0.0"
    base_url: "https://x"
    settings: {
        b: Text { min_length: 1  pattern: "y"  default: "x" }
        a: Int? { max: 2  default: 1 }
    }
    polls: { z: { call: c  every: 5m  emits: E }  a: { call: c  every: 5m  emits: E } }
}

operation o {
    method: GET
    path: "/"
    query: { z: 1  a: 2 }
    output: List<A> { min_items: 2  max_items: 3 }
}

type T = Text { max_length: 2  pattern: "x" }

type O = Object { z: Text { max_length: 2  pattern: "x" }  a: Int { min: 1  max: 2 } }
"#);
}

#[test]
fn unknown_keys_stay_behind_what_they_were_written_behind_and_doubled_ones_keep_their_order() {
    assert_snapshot!(formatted(
        "operation o {\n first: 1\n output: A\n behind_output: 1\n \"method\": 1\n path: \"/\"\n method: GET\n behind_method: { z: 1  a: 2 }\n output: B\n method: PUT\n }"
    ), @r#"
operation o {
    first: 1
    method: GET
    behind_method: { z: 1  a: 2 }
    method: PUT
    path: "/"
    output: A
    behind_output: 1
    "method": 1
    output: B
}
"#);
}

#[test]
fn fields_variants_and_elements_keep_their_order() {
    assert_snapshot!(formatted(
        "type A = Event { z: Text  wire_name: \"a\"  a: Text }\ntype B = Enum { z a }\nsubscriber s { on: [z.Z, a.A] }"
    ), @r#"
type A = Event { z: Text  wire_name: "a"  a: Text }

type B = Enum { z  a }

subscriber s { on: [z.Z, a.A] }
"#);
}

#[test]
fn comments_documentation_and_blank_lines_move_with_their_entry() {
    assert_snapshot!(formatted(
        "operation o {  // of o
    // still not of output, since it isn't in the column

    // free

    // of output
    output: A  // at output
               // goes on

    // of path, above

    // of path
    path: \"/\"
    /// Doc of method.
    // and a comment
    method: GET // at method
    // at the end
}"
    ), @r#"
operation o {  // of o
    // still not of output, since it isn't in the column

    // free

    /// Doc of method.
    // and a comment
    method: GET  // at method

    // of path, above

    // of path
    path: "/"

    // of output
    output: A  // at output
               // goes on
    // at the end
}
"#);
}

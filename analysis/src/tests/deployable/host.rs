//! A deployable's `host`.

use super::{brief, check, fixed, open};
use crate::model::{Host, Listen};

fn host(body: &str) -> String {
    format!("app trading {{ }}\ndeployable server {{ target: native  host: {{ {body} }} }}\n")
}

fn lowered(body: &str) -> Host {
    open(&host(body)).model().unwrap().app.deployables["server"].host.clone().unwrap()
}

#[test]
fn a_host_has_defaults() {
    let defaults = Host {
        max_connections: 64,
        drain_ms: 10_000,
        listen: Listen::At("127.0.0.1:8080".to_owned()),
        control: None,
    };
    assert_eq!(lowered(""), defaults);
    let body = "max_connections: 65_535  drain: 0s  listen: env(\"LISTEN\")  control: \"[::1]:9\"";
    assert_eq!(
        lowered(body),
        Host {
            max_connections: 65_535,
            drain_ms: 0,
            listen: Listen::Env("LISTEN".to_owned()),
            control: Some("[::1]:9".to_owned()),
        }
    );
    let model = open("app trading { }\ndeployable server { target: native }\n").model().unwrap();
    assert_eq!(model.app.deployables["server"].host, None, "it serves no route");
}

#[test]
fn addresses_that_can_be_listened_at_are_taken() {
    for listen in ["0.0.0.0:80", "[::]:8080", "[::1]:0", "10.1.2.3:65535"] {
        assert_eq!(brief(&host(&format!("listen: {listen:?}"))), "clean");
    }
    for control in ["127.0.0.1:9000", "127.8.8.8:9000", "[::1]:9000", "localhost:9000", "127.0.0.1:0"] {
        assert_eq!(brief(&host(&format!("control: {control:?}"))), "clean");
    }
}

#[test]
fn each_wrong_address_offers_the_nearest() {
    let brief = |body: &str| brief(&host(body)).replace("app.jadpo:2:", "");
    insta::assert_snapshot!(brief("listen: \"8080\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: "8080" is a port without its address
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \":8080\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: ":8080" is a port without its address
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: 8080"), @r#"
53 deployable.value_invalid `listen` takes an address with its port or `env("NAME")`, not a whole number
  fix: write `"127.0.0.1:8080"` (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"localhost:8080\""), @r#"
53 deployable.value_invalid `listen` takes an address, and "localhost:8080" is a name
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"127.0.0.1\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: "127.0.0.1" is an address without its port
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"::1\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: "::1" is an address without its port
  fix: write "[::1]:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"127.0.0.1:80800\""), @r#"53 deployable.value_invalid `listen` takes an address with its port: "127.0.0.1:80800" has a port above 65535"#);
    insta::assert_snapshot!(brief("listen: \"http://127.0.0.1:8080/\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: "http://127.0.0.1:8080/" is a URL, not an address with its port
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"http://localhost:8080\""), @r#"
53 deployable.value_invalid `listen` takes an address with its port: "http://localhost:8080" is a URL, not an address with its port
  fix: write "127.0.0.1:8080" (a choice)
"#);
    insta::assert_snapshot!(brief("listen: \"\""), @r#"53 deployable.value_invalid `listen` takes an address with its port: "" is no address with its port"#);
    insta::assert_snapshot!(brief("listen: env(\"A B\")"), @r#"57 deployable.value_invalid no environment variable can be called "A B""#);
    insta::assert_snapshot!(brief("listen: env(LISTEN)"), @r#"
53 deployable.value_invalid `listen` takes `env("NAME")`, the name of an environment variable
  fix: write `env("LISTEN")` (a choice)
"#);
    insta::assert_snapshot!(brief("listen: evn(\"LISTEN\")"), @r#"
53 deployable.value_invalid `listen` takes `env("NAME")`, not `evn(…)`
  fix: write `env`
"#);
    insta::assert_snapshot!(brief("listen: [\"127.0.0.1:1\"]"), @r#"53 deployable.value_invalid `listen` takes an address with its port or `env("NAME")`, not a list"#);
    insta::assert_snapshot!(brief("listen: "), @r#"45 deployable.value_invalid `listen` has no value: it takes an address with its port, as "127.0.0.1:8080", or `env("NAME")`"#);
    insta::assert_snapshot!(brief("control: \"0.0.0.0:9000\""), @r#"
54 deployable.value_invalid `control` listens at this machine's own address only, and "0.0.0.0:9000" can be reached from outside
  fix: write "127.0.0.1:9000" (a choice)
"#);
    insta::assert_snapshot!(brief("control: \"9000\""), @r#"
54 deployable.value_invalid `control` takes an address with its port: "9000" is a port without its address
  fix: write "127.0.0.1:9000" (a choice)
"#);
    insta::assert_snapshot!(brief("control: env(\"CONTROL\")"), @"54 deployable.value_invalid `control` takes a string, not `env(…)`");
}

#[test]
fn its_other_keys_have_bounds() {
    let brief = |body: &str| brief(&host(body)).replace("app.jadpo:2:", "");
    insta::assert_snapshot!(brief("max_connections: 0"), @"
62 deployable.value_invalid `max_connections` takes a whole number from 1 to 65535, not `0`
  fix: write `1` (a choice)
");
    insta::assert_snapshot!(brief("max_connections: 65_536"), @"
62 deployable.value_invalid `max_connections` takes a whole number from 1 to 65535, not `65_536`
  fix: write `65535` (a choice)
");
    insta::assert_snapshot!(brief("drain: 11s"), @"
52 deployable.value_invalid `drain` is a duration of at most `10s`; `11s` is longer
  fix: write `10s` (a choice)
");
    insta::assert_snapshot!(brief("drains: 1s"), @"
45 deployable.key_invalid a `host` takes no key `drains`
  fix: write `drain`
");
}

#[test]
fn both_listeners_have_an_address_of_their_own() {
    insta::assert_snapshot!(check(&host("control: \"127.0.0.1:8080\"")), @r#"
[deployable.value_invalid] error: `control` of "127.0.0.1:8080" is where `listen` is too, "127.0.0.1:8080" by default
   ╭─[ app.jadpo:2:54 ]
   │
 2 │ deployable server { target: native  host: { control: "127.0.0.1:8080" } }
   │                                                      ────────┬───────
   │                                                              ╰───────── one of the two could not listen
───╯
  fix: write "127.0.0.1:8081" (a choice)
"#);
    insta::assert_snapshot!(check(&host("listen: \"0.0.0.0:9000\"  control: \"localhost:9000\"")), @r#"
[deployable.value_invalid] error: `control` of "localhost:9000" is where `listen` is too
   ╭─[ app.jadpo:2:78 ]
   │
 2 │ deployable server { target: native  host: { listen: "0.0.0.0:9000"  control: "localhost:9000" } }
   │                                                     ───────┬──────           ────────┬───────
   │                                                            ╰─────────────────────────────────── the server listens here
   │                                                                                      │
   │                                                                                      ╰───────── one of the two could not listen
───╯
  fix: write "127.0.0.1:9001" (a choice)
"#);
    assert_eq!(brief(&host("listen: \"10.0.0.1:9000\"  control: \"127.0.0.1:9000\"")), "clean");
    assert_eq!(brief(&host("listen: \"127.0.0.1:0\"  control: \"127.0.0.1:0\"")), "clean");
    assert_eq!(brief(&host("listen: env(\"LISTEN\")  control: \"127.0.0.1:8080\"")), "clean");
    assert_eq!(brief(&fixed(&host("control: \"127.0.0.1:8080\""))), "clean");
}

#[test]
fn on_workers_the_platform_listens() {
    let text = "app trading { }\ndeployable edge {\n    target: workers\n    host: { drain: 1s }\n    polls: all\n}\n";
    insta::assert_snapshot!(check(text), @"
[deployable.key_invalid] error: `host` is for `target: native`: on Workers the platform listens and answers
   ╭─[ app.jadpo:4:5 ]
   │
 3 │     target: workers
   │             ───┬───
   │                ╰───── built for Workers
 4 │     host: { drain: 1s }
   │     ──┬─
   │       ╰─── leave it out
───╯
  fix: remove `host`
");
    insta::assert_snapshot!(fixed(text), @"
app trading { }
deployable edge {
    target: workers
    polls: all
}
");
    insta::assert_snapshot!(brief("app trading { }\ndeployable edge { target: workers  runner: { workers: 4 } }\n"), @"
app.jadpo:2:36 deployable.key_invalid `runner` is for `target: native`: on Workers the platform starts each run, and no loop sleeps
  fix: remove `runner`
");
}

#[test]
fn all_addresses_of_ipv4_leave_those_of_ipv6() {
    let brief = |body: &str| brief(&host(body));
    assert_eq!(brief("listen: \"0.0.0.0:8081\"  control: \"[::1]:8081\""), "clean");
    assert_ne!(brief("listen: \"[::]:8081\"  control: \"127.0.0.1:8081\""), "clean");
    assert_ne!(brief("listen: \"0.0.0.0:8081\"  control: \"localhost:8081\""), "clean");
}

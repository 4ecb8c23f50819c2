//! Inputs that hang readers or overflow their stacks: each target is through with each in a bounded time, on the small
//! stack of a test's thread.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use jadpo_properties::Target;

use super::holds;

/// The longest that one input may take, in a build without optimisation on a machine that does other things too.
const INPUT_MAX: Duration = Duration::from_mins(2);

/// What a thread of a test gets, whatever the environment says.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// Tries each input on every target.
#[track_caller]
fn hold(inputs: Vec<(&'static str, Vec<u8>)>) {
    hold_on(&Target::ALL, inputs);
}

#[track_caller]
fn hold_on(targets: &[Target], inputs: Vec<(&'static str, Vec<u8>)>) {
    for (name, input) in inputs {
        for target in targets.iter().copied() {
            let (done, finished) = mpsc::channel();
            let input = input.clone();
            let begin = Instant::now();
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
                holds(target, name, &input);
                let _ = done.send(());
            });
            let ended = finished.recv_timeout(INPUT_MAX);
            assert!(ended != Err(mpsc::RecvTimeoutError::Timeout), "{} hangs on {name}", target.name());
            thread.unwrap().join().unwrap();
            eprintln!("{} {name}: {:?}", target.name(), begin.elapsed());
        }
    }
}

fn repeated(before: &str, part: &str, times: usize, after: &str) -> Vec<u8> {
    format!("{before}{}{after}", part.repeat(times)).into_bytes()
}

#[test]
fn nesting_without_an_end_overflows_no_stack() {
    hold(vec![
        ("20,000 lists of lists", repeated("type A = ", "List<", 20_000, "")),
        ("20,000 lists of lists, closed", repeated("type A = ", "List<", 20_000, &">".repeat(20_000))),
        ("20,000 braces", repeated("", "{", 20_000, "")),
        ("20,000 braces in a block", repeated("provider a ", "{ a: ", 20_000, &"}".repeat(20_000))),
        ("20,000 brackets", repeated("provider a { a: ", "[", 20_000, "")),
        ("20,000 calls", repeated("provider a { a: ", "a(", 20_000, "")),
        ("20,000 closing braces", repeated("type A = Text ", "}", 20_000, "")),
        ("20,000 keywords", repeated("", "type ", 20_000, "")),
        ("20,000 points", repeated("type A = a", ".a", 20_000, "")),
        ("20,000 question marks", repeated("type A = a", "?", 20_000, "")),
        ("20,000 modifiers", repeated("type A = Object { a: Text", " optional", 20_000, "}")),
        ("20,000 documents of JSON", repeated("", "{\"a\":[", 20_000, "")),
        ("20,000 brackets of JSON", repeated("", "[", 20_000, "")),
    ]);
}

#[test]
fn chains_of_declarations_overflow_no_stack() {
    let chain = |body: &dyn Fn(usize) -> String| -> Vec<u8> {
        let provider = "provider a { base_url: \"https://a.example\" }\n".to_owned();
        let types = (0..300).map(|at| format!("type A{at} = {}\n", body(at)));
        std::iter::once(provider).chain(types).collect::<String>().into_bytes()
    };
    hold(vec![
        ("aliases of the next one", chain(&|at| format!("A{}", at + 1))),
        ("aliases of the one before", chain(&|at| format!("A{}", at.max(1) - 1))),
        ("a ring of aliases", chain(&|at| format!("A{}", (at + 1) % 300))),
        ("a ring of objects", chain(&|at| format!("Object {{ a: A{} }}", (at + 1) % 300))),
        ("a ring of lists", chain(&|at| format!("List<A{}?>", (at + 1) % 300))),
    ]);
}

#[test]
fn texts_that_end_in_the_middle_are_read() {
    hold(vec![
        ("nothing", Vec::new()),
        ("a mark alone", "\u{feff}".into()),
        ("an open string", "type A = Text { pattern: \"a".into()),
        ("an open escape", "type A = Text { pattern: \"a\\".into()),
        ("an open comment", "type A = Text // a".into()),
        ("half a comment", "type A = Text /".into()),
        ("a foreign comment", "/* type A = Text".into()),
        ("a NUL", "type A = Text\0".into()),
        ("no UTF-8", b"type A = Text \xff\xfe\n".to_vec()),
        ("half a character", b"type A = Text // \xf0\x9f\xaa".to_vec()),
        ("a mark and CRLF", "\u{feff}type A = Text\r\ntype B = A\r\n".into()),
        ("many NULs", vec![0; 100_000]),
        ("many quotes", vec![b'"'; 100_000]),
        ("many backslashes", repeated("type A = Text { pattern: \"", "\\", 100_000, "")),
        ("many slashes", vec![b'/'; 100_000]),
        ("many line ends", vec![b'\r'; 100_000]),
        ("many invalid bytes", vec![0xff; 100_000]),
        ("many digits", repeated("type A = Int { min: ", "9", 100_000, " }")),
    ]);
}

#[test]
fn a_line_of_thirty_megabytes_is_read() {
    let line = vec![("a long name", repeated("type ", "a", 30_000_000, " = Text"))];
    // Whoever reads files refuses one of that length before it is parsed, so the others have the longest that isn't.
    hold_on(&[Target::Check], line);
    hold_on(
        &[Target::Lexer, Target::Parser, Target::Fmt],
        vec![("a name", repeated("type ", "A", 4_000_000, " = Text"))],
    );
}

#[test]
fn many_of_a_kind_take_no_time_for_each_other() {
    let block = |before: &str, part: &str| repeated(before, part, 6_000, "} }");
    hold_on(
        &[Target::Parser, Target::Check, Target::Fmt],
        vec![
            ("fields of one name", block("type A = Object { ", "a: Text ")),
            ("fields after an emoji", block("type A = Object { 🪙 ", "a: Text ")),
            ("variants of one name", block("type A = Enum { ", "a ")),
            ("keys of one name", block("provider a { settings: { ", "a: Text ")),
            ("names in a list", block("subscriber a { on: [", "a.A, ")),
            ("declarations of one name", repeated("", "type A = Object { ", 4_000, "")),
        ],
    );
}

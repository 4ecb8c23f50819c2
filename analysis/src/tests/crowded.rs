//! Thousands of mistakes in one file, each of which is shown without a step through the whole file.

use std::cell::Cell;
use std::fmt::Write;

use super::open;
use crate::diagnostics::render::Frames;

/// How many mistakes there are.
const MANY: usize = 2_000;

/// How often the file's text is fetched to show all that is wrong in it, and what is shown.
fn shown(app: &str) -> (usize, Vec<String>) {
    let workspace = open(&format!("//- /app.jadpo\n{app}"));
    let fetched = Cell::new(0);
    let mut frames = Frames::new(
        |file: &str| {
            fetched.set(fetched.get() + 1);
            workspace.text(file)
        },
        false,
    );
    let report = workspace.check();
    let shown = report.diagnostics.iter().map(|diagnostic| frames.human(diagnostic)).collect();
    (fetched.get(), shown)
}

fn stores(store: impl Fn(usize) -> String) -> String {
    (0..MANY).fold("app big { }\n\n".to_owned(), |mut text, n| {
        writeln!(text, "{}", store(n)).unwrap();
        text
    })
}

#[test]
fn a_file_is_cut_into_lines_once_however_much_is_wrong_in_it() {
    let (fetched, shown) =
        shown(&stores(|n| format!("store s{n} {{ engine: sqlite(\"data/s{n}.db\")  keep: 7s }}")));
    assert_eq!((fetched, shown.len()), (1, MANY));
    insta::assert_snapshot!(shown[MANY - 1], @r#"
[store.value_invalid] error: `keep` is a duration of a minute or more; `7s` is shorter
      ╭─[ app.jadpo:2002:54 ]
      │
 2002 │ store s1999 { engine: sqlite("data/s1999.db")  keep: 7s }
      │                                                      ─┬
      │                                                       ╰── write `1m`
──────╯
"#);
}

#[test]
fn places_far_apart_stand_in_frames_of_their_own() {
    let (fetched, shown) = shown(&stores(|n| format!("store same {{ engine: sqlite(\"data/s{n}.db\") }}")));
    assert_eq!((fetched, shown.len()), (1, MANY - 1));
    insta::assert_snapshot!(shown[0], @r#"
[name.duplicate] error: `same` is declared twice
   ╭─[ app.jadpo:4:7 ]
   │
 3 │ store same { engine: sqlite("data/s0.db") }
   │       ──┬─
   │         ╰─── first declared here
 4 │ store same { engine: sqlite("data/s1.db") }
   │       ──┬─
   │         ╰─── declared again here
───╯
"#);
    insta::assert_snapshot!(shown[MANY - 2], @r#"
[name.duplicate] error: `same` is declared twice
      ╭─[ app.jadpo:2002:7 ]
      │
 2002 │ store same { engine: sqlite("data/s1999.db") }
      │       ──┬─
      │         ╰─── declared again here
      │
      ├─[ app.jadpo:3:7 ]
      │
    3 │ store same { engine: sqlite("data/s0.db") }
      │       ──┬─
      │         ╰─── first declared here
──────╯
"#);
}

#[test]
fn a_line_that_is_the_whole_file_is_walked_for_none_of_its_mistakes() {
    let text = stores(|n| format!("store s{n} {{ engine: sqlite(\"dätä/s{n}.db\")  keep: 7s }}"));
    let (fetched, shown) = shown(&text.replace('\n', " "));
    assert_eq!((fetched, shown.len()), (1, MANY));
    insta::assert_snapshot!(shown[MANY - 1], @"
[store.value_invalid] error: `keep` is a duration of a minute or more; `7s` is shorter
  in app.jadpo:1:113789
");
}

//! What is left as it is.

use crate::format::verify::verify;
use crate::format::{File, Outcome, Unformatted, format};

fn codes(bytes: &[u8]) -> Vec<String> {
    match File::from_bytes("x.jadpo", bytes.to_vec()).outcome {
        Outcome::Unclear(found) => found.iter().map(|it| it.code.text().to_owned()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_text_with_a_mistake_in_its_syntax_is_left_as_it_is() {
    assert!(matches!(format("app a {"), Err(Unformatted::Syntax(_))));
    assert_eq!(
        codes(b"app a { }\ntype B =\ntype C = Int { min: 1e3 }"),
        ["syntax.expected", "syntax.number_invalid"]
    );
    assert_eq!(codes(b"type A = Enum { a, b }"), ["syntax.comma_unneeded"]);
    assert_eq!(codes(b"app a { } /// x"), ["syntax.doc_unattached"]);
}

#[test]
fn a_file_that_is_no_text_is_left_as_it_is() {
    assert_eq!(codes(b"app a { } // \xff"), ["file.encoding_invalid"]);
    assert_eq!(codes(b"app a { } // \0"), ["file.nul_invalid"]);
    assert_eq!(codes(&vec![b' '; 4 * 1024 * 1024 + 1]), ["file.too_large"]);
}

/// What the comparison says of `formatted` as the layout of `text`.
fn difference(text: &str, formatted: &str) -> String {
    let parsed = jadpo_syntax::parse_file(text);
    assert_eq!(parsed.problems, []);
    verify(text, &parsed, formatted).map_or_else(|discrepancy| discrepancy.what, |()| "none".to_owned())
}

#[test]
fn a_result_that_says_something_else_is_refused() {
    let text = "// 1\noperation o {\n    method: GET  // 2\n    // 3\n    path: \"/\"\n}\n";
    assert_eq!(difference(text, text), "none");
    let wrong = |from: &str, to: &str| difference(text, &text.replace(from, to));
    assert_eq!(wrong("GET", "PUT"), "`GET` became `PUT`");
    assert_eq!(wrong("\"/\"", "\"/ \""), "`\"/\"` became `\"/ \"`");
    assert_eq!(wrong("// 1\n", ""), "`// 1` became `operation`");
    assert_eq!(wrong("// 3", "// 4"), "`// 3` became `// 4`");
    assert_eq!(wrong("  // 2\n", "\n    // 2\n"), "`// 2` became the begin of an entry");
    assert_eq!(wrong("    // 3\n    path: \"/\"\n", "    path: \"/\"\n    // 3\n"), "`// 3` became `path`");
    assert_eq!(wrong("}\n", "}\n// 4\n"), "something at its end was lost or doubled");
    assert_eq!(wrong("}\n", "\n"), "the result has a mistake: the `{` of `o` is never closed");
    assert_eq!(wrong("    path", "     path"), "formatting it again changes it again");
    let fields = "type A = Object {\n    a: Int  // 1\n    b: Int\n}\n";
    assert_eq!(
        difference(fields, &fields.replace("  // 1\n", "\n    // 1\n")),
        "`// 1` became the begin of an entry"
    );
}

//! The page about tests quotes tests that run.

use std::fs;
use std::path::Path;

#[test]
fn every_piece_of_the_page_stands_in_an_example_s_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/testing.md")).unwrap();
    let tests = ["rates", "desk"]
        .map(|example| fs::read_to_string(root.join("examples").join(example).join("src/tests.rs")).unwrap());
    let pieces: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(pieces.len() >= 3, "the page shows {} pieces", pieces.len());
    for piece in pieces {
        assert!(
            tests.iter().any(|tests| tests.contains(piece)),
            "no test of an example has this piece of docs/testing.md:\n{piece}"
        );
    }
}

//! What a person sees who opens the generated files.

use super::projects;
use crate::generate;

#[test]
fn the_page_s_example_as_rust() {
    let output = generate(&projects::trading());
    insta::assert_snapshot!(output.files["app.rs"]);
}

#[test]
fn the_page_s_example_as_a_plan() {
    let output = generate(&projects::trading());
    insta::assert_snapshot!(output.files["plan.json"]);
}

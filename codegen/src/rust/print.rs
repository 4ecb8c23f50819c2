//! Layout of the generated tokens.

use proc_macro2::TokenStream;

/// The text of a file of these tokens.
pub fn print(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens)
        .expect("generated tokens are a Rust file, whatever the manifest's names and texts");
    spaced(&prettyplease::unparse(&file))
}

/// Sets items apart by an empty line, which prettyplease never does.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut before = "";
    for line in text.lines() {
        if ends_item(before) && starts_item(line) && indent(before) == indent(line) {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        before = line;
    }
    out
}

fn ends_item(line: &str) -> bool {
    line.trim_start() == "}" || line.ends_with(';') || line.ends_with(" {}")
}

fn starts_item(line: &str) -> bool {
    let starts = ["///", "#[", "// ", "pub ", "impl ", "impl<", "fn ", "struct ", "const "];
    starts.iter().any(|start| line.trim_start().starts_with(start))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

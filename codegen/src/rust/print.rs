//! Layout. What there is much of, types and their codecs and clients, is written as text line by line; what there is one
//! of for each handler is made of tokens, and laid out here.

use proc_macro2::TokenStream;

/// The text of a file of these tokens, its items set apart by empty lines.
pub fn print(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens)
        .expect("generated tokens are a Rust file, whatever the manifest's names and texts");
    spaced(&prettyplease::unparse(&file))
}

/// Written text as tokens.
pub fn tokens(text: &str) -> TokenStream {
    text.parse().expect("generated text is tokens of Rust, whatever the manifest's names and texts")
}

/// Lines four columns further in; empty ones stay so.
pub fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.lines() {
        if !line.is_empty() {
            out.push_str("    ");
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Appends an item, set apart from the one before.
pub fn append(items: &mut String, item: &str) {
    if !items.is_empty() && !item.is_empty() {
        items.push('\n');
    }
    items.push_str(item);
}

/// A module of items; nothing where it has none.
pub fn module(docs: &str, head: &str, items: &str) -> String {
    if items.is_empty() { String::new() } else { format!("{docs}{head} {{\n{}}}\n", indented(items)) }
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

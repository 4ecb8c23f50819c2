//! Layout of the generated tokens.

use proc_macro2::TokenStream;

/// The text of a file of these tokens.
pub fn print(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens)
        .expect("generated tokens are a Rust file, whatever the manifest's names and texts");
    prettyplease::unparse(&file)
}

/// One file of the texts of parts that are the same module, each with some of its items.
pub fn joined(parts: &[String]) -> String {
    let mut whole = String::with_capacity(parts.iter().map(String::len).sum());
    for (number, part) in parts.iter().enumerate() {
        let part = part.strip_suffix("}\n").unwrap_or(part);
        let items = if number == 0 { part } else { part.split_once('\n').map_or("", |(_, items)| items) };
        whole.push_str(items);
    }
    whole.push_str("}\n");
    spaced(&whole)
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

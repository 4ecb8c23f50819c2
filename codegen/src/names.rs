//! Names of the manifest as names of Rust.
//!
//! Every rule looks at one name alone, so a name never depends on its neighbours, and gives different names for
//! different names, so two that the manifest tells apart never meet in the generated code. A keyword becomes a raw
//! identifier (`r#type`). A name that Rust has no raw form of, or that the generated code uses itself in that place,
//! gets a `_` at its end, and so does what already is such a name with `_` behind it: `self` is `self_`, `self_` is
//! `self__`. So does every name that begins as names of the generated code's own do.

use proc_macro2::{Ident, Span};

/// Keywords of any edition, in byte order; those that have no raw form are [`UNRAWABLE`].
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What Rust takes neither as an identifier nor as a raw one; `_` stands for any run of underscores.
const UNRAWABLE: &[&str] = &["Self", "crate", "self", "super"];

/// Names that the generated code itself gives to something in the same scope, and beginnings of such names.
pub struct Taken {
    names: &'static [&'static str],
    beginnings: &'static [&'static str],
}

/// Names alone.
const fn names(names: &'static [&'static str]) -> Taken {
    Taken { names, beginnings: &[] }
}

/// A scope that holds only what the manifest names.
pub const FREE: Taken = names(&[]);

/// Beside a package's types.
pub const IN_PACKAGE: Taken = names(&["Client", "Decode"]);

/// Beside the app's types and the packages.
pub const IN_APP: Taken = names(&["Handlers", "Dispatcher", "codec", "cx", "emits", "on", "origin"]);

/// Methods of a context, beside one for each connection: `start_` begins those that start batches.
pub const IN_CONTEXT: Taken = Taken {
    names: &["attempt", "blocking", "emit", "now", "origin", "store", "trace", "transaction"],
    beginnings: &["start_"],
};

/// Methods of the trait that a package's raw answers are read by, and of `Handlers`.
pub const IN_TRAIT: Taken = FREE;

/// A name in the case that it has: fields, functions, modules, types.
pub fn ident(name: &str, taken: &Taken) -> Ident {
    let stem = name.trim_end_matches('_');
    let begins = || taken.beginnings.iter().any(|beginning| name.starts_with(beginning));
    if stem.is_empty() || UNRAWABLE.contains(&stem) || taken.names.contains(&stem) || begins() {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    if KEYWORDS.binary_search(&name).is_ok() {
        return Ident::new_raw(name, Span::call_site());
    }
    Ident::new(name, Span::call_site())
}

/// A `lower_snake_case` name as a type or a variant.
pub fn camel_ident(name: &str, taken: &Taken) -> Ident {
    ident(&camel(name), taken)
}

/// `fetch_prices` is `FetchPrices`. An underscore that no letter follows, or that another one follows, stays, so
/// `rate_1` is `Rate_1` and differs from `rate1`; so does one at the beginning.
pub fn camel(name: &str) -> String {
    let body = name.trim_start_matches('_');
    let mut out = String::with_capacity(name.len());
    out.push_str(&name[..name.len() - body.len()]);
    let mut upper = true;
    let mut letters = body.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '_' && letters.peek().is_some_and(char::is_ascii_alphabetic) {
            upper = true;
        } else {
            out.push(if upper { letter.to_ascii_uppercase() } else { letter });
            upper = false;
        }
    }
    out
}

#[cfg(test)]
mod tests;

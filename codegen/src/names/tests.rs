//! One line a name.

use std::collections::BTreeSet;

use super::*;

#[test]
fn names_rust_cannot_take() {
    let plain = |name: &str| ident(name, &FREE).to_string();
    assert_eq!(plain("btc"), "btc");
    assert_eq!(plain("type"), "r#type");
    assert_eq!(plain("gen"), "r#gen");
    assert_eq!(plain("self"), "self_");
    assert_eq!(plain("self_"), "self__");
    assert_eq!(plain("crate"), "crate_");
    assert_eq!(plain("Self"), "Self_");
    assert_eq!(plain("_"), "__");
    assert_eq!(plain("__"), "___");
    assert_eq!(plain("_x"), "_x");
    assert_eq!(ident("Client", &IN_PACKAGE).to_string(), "Client_");
    assert_eq!(ident("Client", &FREE).to_string(), "Client");
    assert_eq!(ident("store", &IN_CONTEXT).to_string(), "store_");
    assert_eq!(ident("start_it", &IN_CONTEXT).to_string(), "start_it_");
    assert_eq!(ident("start_it_", &IN_CONTEXT).to_string(), "start_it__");
    assert_eq!(ident("start", &IN_CONTEXT).to_string(), "start");
}

#[test]
fn camel_case() {
    assert_eq!(camel("fetch_prices"), "FetchPrices");
    assert_eq!(camel("buy"), "Buy");
    assert_eq!(camel("rate_1"), "Rate_1");
    assert_eq!(camel("rate1"), "Rate1");
    assert_eq!(camel("_a"), "_A");
    assert_eq!(camel("a__b"), "A_B");
    assert_eq!(camel("a_"), "A_");
    assert_eq!(camel("_"), "_");
    assert_eq!(camel_ident("self", &FREE).to_string(), "Self_");
    assert_eq!(camel_ident("self_", &FREE).to_string(), "Self__");
}

#[test]
fn keywords_are_searchable() {
    assert!(KEYWORDS.is_sorted());
}

#[test]
fn different_names_stay_different() {
    let letters = ["a", "b", "_", "1"];
    let mut names: Vec<String> = vec![String::new()];
    for _ in 0..5 {
        let longer =
            names.iter().flat_map(|name| letters.iter().map(move |letter| format!("{name}{letter}")));
        names = names.iter().cloned().chain(longer).collect::<BTreeSet<_>>().into_iter().collect();
    }
    names.retain(|name| !name.is_empty() && !name.starts_with('1'));
    names.extend(["self", "self_", "self__", "type", "type_", "client", "client_"].map(str::to_owned));
    let plain: BTreeSet<_> = names.iter().map(|name| ident(name, &FREE).to_string()).collect();
    assert_eq!(plain.len(), names.len());
    let camels: BTreeSet<_> = names.iter().map(|name| camel_ident(name, &IN_PACKAGE).to_string()).collect();
    assert_eq!(camels.len(), names.len());
}

//! Whatever a reader sees is laid out as `jadpo fmt` does it.

use jadpo_analysis::format::{Unformatted, format};

use super::manifests;

#[test]
fn every_manifest_of_the_checkout_is_canonical() {
    let manifests = manifests();
    assert!(manifests.len() > 100, "{}", manifests.len());
    let mut unclear = 0;
    let mut other = Vec::new();
    for (place, text) in &manifests {
        match format(text) {
            Ok(formatted) if formatted == *text => {}
            // Some examples of the catalogue are mistakes in the syntax.
            Err(Unformatted::Syntax(_)) => unclear += 1,
            Ok(formatted) => other.push(format!("{place}: {text:?} is canonical as {formatted:?}")),
            Err(error) => other.push(format!("{place}: {error:?}")),
        }
    }
    assert_eq!(other, Vec::<String>::new());
    assert!(unclear * 4 < manifests.len(), "{unclear} of {} can't be read", manifests.len());
}

//! What a diagnostic is recognized by from one report to the next, even when its lines have moved.

use std::collections::BTreeMap;
use std::fmt::Write;

use jadpo_analysis::diagnostics::Diagnostic;
use sha2::{Digest, Sha256};

/// How many bytes of the digest are kept: 32 hexadecimal digits.
const BYTES: usize = 16;

/// One for each diagnostic, all of them different. Lines don't count; of diagnostics that say the same of the same file,
/// the place in their row does.
pub fn of_all(diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let fingerprints = diagnostics.iter().map(|diagnostic| {
        let same = (diagnostic.code.text(), &*diagnostic.file, &*diagnostic.message);
        let nth: &mut usize = seen.entry(same).or_default();
        *nth += 1;
        digest(&[same.0, same.1, same.2, &nth.to_string()])
    });
    fingerprints.collect()
}

fn digest(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        // The length stands before each part, so that no two rows of parts run together to the same bytes.
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().iter().take(BYTES).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes any text");
        text
    })
}

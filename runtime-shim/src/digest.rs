//! Digests of canonical text.

use sha2::{Digest as _, Sha256};

/// SHA-256 over the bytes of `text`.
pub fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// A digest, or other bytes, in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    crate::codec::to_hex(bytes)
}

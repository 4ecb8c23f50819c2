//! Writes the fuzzer's first corpora and its dictionary: `cargo run -p jadpo-properties`.
#![allow(clippy::unwrap_used, reason = "a folder that can't be written ends the program")]

use std::fmt::Write as _;
use std::fs;

use jadpo_properties::{Target, seeds};
use jadpo_tests::workspace;

fn main() {
    let corpus = workspace::root().join("fuzz/corpus");
    for target in Target::ALL {
        let folder = corpus.join(target.name());
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds::seeds(target).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed).unwrap();
        }
    }
    let mut dictionary = String::new();
    for word in seeds::words() {
        dictionary.push('"');
        for byte in word.bytes() {
            let _ = match byte {
                b'"' | b'\\' => write!(dictionary, "\\{}", char::from(byte)),
                b' '..=b'~' => write!(dictionary, "{}", char::from(byte)),
                _ => write!(dictionary, "\\x{byte:02x}"),
            };
        }
        dictionary.push_str("\"\n");
    }
    fs::write(corpus.join("words.dict"), dictionary).unwrap();
}

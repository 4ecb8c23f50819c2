//! The list of what was written last, which stands beside the generated files.
//!
//! Its lines are `<SHA-256>  <path>`, as `sha256sum` prints and checks them, after two comments that say what made the
//! files: the version of the generator and the digest of the manifests.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::path::{Component, Path};

use jadpo_analysis::Workspace;
use sha2::{Digest, Sha256};

/// Its file's name.
pub const LIST: &str = ".jadpo-outputs";

/// The version that writes now; all crates of this workspace have one.
pub const GENERATOR: &str = env!("CARGO_PKG_VERSION");

const GENERATOR_LINE: &str = "# jadpo ";
const MANIFESTS_LINE: &str = "# manifests ";

/// What was written, and from what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The version of jadpo that wrote it; empty where the list doesn't say.
    pub generator: String,
    /// The digest of the manifests that it was made from; empty where the list doesn't say.
    pub manifests: String,
    /// Digests by path.
    pub files: BTreeMap<String, String>,
}

impl Listed {
    /// Of files that are written now.
    pub fn of(files: &BTreeMap<String, String>, manifests: &str) -> Listed {
        Listed {
            generator: GENERATOR.to_owned(),
            manifests: manifests.to_owned(),
            files: files.iter().map(|(path, text)| (path.clone(), digest(text.as_bytes()))).collect(),
        }
    }

    /// Reads a list. A line that is none of ours is passed over, and so is a path that leads out of the directory, since
    /// what it names could be removed.
    pub fn read(text: &str) -> Listed {
        let after = |begin: &str| {
            text.lines().find_map(|line| line.strip_prefix(begin)).unwrap_or_default().trim().to_owned()
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let files = lines.filter_map(|line| line.split_once("  ")).filter(|(_, path)| {
            let mut parts = Path::new(path).components();
            !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        });
        Listed {
            generator: after(GENERATOR_LINE),
            manifests: after(MANIFESTS_LINE),
            files: files.map(|(digest, path)| (path.to_owned(), digest.to_owned())).collect(),
        }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{GENERATOR_LINE}{}", self.generator)?;
        writeln!(out, "{MANIFESTS_LINE}{}", self.manifests)?;
        for (path, digest) in &self.files {
            writeln!(out, "{digest}  {path}")?;
        }
        Ok(())
    }
}

/// One digest of all manifests of a workspace: their paths as diagnostics name them, and their texts.
pub fn manifests(workspace: &Workspace) -> String {
    let mut files = workspace.files();
    files.sort_unstable();
    let mut all = Sha256::new();
    for file in files {
        let text = workspace.text(file).unwrap_or_default();
        for part in [file, &text] {
            // Lengths keep a path and a text from running into each other.
            all.update((part.len() as u64).to_be_bytes());
            all.update(part.as_bytes());
        }
    }
    hex(&all.finalize())
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

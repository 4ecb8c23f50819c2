//! The list of what was written last, which stands beside the generated files.
//!
//! Its lines are `<SHA-256>  <path>`, as `sha256sum` prints and checks them, after two comments that say what made the
//! files: the version of the generator and the digest of the manifests. Where the check had nothing to say, two more
//! comments let the next build with the same inputs do without it.

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
const INPUTS_LINE: &str = "# inputs ";
const BUILT_LINE: &str = "# built ";

/// Which state of its sources the generator has, besides its version.
const STATE: &str = env!("JADPO_GENERATOR_STATE");

/// What was written, and from what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The version of jadpo that wrote it; empty where the list doesn't say.
    pub generator: String,
    /// The digest of the manifests that it was made from; empty where the list doesn't say.
    pub manifests: String,
    /// What the build came to, where another with the same inputs has nothing else to say.
    pub settled: Option<Settled>,
    /// Digests by path.
    pub files: BTreeMap<String, String>,
}

/// What a build came to whose check found nothing, not even a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The digest of all that the check and the generator look at, and of the generator's own state.
    pub inputs: String,
    /// The app's name.
    pub app: String,
    /// Its native deployables.
    pub deployables: Vec<String>,
}

impl Listed {
    /// Of files that are written now.
    pub fn of(files: &BTreeMap<String, String>, manifests: &str) -> Listed {
        Listed {
            generator: GENERATOR.to_owned(),
            manifests: manifests.to_owned(),
            settled: None,
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
            settled: Settled::read(after(INPUTS_LINE), &after(BUILT_LINE)),
            files: files.map(|(digest, path)| (path.to_owned(), digest.to_owned())).collect(),
        }
    }
}

impl Settled {
    /// `<app>: <deployable>, <deployable>`; nothing where either line is missing.
    fn read(inputs: String, built: &str) -> Option<Self> {
        let (app, deployables) = built.split_once(": ")?;
        let deployables = deployables.split(", ").map(str::to_owned).collect();
        (!inputs.is_empty()).then(|| Self { inputs, app: app.to_owned(), deployables })
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{GENERATOR_LINE}{}", self.generator)?;
        writeln!(out, "{MANIFESTS_LINE}{}", self.manifests)?;
        if let Some(Settled { inputs, app, deployables }) = &self.settled {
            writeln!(out, "{INPUTS_LINE}{inputs}")?;
            writeln!(out, "{BUILT_LINE}{app}: {}", deployables.join(", "))?;
        }
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
    let mut all = Pieces::default();
    for file in files {
        all.add(file);
        all.add(&workspace.text(file).unwrap_or_default());
    }
    all.digest()
}

/// One digest of all that decides what the check of a workspace says and what is generated.
pub fn inputs(workspace: &Workspace) -> String {
    let mut all = Pieces::default();
    all.add(GENERATOR);
    all.add(STATE);
    workspace.each_input(|piece| all.add(piece));
    all.digest()
}

/// Texts that are digested one after the other.
#[derive(Default)]
struct Pieces(Sha256);

impl Pieces {
    fn add(&mut self, piece: &str) {
        // Lengths keep a text and the next one from running into each other.
        self.0.update((piece.len() as u64).to_be_bytes());
        self.0.update(piece.as_bytes());
    }

    fn digest(self) -> String {
        hex(&self.0.finalize())
    }
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

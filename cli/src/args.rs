//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Checks and builds what an app's .jadpo manifests declare.
#[derive(Debug, Parser)]
#[command(name = "jadpo", version, about, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to colour what people read.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a project or a package, and say what is wrong where.
    ///
    /// Exits with 0 when nothing is wrong (warnings allowed), with 1 when there are errors.
    Check(Check),
    /// Check a project and write the Rust that runs it, as a crate.
    Build(Build),
    /// Lay manifests out in their one form; what they say stays the same.
    ///
    /// A file with a mistake in its syntax is left as it is. Exits with 1 when there is one, and, with --check or --diff,
    /// when a file is laid out otherwise.
    Fmt(Fmt),
    /// Show, accept and compare what apps can see of packages.
    Surface(Surface),
    /// Explain a diagnostic code, with a wrong and a right example; without a code, list them all.
    Explain(Explain),
    /// Serve an editor over standard input and output.
    Lsp,
}

/// `jadpo check`
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The directory of the project or the package.
    #[arg(default_value = ".")]
    pub path: PathBuf,

    /// Who reads the answer.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// What else to treat as an error.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Vec<Deny>,

    /// First make the repairs that need no choice, where the files beneath the directory then check better.
    #[arg(long)]
    pub fix: bool,

    /// Check again after each change, until ctrl-c.
    #[arg(long, conflicts_with = "fix")]
    pub watch: bool,

    /// List which queries the last edit of this manifest of the project makes run again, and why.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "deny"])]
    pub why_recomputed: Option<PathBuf>,

    /// What the manifest said before the edit: a git revision or another file.
    #[arg(long, value_name = "git:REV|FILE", requires = "why_recomputed", default_value = "git:HEAD")]
    pub since: String,
}

/// `jadpo build`
#[derive(Debug, clap::Args)]
pub struct Build {
    /// The directory of the project.
    #[arg(default_value = ".")]
    pub path: PathBuf,

    /// Where the crate is written; `build/<app>` inside the project, unless given.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write nothing, and compare what stands there with what would be written; exits with 1 when they differ.
    #[arg(long)]
    pub verify: bool,
}

/// `jadpo fmt`
#[derive(Debug, clap::Args)]
pub struct Fmt {
    /// Manifests, and directories of projects or packages or of several.
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Write nothing, and list the files that would change.
    #[arg(long, conflicts_with = "diff")]
    pub check: bool,

    /// Write nothing, and show what would change.
    #[arg(long)]
    pub diff: bool,

    /// Read one manifest from standard input, and write it to standard output.
    #[arg(long, conflicts_with = "paths")]
    pub stdin: bool,
}

/// `jadpo surface`
#[derive(Debug, clap::Args)]
pub struct Surface {
    /// What to do.
    #[command(subcommand)]
    pub command: SurfaceCommand,
}

/// What can be done with surfaces.
#[derive(Debug, Subcommand)]
pub enum SurfaceCommand {
    /// Print the surface of each package, as its surface.json would hold it.
    Show(SurfaceShow),
    /// Write the surface.json of each package, beside its provider.jadpo.
    ///
    /// A package that would break apps without a version that says so is refused; then it exits with 1.
    Accept(SurfaceAccept),
    /// Say what changed for apps, what of this project it hits, and the least version that is honest.
    ///
    /// Exits with 1 when a change breaks apps and the version doesn't say so.
    Diff(SurfaceDiff),
}

/// `jadpo surface show`
#[derive(Debug, clap::Args)]
pub struct SurfaceShow {
    /// The directory of the project or the package.
    #[arg(default_value = ".")]
    pub path: PathBuf,
}

/// `jadpo surface accept`
#[derive(Debug, clap::Args)]
pub struct SurfaceAccept {
    /// The directory of the project or the package.
    #[arg(default_value = ".")]
    pub path: PathBuf,

    /// Who reads the answer.
    #[arg(long, value_enum, default_value_t = SurfaceFormat::Human)]
    pub format: SurfaceFormat,
}

/// `jadpo surface diff`
#[derive(Debug, clap::Args)]
pub struct SurfaceDiff {
    /// The directory of the project or the package.
    #[arg(default_value = ".")]
    pub path: PathBuf,

    /// What to compare with, instead of each package's surface.json: a file that `surface show` wrote, another
    /// directory, or a git revision.
    #[arg(long, value_name = "FILE|DIR|git:REV")]
    pub against: Option<String>,

    /// Who reads the answer.
    #[arg(long, value_enum, default_value_t = SurfaceFormat::Human)]
    pub format: SurfaceFormat,
}

/// Who reads what `jadpo surface` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SurfaceFormat {
    /// People.
    Human,
    /// Programs: one JSON object.
    Json,
}

/// `jadpo explain`
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// The code, as a diagnostic shows it between brackets.
    pub code: Option<String>,
}

/// Who reads the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// People: the source with the place marked.
    Human,
    /// Programs: one JSON object.
    Json,
    /// People and programs: one line for each diagnostic.
    Concise,
    /// Code scanning and viewers: SARIF 2.1.0.
    Sarif,
    /// GitHub Actions: workflow commands that become annotations.
    Github,
    /// GitLab CI: a code quality report.
    Gitlab,
    /// Whatever reads test results: JUnit XML with a case for each file.
    Junit,
}

/// What `--deny` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Every warning is an error.
    Warnings,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// When it goes to a terminal and NO_COLOR is not set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

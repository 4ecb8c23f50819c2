//! Laying out keeps words, comments and meaning, comes to an end at once, and leaves alone what is unclear.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::format::{Unformatted, format};
use jadpo_analysis::model::Project;
use jadpo_analysis::system::MemorySystem;
use jadpo_syntax::{TokenKind, parse_file, tokens};

/// Tries a manifest.
pub fn holds(text: &str) {
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(Unformatted::Syntax(problems)) => {
            assert_eq!(problems, parse_file(text).problems);
            assert!(!problems.is_empty(), "left alone for no reason");
            return;
        }
        Err(Unformatted::Unsound(discrepancy)) => panic!("{discrepancy:?}"),
    };
    assert!(parse_file(text).problems.is_empty(), "laid out although it is unclear");
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "a second time");
    assert_eq!(words(text), words(&formatted));
    assert!(formatted.is_empty() || formatted.ends_with('\n'), "{formatted:?}");
    let (before, after) = (said(text), said(&formatted));
    assert!(before.meaning == after.meaning, "another meaning: {formatted}");
    // How a mistake is told may follow from where its lines end; that it is one may not.
    assert_eq!(before.is_ok, after.is_ok, "of {formatted}");
    if before.is_ok {
        assert_eq!(before.found, after.found, "diagnostics of {formatted}");
    }
}

/// Everything that is said, sorted: of commas only those say something that stand between types.
fn words(text: &str) -> Vec<&str> {
    let tokens = tokens(text).into_iter();
    let said =
        tokens.filter(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Bom | TokenKind::Comma));
    let mut words: Vec<&str> = said.map(|token| token.span.text(text).trim_end()).collect();
    words.sort_unstable();
    words
}

/// What the check says of a project.
struct Said {
    is_ok: bool,
    found: Vec<(&'static str, String)>,
    meaning: Option<Arc<Project>>,
}

/// What it says of a project with this one manifest.
fn said(text: &str) -> Said {
    let mut system = MemorySystem::new();
    let is_package = text.contains("provider ");
    system.write(if is_package { "/provider.jadpo" } else { "/app.jadpo" }, text);
    let workspace = Workspace::open(Arc::new(system), Path::new("/"));
    let report = workspace.check();
    let mut found: Vec<_> =
        report.diagnostics.iter().map(|it| (it.code.text(), it.message.clone())).collect();
    found.sort();
    Said { is_ok: report.is_ok(), found, meaning: workspace.model() }
}

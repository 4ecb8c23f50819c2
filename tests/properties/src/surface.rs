//! Surfaces: a package differs in nothing from itself, a difference mirrors its undoing, and what is accepted is read
//! back as it was.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::surface::{Accept, Against, Comparison, Document, FILE_NAME, Kind, Spot};
use jadpo_analysis::system::MemorySystem;

use crate::files::{files, system};

/// What stands between the two projects of an input; a part that begins with `{` is read as a written surface.
pub const SEPARATOR: &[u8] = b"\n//= \n";

/// Tries the two projects of an input.
pub fn holds(input: &[u8]) {
    let at = input.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let (old, new) = at.map_or((input, input), |at| (&input[..at], &input[at + SEPARATOR.len()..]));
    if let Some(document) = [old, new].into_iter().find(|part| part.starts_with(b"{")) {
        return written(&String::from_utf8_lossy(document), new);
    }
    let (old_system, new_system) = (system(&files(old)), system(&files(new)));
    let (old, new) = (open(&old_system), open(&new_system));
    is_itself(&new, &new_system);
    let forth = new.compare_surfaces(Against::Workspace(&old));
    let back = old.compare_surfaces(Against::Workspace(&new));
    // Of packages that have errors, and from where there is no app, one side may not know what the other one tells.
    let all_known =
        |comparison: &Comparison| comparison.failed.is_empty() && comparison.uncompared.is_empty();
    if all_known(&forth) && all_known(&back) && forth.packages.len() == back.packages.len() {
        assert_eq!(told(&forth, false), told(&back, true), "{forth:?}\n{back:?}");
    }
}

fn open(system: &MemorySystem) -> Workspace {
    Workspace::open(Arc::new(system.clone()), Path::new("/"))
}

/// That any text is read as a surface, or refused with a reason, and that reading it ends in a comparison.
fn written(text: &str, project: &[u8]) {
    match Document::read_all(text) {
        Err(why) => assert!(!why.is_empty()),
        Ok(documents) => {
            let comparison = open(&system(&files(project))).compare_surfaces(Against::Documents(&documents));
            told(&comparison, false);
        }
    }
    // Beside a manifest the same text is what was accepted.
    let mut files = system(&files(b"provider a {\n    base_url: \"https://a.example\"\n}\n"));
    files.write(format!("/{FILE_NAME}"), text);
    let workspace = open(&files);
    let report = workspace.check();
    let package = &workspace.surfaces()[0];
    if let Accept::Unread(why) = workspace.accept(package) {
        assert!(!why.is_empty());
        assert!(!report.is_ok(), "an unreadable surface is no error");
    }
    told(&workspace.compare_surfaces(Against::Accepted), false);
}

/// That nothing is told of a project against itself, whether it stands there or was written.
fn is_itself(workspace: &Workspace, system: &MemorySystem) {
    nothing(&workspace.compare_surfaces(Against::Workspace(&open(system))));
    let surfaces = workspace.surfaces();
    for package in &surfaces {
        let Some(text) = package.text() else { continue };
        let documents = Document::read_all(&text).unwrap();
        let names = surfaces.iter().filter(|other| other.name == package.name).count();
        if names == 1 && surfaces.len() == 1 {
            nothing(&workspace.compare_surfaces(Against::Documents(&documents)));
        }
        if let Accept::Write(accepted) = workspace.accept(package) {
            assert_eq!(accepted, text);
            let mut system = system.clone();
            system.write(format!("/{}/{FILE_NAME}", package.dir), accepted);
            let again = open(&system);
            let found = again.surfaces().into_iter().find(|other| other.dir == package.dir).unwrap();
            assert_eq!(again.accept(&found), Accept::Kept);
        }
    }
}

fn nothing(comparison: &Comparison) {
    let changes = comparison.packages.iter().flat_map(|package| &package.changes);
    assert_eq!(changes.map(|it| &it.change.says).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// What is told, as where it was and where it is, or the other way round.
fn told(comparison: &Comparison, mirrored: bool) -> Vec<String> {
    let changes = comparison.packages.iter().flat_map(|package| &package.changes).map(|it| &it.change);
    let mut told: Vec<String> = changes
        .inspect(|change| assert!(!change.says.is_empty() && !change.says.contains('\n'), "{change:?}"))
        .filter(|change| is_always_told(change.kind))
        .map(|change| {
            let spots: (&Option<Spot>, &Option<Spot>) =
                if mirrored { (&change.new, &change.old) } else { (&change.old, &change.new) };
            format!("{spots:?}")
        })
        .collect();
    told.sort();
    told
}

/// What only some ways of values make a change at all: the ways may differ on both sides.
fn is_always_told(kind: Kind) -> bool {
    !matches!(kind, Kind::PresenceSwapped | Kind::VariantStoredOtherwise | Kind::DefaultChanged)
}

//! The examples' manifests: nothing is wrong with them, nothing is remarked on, and their packages have surfaces.

use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::surface::{Against, Document, PackageSurface};
use jadpo_analysis::system::OsSystem;
use jadpo_tests::workspace;

/// Every folder of `examples/`, opened where it stands.
fn examples() -> Vec<(String, Workspace)> {
    let folders = std::fs::read_dir(workspace::root().join("examples")).unwrap();
    let paths = folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    paths
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, Workspace::open(Arc::new(OsSystem), &path))
        })
        .collect()
}

#[test]
fn every_example_checks_without_a_remark() {
    let examples = examples();
    assert!(examples.len() >= 4, "{}", examples.len());
    for (name, workspace) in examples {
        let report = workspace.check();
        assert!(report.diagnostics.is_empty(), "{name}: {:?}", report.diagnostics);
        assert!(workspace.model().is_some(), "{name}");
    }
}

#[test]
fn the_surface_of_an_example_s_package_is_no_change_of_itself() {
    for (name, workspace) in examples() {
        let surfaces = workspace.surfaces();
        let texts: Option<Vec<String>> = surfaces.iter().map(PackageSurface::text).collect();
        for text in texts.unwrap_or_else(|| panic!("a package of {name} has no surface")) {
            let documents = Document::read_all(&text).unwrap();
            let comparison = workspace.compare_surfaces(Against::Documents(&documents));
            let changes: usize = comparison.packages.iter().map(|package| package.changes.len()).sum();
            assert_eq!((comparison.packages.len(), changes, comparison.is_ok()), (1, 0, true), "{name}");
        }
    }
}

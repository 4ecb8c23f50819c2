//! Whole projects with their layout torn apart: the check says the same of them before and after, and a build would
//! make the same.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::format::format;
use jadpo_analysis::system::MemorySystem;
use jadpo_tests::fixture;
use proptest::collection::vec;
use proptest::prelude::*;

use super::fixtures;
use super::written::{Choices, parts, tear};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_project_means_the_same(which in any::<prop::sample::Index>(), gaps in vec(any::<u8>(), 0..600)) {
        let fixture = FIXTURES.with(|all| which.get(all).clone());
        let choices = &mut Choices::new(&gaps);
        let (mut torn, mut formatted) = (MemorySystem::new(), MemorySystem::new());
        for file in fixture::files(&fixture) {
            let path = format!("/{}", file.path);
            let text = tear(&parts(&file.text), choices);
            formatted.write(&path, format(&text).unwrap());
            torn.write(&path, text);
        }
        let (before, after) = (Said::of(torn), Said::of(formatted));
        prop_assert_eq!(&before.found, &after.found, "{}", fixture);
        prop_assert!(before.model == after.model, "{}", fixture);
    }
}

thread_local! {
    /// Those of whole files that can be laid out.
    static FIXTURES: Vec<String> = {
        let clear = |text: &String| {
            fixture::files(text).iter().all(|file| file.has_text_only() && format(&file.text).is_ok())
        };
        fixtures().into_iter().map(|(_, text)| text).filter(clear).collect()
    };
}

/// What is known of a project.
struct Said {
    found: Vec<(String, &'static str, String)>,
    model: Option<Arc<jadpo_analysis::model::Project>>,
}

impl Said {
    fn of(system: MemorySystem) -> Self {
        let workspace = Workspace::open(Arc::new(system), Path::new("/"));
        let report = workspace.check();
        let found = report.diagnostics.into_iter();
        let mut found: Vec<_> = found.map(|it| (it.file, it.code.text(), it.message)).collect();
        found.sort();
        Self { found, model: workspace.model() }
    }
}

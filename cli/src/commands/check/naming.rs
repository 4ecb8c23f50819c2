//! What files are called in reports that are read elsewhere than where the check ran.
//!
//! People and the JSON form name files from the directory that was checked. Terminals and services don't know that
//! directory: a terminal resolves names from where the command runs, a service from the root of the checkout.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use jadpo_analysis::{Report, Workspace};

/// Where GitHub Actions and GitLab CI say that the checkout stands.
const CHECKOUT_VARIABLES: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/// Gives the files of one workspace the names that they have from another directory.
pub struct Naming<'a> {
    workspace: &'a Workspace,
    root: PathBuf,
    base: PathBuf,
}

impl<'a> Naming<'a> {
    /// Names from where the command runs.
    pub fn for_terminal(workspace: &'a Workspace) -> Self {
        let base = canonical(Path::new("."));
        Self { workspace, root: canonical(workspace.root()), base }
    }

    /// Names from the root of the checkout, where the environment says which one holds the command's directory, and
    /// otherwise from there.
    pub fn for_service(workspace: &'a Workspace) -> Self {
        let here = Self::for_terminal(workspace);
        let roots = CHECKOUT_VARIABLES.iter().filter_map(std::env::var_os);
        let roots = roots.filter_map(|root| Path::new(&root).canonicalize().ok());
        let base = roots.into_iter().find(|root| here.base.starts_with(root));
        Self { base: base.unwrap_or_else(|| here.base.clone()), ..here }
    }

    /// The report with every file renamed, sorted as before.
    pub fn report(&self, report: &Report) -> Report {
        let mut report = report.clone();
        let mut names = BTreeMap::new();
        let mut rename = |file: &mut String| {
            let name = names.entry(file.clone()).or_insert_with(|| self.name(file));
            file.clone_from(name);
        };
        for diagnostic in &mut report.diagnostics {
            rename(&mut diagnostic.file);
            diagnostic.related.iter_mut().for_each(|related| rename(&mut related.file));
            let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
            edits.for_each(|edit| rename(&mut edit.file));
        }
        report
    }

    /// Every file that was checked.
    pub fn files(&self) -> Vec<String> {
        self.workspace.files().into_iter().map(|file| self.name(file)).collect()
    }

    fn name(&self, file: &str) -> String {
        let place = self.workspace.place_of(file).map(Path::to_owned);
        relative(&self.base, &place.unwrap_or_else(|| self.root.join(file)))
    }
}

/// The way from the directory `base` to `place`, with `/` between its parts; both are absolute.
fn relative(base: &Path, place: &Path) -> String {
    let same = base.components().zip(place.components()).take_while(|(one, other)| one == other).count();
    let up = base.components().skip(same).map(|_| "..".into());
    let down = place.components().skip(same).filter(|part| *part != Component::CurDir);
    let down = down.map(|part| part.as_os_str().to_string_lossy());
    let parts: Vec<_> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// The one path of a directory; one that isn't there is named as it was written.
fn canonical(dir: &Path) -> PathBuf {
    dir.canonicalize().or_else(|_| std::path::absolute(dir)).unwrap_or_else(|_| dir.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_from_one_directory_to_another() {
        let relative = |base, place| relative(Path::new(base), Path::new(place));
        assert_eq!(relative("/w", "/w/a/app.jadpo"), "a/app.jadpo");
        assert_eq!(relative("/w/a/b", "/w/app.jadpo"), "../../app.jadpo");
        assert_eq!(relative("/w/a", "/v/x.jadpo"), "../../v/x.jadpo");
        assert_eq!(relative("/w/a", "/w/a/."), ".");
        assert_eq!(relative("/w", "/w/ü b/app.jadpo"), "ü b/app.jadpo");
    }
}

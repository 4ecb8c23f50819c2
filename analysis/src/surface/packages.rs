//! The façade of surfaces: those of a workspace's packages, what accepting them writes, and a comparison with others.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::accepted::accepted;
use super::before::{Against, Before};
use super::diff::{Change, diff};
use super::entry::Surface;
use super::hits::{Hits, Users};
use super::manifest::surface;
use super::spot::Spot;
use super::table::{Class, Kind};
use super::travel::WRITTEN;
use super::{json, places, version};
use crate::Workspace;
use crate::check::is_sound;
use crate::diagnostics::Range;
use crate::inputs::Scope;
use crate::names;

/// A package of a workspace, with what an app can see of it.
#[derive(Clone, Debug)]
pub struct PackageSurface {
    /// Its name.
    pub name: String,
    /// Its directory, relative to the one that was opened; empty for that one.
    pub dir: String,
    /// `None` where the package has errors.
    pub surface: Option<Arc<Surface>>,
    scope: Scope,
}

impl PackageSurface {
    /// Where it is declared.
    pub(super) fn scope(&self) -> Scope {
        self.scope
    }

    /// Its text, as `surface.json` holds it; `None` where the package has errors.
    pub fn text(&self) -> Option<String> {
        self.surface.as_deref().map(json::write)
    }
}

/// What accepting the surface of a package comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    /// `surface.json` says it already.
    Kept,
    /// This is to be written.
    Write(String),
    /// It breaks apps, and its version doesn't say so: the accepted version, the one it has, and the least honest one.
    Unversioned {
        /// That of `surface.json`.
        from: String,
        /// That of the package.
        to: String,
        /// The least that would do.
        least: String,
        /// The breaks, in sentences.
        breaks: Vec<String>,
    },
    /// `surface.json` can't be read, for this reason.
    Unread(String),
    /// The package has errors.
    Broken,
}

/// Surfaces, compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The packages that were compared, those without a change included.
    pub packages: Vec<PackageChanges>,
    /// The names of packages that there was nothing to compare with.
    pub uncompared: Vec<String>,
    /// Packages that can't be compared, with the reason.
    pub failed: Vec<(String, String)>,
    /// What of the app uses a changed package and isn't hit.
    pub untouched: Hits,
}

/// What changed in a package.
#[derive(Clone, Debug)]
pub struct PackageChanges {
    /// Its name, as it is now.
    pub name: String,
    /// Its directory, relative to the one that was opened.
    pub dir: String,
    /// The version that it is compared with; `None` for a new package.
    pub from: Option<String>,
    /// Its version; `None` where it is gone.
    pub to: Option<String>,
    /// The least version that would be honest.
    pub least: String,
    /// Whether nothing breaks, or the version says so.
    pub honest: bool,
    /// In the provider, then in operations, then in types.
    pub changes: Vec<PackageChange>,
}

/// A change, where it is, and what it hits.
#[derive(Clone, Debug)]
pub struct PackageChange {
    /// The change.
    pub change: Change,
    /// Where it was.
    pub old: Option<Site>,
    /// Where it is.
    pub new: Option<Site>,
    /// What of the app it hits; nothing where there is no app.
    pub hits: Hits,
}

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// As diagnostics of its workspace name it; empty for the document that was compared with.
    pub file: String,
    /// Where in it.
    pub range: Range,
}

impl PackageChanges {
    /// Whether its version is the least honest one, or a later one.
    pub fn is_said(&self) -> bool {
        let breaks = self.changes.iter().any(|found| found.change.class == Class::Breaking);
        // A pre-release of a version that may break everything comes before it, and says so all the same.
        breaks && self.honest || self.to.as_ref().is_none_or(|to| version::reaches(to, &self.least))
    }
}

impl Comparison {
    /// Whether anything was compared, every package was that there was something to compare with, and no break is
    /// unversioned.
    pub fn is_ok(&self) -> bool {
        let is_nothing = self.packages.is_empty() && !self.uncompared.is_empty();
        !is_nothing && self.failed.is_empty() && self.packages.iter().all(|package| package.honest)
    }
}

impl Workspace {
    /// The packages with their surfaces, in the order of their directories.
    pub fn surfaces(&self) -> Vec<PackageSurface> {
        let (db, project) = (self.db(), self.project());
        let packages = project.packages(db).iter().map(|scope| {
            let name = names::owner(db, *scope).map_or("", |owner| owner.name_text(db));
            PackageSurface {
                name: name.to_owned(),
                dir: scope.dir(db).to_owned(),
                surface: if is_sound(db, *scope) { surface(db, *scope).cloned() } else { None },
                scope: *scope,
            }
        });
        packages.collect()
    }

    /// What accepting the surface of one of the workspace's packages comes to.
    pub fn accept(&self, package: &PackageSurface) -> Accept {
        let (db, Some(now)) = (self.db(), &package.surface) else { return Accept::Broken };
        let text = json::write(now);
        let Some(file) = package.scope.accepted(db) else { return Accept::Write(text) };
        let before = match accepted(db, file) {
            Ok(before) => before,
            Err((why, _)) => return Accept::Unread(why.clone()),
        };
        let changes = diff(before, now);
        let breaks: Vec<_> = changes.iter().filter(|change| change.class == Class::Breaking).collect();
        if !breaks.is_empty() && !version::says_break(&before.version, &now.version) {
            return Accept::Unversioned {
                from: before.version.clone(),
                to: now.version.clone(),
                least: version::least(&before.version, Some(Class::Breaking)),
                breaks: breaks.iter().map(|change| change.says.clone()).collect(),
            };
        }
        // A checkout may have given it other line ends.
        if file.text(db).replace("\r\n", "\n") == text { Accept::Kept } else { Accept::Write(text) }
    }

    /// Compares the surfaces of the packages with others.
    pub fn compare_surfaces(&self, against: Against<'_>) -> Comparison {
        let now = self.surfaces();
        let mut comparison = Comparison::default();
        let mut unmatched: Vec<&PackageSurface> = Vec::new();
        let before = Before::of(against, &now, self, &mut comparison.failed);
        let mut used = vec![false; before.len()];
        let mut all = Hits::default();
        for package in &now {
            let Some(surface) = &package.surface else {
                comparison.failed.push((package.name.clone(), "it has errors".to_owned()));
                continue;
            };
            let Some(at) = before.iter().position(|before| before.is(package)) else {
                unmatched.push(package);
                continue;
            };
            used[at] = true;
            let changes = self.compare(&before[at], package, surface, &mut all);
            comparison.packages.push(changes);
        }
        let failed: BTreeSet<_> = comparison.failed.iter().map(|(name, _)| name.clone()).collect();
        for package in unmatched.into_iter().filter(|package| !failed.contains(&package.name)) {
            let is_known = match against {
                Against::Accepted | Against::Documents(_) => false,
                Against::Workspace(_) => true,
                Against::Part(_, knows) => knows(&self.root().join(&package.dir)),
            };
            match &package.surface {
                Some(surface) if is_known => comparison.packages.push(self.added(package, surface)),
                _ => comparison.uncompared.push(package.name.clone()),
            }
        }
        // A package that was opened alone says nothing of others.
        let is_alone = self.project().app(self.db()).is_none();
        for (before, _) in before.iter().zip(&used).filter(|(_, used)| !**used && !is_alone) {
            if !failed.contains(&before.surface.package) {
                comparison.packages.push(self.removed(before, &mut all));
            }
        }
        let mut hit = Hits::default();
        let changes = comparison.packages.iter().flat_map(|package| &package.changes);
        changes.for_each(|change| hit.extend(&change.hits));
        comparison.untouched = all.without(&hit);
        comparison
    }

    fn compare(
        &self,
        before: &Before<'_>,
        package: &PackageSurface,
        now: &Surface,
        all: &mut Hits,
    ) -> PackageChanges {
        let changes = diff(&before.surface, now);
        let worst = changes.iter().map(|change| change.class).max();
        let (from, to) = (&before.surface.version, &now.version);
        let users = (!changes.is_empty())
            .then(|| self.project().app(self.db()))
            .flatten()
            .map(|app| Users::new(self.db(), app, &before.surface, Some(now)));
        if let Some(users) = &users {
            all.extend(&users.all());
        }
        PackageChanges {
            name: package.name.clone(),
            dir: package.dir.clone(),
            from: Some(from.clone()),
            to: Some(to.clone()),
            least: version::least(from, worst),
            honest: worst != Some(Class::Breaking) || version::says_break(from, to),
            changes: changes
                .into_iter()
                .map(|change| PackageChange {
                    old: change.old.as_ref().and_then(|spot| before.site(spot)),
                    new: change.new.as_ref().and_then(|spot| self.site(package.scope, spot)),
                    hits: users.as_ref().map(|users| users.hit(&change)).unwrap_or_default(),
                    change,
                })
                .collect(),
        }
    }

    fn added(&self, package: &PackageSurface, surface: &Surface) -> PackageChanges {
        let spot = Spot::Package(package.name.clone());
        PackageChanges {
            name: package.name.clone(),
            dir: package.dir.clone(),
            from: None,
            to: Some(surface.version.clone()),
            least: surface.version.clone(),
            honest: true,
            changes: vec![PackageChange {
                old: None,
                new: self.site(package.scope, &spot),
                hits: Hits::default(),
                change: whole(Kind::PackageAdded, None, Some(spot)),
            }],
        }
    }

    fn removed(&self, before: &Before<'_>, all: &mut Hits) -> PackageChanges {
        let spot = Spot::Package(before.surface.package.clone());
        let app = self.project().app(self.db());
        let users = app.map(|app| Users::new(self.db(), app, &before.surface, None));
        let hits = users.map(|users| users.all()).unwrap_or_default();
        all.extend(&hits);
        PackageChanges {
            name: before.surface.package.clone(),
            dir: before.dir.clone().unwrap_or_default(),
            from: Some(before.surface.version.clone()),
            to: None,
            least: version::least(&before.surface.version, Some(Class::Breaking)),
            honest: false,
            changes: vec![PackageChange {
                old: before.site(&spot),
                new: None,
                hits,
                change: whole(Kind::PackageRemoved, Some(spot), None),
            }],
        }
    }

    /// Where a spot stands in the manifests of a package.
    pub(super) fn site(&self, scope: Scope, spot: &Spot) -> Option<Site> {
        let (file, range) = places::in_manifest(self.db(), scope, spot)?.resolve(self.db());
        Some(Site { file, range })
    }
}

/// A change of a whole package.
fn whole(kind: Kind, old: Option<Spot>, new: Option<Spot>) -> Change {
    let it = old.as_ref().or(new.as_ref()).map(Spot::to_string).unwrap_or_default();
    let class = kind.row().means.of(WRITTEN).unwrap_or(Class::Breaking);
    let says = kind.row().says.replace("{it}", &it);
    Change { kind, class, travel: WRITTEN, old, new, says }
}

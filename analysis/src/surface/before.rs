//! What surfaces are compared with: those that were accepted, those of a file, and those of another workspace.

use std::ops::Range as Bytes;
use std::path::Path;
use std::sync::Arc;

use jadpo_syntax::LineIndex;

use super::accepted::accepted;
use super::entry::Surface;
use super::packages::{PackageSurface, Site};
use super::spot::Spot;
use super::{json, places};
use crate::Workspace;
use crate::diagnostics::Range;
use crate::inputs::Scope;

/// What surfaces are compared with.
#[derive(Clone, Copy)]
pub enum Against<'a> {
    /// The `surface.json` of each package.
    Accepted,
    /// Surfaces that were written somewhere.
    Documents(&'a [Document]),
    /// The packages of another workspace.
    Workspace(&'a Workspace),
    /// The same, of which nothing is known outside of the directories for which this holds.
    Part(&'a Workspace, &'a dyn Fn(&Path) -> bool),
}

/// A surface that was written somewhere.
#[derive(Clone, Debug)]
pub struct Document {
    text: Arc<str>,
    at: Bytes<usize>,
    surface: Arc<Surface>,
}

impl Document {
    /// The surfaces of a text, one or several after another.
    ///
    /// # Errors
    /// With what is wrong with the text, in a sentence.
    pub fn read_all(text: &str) -> Result<Vec<Self>, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let shared: Arc<str> = text.into();
        let mut documents = Vec::new();
        let mut parts = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
        let mut start = 0;
        while let Some(part) = parts.next() {
            part.map_err(|error| error.to_string())?;
            let at = start..parts.byte_offset();
            start = at.end;
            let surface = json::read(&text[at.clone()]).map_err(|(why, _)| why)?;
            documents.push(Self { text: shared.clone(), at, surface: Arc::new(surface) });
        }
        if documents.is_empty() { Err("it is empty".to_owned()) } else { Ok(documents) }
    }
}

/// A surface to compare with.
pub(super) struct Before<'a> {
    pub surface: Arc<Surface>,
    /// The directory of its package, where it has one.
    pub dir: Option<String>,
    source: Source<'a>,
    /// The one that it is compared with although it has another name.
    counterpart: Option<String>,
}

/// Where a surface comes from.
enum Source<'a> {
    /// A text, the part of it that is the surface, and the name of its file; empty for a document.
    Text {
        file: String,
        text: Arc<str>,
        at: Bytes<usize>,
    },
    Workspace(&'a Workspace, Scope),
}

impl<'a> Before<'a> {
    /// All there is to compare with; what can't be read goes to `failed`.
    pub fn of(
        against: Against<'a>,
        now: &[PackageSurface],
        workspace: &Workspace,
        failed: &mut Vec<(String, String)>,
    ) -> Vec<Self> {
        let mut all = Vec::new();
        match against {
            Against::Accepted => {
                for package in now {
                    let Some(file) = package.scope().accepted(workspace.db()) else { continue };
                    match accepted(workspace.db(), file) {
                        Ok(surface) => all.push(Self {
                            surface: surface.clone(),
                            dir: Some(package.dir.clone()),
                            source: Source::Text {
                                file: file.path(workspace.db()).to_owned(),
                                text: file.text(workspace.db()).clone(),
                                at: 0..file.text(workspace.db()).len(),
                            },
                            counterpart: Some(package.name.clone()),
                        }),
                        Err((why, _)) => {
                            failed.push((
                                package.name.clone(),
                                format!("its `surface.json` can't be read: {why}"),
                            ));
                        }
                    }
                }
            }
            Against::Documents(documents) => all.extend(documents.iter().map(|document| Self {
                surface: document.surface.clone(),
                dir: None,
                source: Source::Text {
                    file: String::new(),
                    text: document.text.clone(),
                    at: document.at.clone(),
                },
                counterpart: None,
            })),
            Against::Workspace(other) | Against::Part(other, _) => {
                for package in other.surfaces() {
                    let scope = package.scope();
                    match package.surface {
                        Some(surface) => all.push(Self {
                            surface,
                            dir: Some(package.dir),
                            source: Source::Workspace(other, scope),
                            counterpart: None,
                        }),
                        None => failed.push((package.name, "it had errors then".to_owned())),
                    }
                }
            }
        }
        let count = all.len() + failed.len();
        Self::pair_renamed(&mut all, now, count);
        all
    }

    /// A package that stands where one stood that is gone, or the only one on both sides, is that one with a new name. `count`
    /// says how many there were, those that can't be compared included.
    fn pair_renamed(all: &mut [Self], now: &[PackageSurface], count: usize) {
        let known: Vec<_> = all.iter().map(|before| before.surface.package.clone()).collect();
        let alone = count == 1 && now.len() == 1;
        for before in all.iter_mut().filter(|before| before.counterpart.is_none()) {
            let is_there = now.iter().any(|package| package.name == before.surface.package);
            let heir = now.iter().find(|package| {
                !known.contains(&package.name) && (alone || Some(&package.dir) == before.dir.as_ref())
            });
            if let (false, Some(heir)) = (is_there, heir) {
                before.counterpart = Some(heir.name.clone());
            }
        }
    }

    /// Whether it is the surface of this package before.
    pub fn is(&self, package: &PackageSurface) -> bool {
        match &self.counterpart {
            Some(name) => *name == package.name,
            None => self.surface.package == package.name,
        }
    }

    /// Where a spot stands in it.
    pub fn site(&self, spot: &Spot) -> Option<Site> {
        match &self.source {
            Source::Workspace(workspace, scope) => workspace.site(*scope, spot),
            Source::Text { file, text, at } => {
                let start = u32::try_from(at.start).ok()?;
                let span = places::in_json(&text[at.clone()], spot).offset_by(start);
                Some(Site { file: file.clone(), range: Range::of(text, &LineIndex::new(text), span) })
            }
        }
    }
}

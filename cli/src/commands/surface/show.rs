//! `jadpo surface show`: the surface of each package, as `surface.json` would hold it.

use jadpo_analysis::surface::PackageSurface;

use super::{fail, open, print, tell_errors};
use crate::args::{Color, SurfaceShow};
use crate::exit::Exit;

/// Prints one surface after another.
pub fn run(show: &SurfaceShow, color: Color) -> Exit {
    let (workspace, surfaces) = match open(&show.path, color) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let texts: Vec<_> = surfaces.iter().map(PackageSurface::text).collect();
    if texts.contains(&None) {
        tell_errors(&workspace, color);
        return fail("a package with errors has no surface");
    }
    print(&texts.into_iter().flatten().collect::<String>());
    Exit::Ok
}

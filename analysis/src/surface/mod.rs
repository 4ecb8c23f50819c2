//! The surface of a package: what an app that uses it can see, what changed in it, and what that means for apps.
//!
//! [`table`] is the classification as data. A surface is compared as resolved, so that moving, reordering and renaming
//! what is private changes nothing, and each edit is told once, where it was made.

mod accepted;
mod before;
mod diff;
mod entry;
mod hits;
mod json;
mod manifest;
mod packages;
mod places;
mod shape;
mod spot;
pub mod table;
mod travel;
mod users;
mod version;

#[cfg(test)]
mod tests;

pub use accepted::findings;
pub use before::{Against, Document};
pub use diff::Change;
pub use entry::Surface;
pub use hits::Hits;
pub use packages::{Accept, Comparison, PackageChange, PackageChanges, PackageSurface, Site};
pub use spot::Spot;
pub use table::{Class, Kind};

/// The file beside `provider.jadpo` that holds the accepted surface.
pub const FILE_NAME: &str = "surface.json";

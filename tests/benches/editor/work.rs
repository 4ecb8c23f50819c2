//! The workspace that is edited: 100,000 lines of which one file has 10,000, and a package of which 50 files use one type.

use std::path::{Path, PathBuf};

use jadpo_tests::sized::{self, CHAIN, Kind};

/// Lines of the large file.
const LARGE: usize = 10_000;

/// Lines of all others together.
const OTHERS: usize = 90_000;

/// How many files use the type of the one that they share.
const USERS: usize = 50;

/// A line to be edited, and where what is wrong then shows.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The file.
    pub file: PathBuf,
    /// Its text.
    pub text: String,
    /// The line's number, from 0.
    pub line: usize,
    /// The line as it is right.
    pub right: String,
    /// The line with a mistake.
    pub wrong: String,
    /// The file that then has a mistake more.
    pub shows: PathBuf,
}

/// The edits of a workspace.
pub struct Work {
    /// In a file of 10,000 lines.
    pub large: Edit,
    /// In a file of 200 lines.
    pub small: Edit,
    /// In a file that 50 others use; one of those shows it.
    pub shared: Edit,
    /// A file with a mistake that nobody opens, where the server tells of such: once it has, it has checked everything.
    pub closed: Option<PathBuf>,
}

/// Writes the workspace.
pub fn write(kind: Kind, folder: &Path) -> Work {
    let files = sized::write(kind, folder, OTHERS).files;
    // The last files of two chains, which no other uses.
    let (last, small) = (files / CHAIN * CHAIN - 1, CHAIN - 1);
    let large = sized::text(kind, last, LARGE);
    sized::write_file(folder, &sized::path(kind, last), &large);
    let (own, mistake) = match kind {
        Kind::Python => ("it.fragile,", "it.fragilf,"),
        _ => ("pieces: Int", "pieces: Inu"),
    };
    let edit = |path: String, own: &str, mistake: &str, shows: String| {
        let file = folder.join(&path);
        let text = std::fs::read_to_string(&file).expect("the file was written");
        let lines: Vec<_> = text.lines().enumerate().filter(|(_, line)| line.contains(own)).collect();
        let (line, right) = lines[lines.len() / 2];
        let (right, wrong) = (right.to_owned(), right.replace(own, mistake));
        Edit { file, line, right, wrong, shows: folder.join(shows), text }
    };
    let (shared, user) = share(kind, folder);
    let (large, small) = (sized::path(kind, last), sized::path(kind, small));
    let name = match kind {
        Kind::Python => ("class Shared:", "class Sharee:"),
        _ => ("type Shared ", "type Sharee "),
    };
    Work {
        closed: (kind == Kind::Jadpo).then(|| closed(folder)),
        large: edit(large.clone(), own, mistake, large),
        small: edit(small.clone(), own, mistake, small),
        shared: edit(shared, name.0, name.1, user),
    }
}

/// Writes a file with a mistake into a package of its own.
fn closed(folder: &Path) -> PathBuf {
    let path = "packages/closed/provider.jadpo";
    let text = "/// Nobody opens it.\nprovider closed {\n    version: \"1.0.0\"\n    base_url: \"https://closed.example\"\n    auth: nobody\n}\n";
    sized::write_file(folder, path, text);
    folder.join(path)
}

/// Writes a file with a type, and others that use it: copies of generated ones with that type in the place of one of the
/// file before. Gives the path of the first and of a user.
fn share(kind: Kind, folder: &Path) -> (String, String) {
    let path = |name: &str| match kind {
        Kind::Python => format!("parcels/{name}.py"),
        _ => format!("packages/shared/{name}.jadpo"),
    };
    let first = match kind {
        Kind::Python => "from dataclasses import dataclass\n\n\n@dataclass\nclass Shared:\n    code: str\n",
        _ => {
            "/// What many files use.\nprovider shared {\n    version: \"1.0.0\"\n    base_url: \"https://shared.example\"\n    auth: none\n}\n\n/// Used by all.\npublic type Shared = Object {\n    code: Text\n}\n"
        }
    };
    let name = if kind == Kind::Python { "shared" } else { "provider" };
    sized::write_file(folder, &path(name), first);
    let user = |user: usize| path(&format!("user{user}"));
    for number in 0..USERS {
        // None of these is the first of its chain, which would have a provider, too.
        let file = number * CHAIN + 1;
        let text = sized::text(kind, file, sized::FILE_LINES);
        let earlier = format!("Receipt{}x0", file - 1);
        let module = format!("parcels.part{}", file - 1);
        let text = text.replace(&earlier, "Shared").replace(&module, "parcels.shared");
        sized::write_file(folder, &user(number), &text);
    }
    (path(name), user(USERS / 2))
}

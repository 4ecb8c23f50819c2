//! The manifests of a revision, all or one, read through the `git` program.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;

/// What `ls-tree` calls a symbolic link.
const LINK: &str = "120000";

/// What `ls-tree` calls a submodule.
const SUBMODULE: &str = "160000";

/// The file that makes a directory a package.
const PROVIDER: &str = "provider.jadpo";

/// What a directory of a repository held at a revision.
pub struct Revision {
    /// Its workspace. All manifests of the repository are there, since a project may have packages outside of its own
    /// directory.
    pub workspace: Workspace,
    top: PathBuf,
    /// The directories of submodules, whose files are in repositories of their own.
    submodules: Vec<PathBuf>,
}

impl Revision {
    /// Reads it; `names` are those of the packages that are there now. A package that stood elsewhere then is found by its
    /// name.
    ///
    /// # Errors
    /// With a sentence, where git isn't there, the directory is in no repository, or the revision isn't known.
    pub fn read(dir: &Path, revision: &str, names: &[&str]) -> Result<Self, String> {
        let dir =
            dir.canonicalize().map_err(|error| format!("`{}` can't be read: {error}", dir.display()))?;
        let (top, commit) = commit_of(&dir, revision)?;
        let listed = git(&top, &["ls-tree", "-r", "-z", "--full-tree", &commit])
            .map_err(|why| why.or(&format!("git can't list `{revision}`")))?;
        let listed = String::from_utf8_lossy(&listed);
        let files = entries(&listed);
        let contents = contents(&top, &files)?;
        let mut system = MemorySystem::new();
        for (file, bytes) in files.iter().zip(contents) {
            let path = top.join(&file.path);
            if file.is_link {
                system.link(path, PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()));
            } else {
                system.write(path, bytes);
            }
        }
        let system = Arc::new(system);
        let mut workspace = Workspace::open(system.clone(), &dir);
        if let ([name], true) = (names, workspace.surfaces().is_empty()) {
            let is_provider = |file: &&File| Path::new(&file.path).ends_with(PROVIDER);
            let dirs = files
                .iter()
                .filter(is_provider)
                .filter_map(|file| top.join(&file.path).parent().map(Path::to_owned));
            let elsewhere = dirs.map(|dir| Workspace::open(system.clone(), &dir));
            let is_it =
                |elsewhere: &Workspace| elsewhere.surfaces().iter().any(|package| package.name == *name);
            let mut found = elsewhere.filter(is_it);
            // Which one it was can't be told of several.
            if let (Some(only), None) = (found.next(), found.next()) {
                workspace = only;
            }
        }
        Ok(Self { workspace, submodules: submodules(&listed).map(|path| top.join(path)).collect(), top })
    }

    /// Whether the files of a directory would be among those of the revision.
    pub fn knows(&self, dir: &Path) -> bool {
        dir.canonicalize().is_ok_and(|dir| {
            dir.starts_with(&self.top) && !self.submodules.iter().any(|submodule| dir.starts_with(submodule))
        })
    }
}

/// What one file held at a revision, with the line ends of a checkout; `place` is its canonical path.
///
/// # Errors
/// With a sentence, where git isn't there, the file is in no repository, or the revision doesn't hold it.
pub fn text_at(place: &Path, revision: &str) -> Result<String, String> {
    let (Some(dir), Some(name)) = (place.parent(), place.file_name()) else {
        return Err(format!("`{}` is no file", place.display()));
    };
    let name = name.to_string_lossy();
    let commit = commit_of(dir, revision)?.1;
    let bytes = git(dir, &["cat-file", "--filters", &format!("{commit}:./{name}")])
        .map_err(|why| why.or_only(&format!("`{name}` isn't in git at `{revision}`")))?;
    String::from_utf8(bytes).map_err(|_| format!("`{name}` was no UTF-8 at `{revision}`"))
}

/// The top of the repository that a directory is in, and the commit that a revision names there.
fn commit_of(dir: &Path, revision: &str) -> Result<(PathBuf, String), String> {
    let top = git(dir, &["rev-parse", "--show-toplevel"])
        .map_err(|why| why.or(&format!("`{}` is in no git repository", dir.display())))?;
    let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches(['\r', '\n']));
    let commit = commit(&top, revision)?;
    Ok((top, commit))
}

/// The commit that a revision names.
fn commit(top: &Path, revision: &str) -> Result<String, String> {
    let named = format!("{revision}^{{commit}}");
    match git(top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &named]) {
        Ok(commit) => Ok(String::from_utf8_lossy(&commit).trim().to_owned()),
        Err(why) => {
            let shallow = git(top, &["rev-parse", "--is-shallow-repository"]);
            let is_shallow = shallow.is_ok_and(|said| said.starts_with(b"true"));
            let hint = if is_shallow {
                "; this clone is shallow, and `git fetch --unshallow` gets the rest"
            } else {
                ""
            };
            Err(why.or(&format!("git knows no revision `{revision}`{hint}")))
        }
    }
}

/// A manifest or a link of a revision.
struct File {
    id: String,
    path: String,
    is_link: bool,
}

/// The manifests and links of what `ls-tree -z` says: a mode, a kind and an id, a tab, and a path, each ended by NUL.
fn entries(listed: &str) -> Vec<File> {
    let entry = |line: &str| {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.split(' ');
        let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
        let is_link = mode == LINK;
        let is_manifest = Path::new(path).extension().is_some_and(|extension| extension == "jadpo");
        (is_link || is_manifest).then(|| File { id: id.to_owned(), path: path.to_owned(), is_link })
    };
    listed.split('\0').filter_map(entry).collect()
}

/// The paths of the submodules that `ls-tree -z` names.
fn submodules(listed: &str) -> impl Iterator<Item = &str> {
    listed.split('\0').filter_map(|line| {
        let (head, path) = line.split_once('\t')?;
        (head.split(' ').next() == Some(SUBMODULE)).then_some(path)
    })
}

/// What each file holds, all asked of one process.
fn contents(top: &Path, files: &[File]) -> Result<Vec<Vec<u8>>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("git can't read the files: {error}");
    let mut child = Command::new("git")
        .args(["cat-file", "--batch"])
        .current_dir(top)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Failure::of(&error).or(&failed(&error)))?;
    let mut input = child.stdin.take().ok_or_else(|| failed(&"no input"))?;
    let asked: String = files.iter().flat_map(|file| [&*file.id, "\n"]).collect();
    // Asked from a thread of its own, since git answers before it has read everything.
    let asking = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let mut answer = Vec::new();
    let mut output = child.stdout.take().ok_or_else(|| failed(&"no output"))?;
    output.read_to_end(&mut answer).map_err(|error| failed(&error))?;
    let asked = asking.join().map_err(|_| failed(&"it could not be asked"))?;
    let ended = child.wait().map_err(|error| failed(&error))?;
    if let (Err(error), false) = (asked, ended.success()) {
        return Err(failed(&error));
    }
    let mut rest = &answer[..];
    files
        .iter()
        .map(|file| blob(&mut rest).ok_or_else(|| failed(&format!("`{}` is missing", file.path))))
        .collect()
}

/// The next of `cat-file`'s answers: an id, a kind and a size, a newline, so many bytes, a newline.
fn blob(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&rest[..end]).ok()?;
    let size: usize = head.split(' ').nth(2)?.parse().ok()?;
    let bytes = rest.get(end + 1..end + 1 + size)?.to_vec();
    *rest = rest.get(end + size + 2..)?;
    Some(bytes)
}

/// Why git gave no answer.
enum Failure {
    /// It isn't there or can't be started.
    Missing(String),
    /// It said no, perhaps with a reason.
    Refused(String),
}

impl Failure {
    fn of(error: &std::io::Error) -> Self {
        Self::Missing(match error.kind() {
            ErrorKind::NotFound => "`git:` needs the program `git`, which isn't there".to_owned(),
            _ => format!("`git` can't be started: {error}"),
        })
    }

    /// The reason where git can have only one to refuse, which `refused` says better.
    fn or_only(self, refused: &str) -> String {
        match self {
            Self::Missing(why) => why,
            Self::Refused(_) => refused.to_owned(),
        }
    }

    /// The reason: git's own where it gave one, or else `refused`.
    fn or(self, refused: &str) -> String {
        match self {
            Self::Missing(why) => why,
            // Of a directory in no repository git has only that to say.
            Self::Refused(said) if said.is_empty() || said.contains("not a git repository") => {
                refused.to_owned()
            }
            Self::Refused(said) => format!("git says: {}", said.trim_start_matches("fatal: ")),
        }
    }
}

/// What a git command prints.
fn git(dir: &Path, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let output = Command::new("git").args(arguments).current_dir(dir).output();
    let output = output.map_err(|error| Failure::of(&error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Refused(said.lines().next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Failure, blob, entries, submodules};

    #[test]
    fn manifests_and_links_are_taken_from_a_listing() {
        let listed = "100644 blob a1\tapp.jadpo\x00120000 blob b2\tlink\x00100644 blob c3\tRÉADME.md\x00\
                      160000 commit d4\tsub\x00100755 blob e5\tp/ü x.jadpo\0";
        let files: Vec<_> = entries(listed).into_iter().map(|it| (it.id, it.path, it.is_link)).collect();
        let wanted = [("a1", "app.jadpo", false), ("b2", "link", true), ("e5", "p/ü x.jadpo", false)];
        assert_eq!(submodules(listed).collect::<Vec<_>>(), ["sub"]);
        assert_eq!(files, wanted.map(|(id, path, is_link)| (id.to_owned(), path.to_owned(), is_link)));
    }

    #[test]
    fn a_reason_of_gits_own_is_told() {
        let said = |text: &str| Failure::Refused(text.to_owned()).or("it is in none");
        assert_eq!(said(""), "it is in none");
        assert_eq!(said("fatal: not a git repository (or any of the parents): .git"), "it is in none");
        assert_eq!(said("fatal: detected dubious ownership"), "git says: detected dubious ownership");
    }

    #[test]
    fn answers_are_cut_by_their_sizes() {
        let mut rest: &[u8] = b"a1 blob 3\nx\ny\nb2 blob 0\n\nc3 missing\n";
        assert_eq!(blob(&mut rest), Some(b"x\ny".to_vec()));
        assert_eq!(blob(&mut rest), Some(Vec::new()));
        assert_eq!(blob(&mut rest), None);
    }
}
